import { create } from 'zustand'

type Edit = { mId: string; text: string }

const useStore = create<{ edit: Edit | undefined }>(() => ({ edit: undefined }))

/**
 * The question that is being edited. It is stored apart from the list, which may scroll it out of the rendered range.
 */
export const editing = {
  begin: (mId: string, text: string): void => useStore.setState({ edit: { mId, text } }),
  type: (text: string): void => useStore.setState(({ edit }) => ({ edit: edit && { ...edit, text } })),
  end: (): void => useStore.setState({ edit: undefined }),
}

export const useIsEdited = (mId: string): boolean => useStore(({ edit }) => edit?.mId === mId)

export const useEditedText = (): string => useStore(({ edit }) => edit?.text ?? '')
