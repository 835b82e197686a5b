// Whether the chat that begins next is a temporary one. Asked for each time: no visit begins with it.
import { create } from 'zustand'
import { readDraft, writeDraft } from './drafts'
import { openTemporary, temporaryDraftId } from './temporary-chats'

/** The id of the text that is typed for a new chat which is stored. */
const storedDraftId = 'new'

const useState = create<{ isTemporary: boolean }>(() => ({ isTemporary: false }))

export const useIsNewChatTemporary = (): boolean => useState(({ isTemporary }) => isTemporary)

export const newChatDraftId = (isTemporary: boolean): string => (isTemporary ? temporaryDraftId : storedDraftId)

/**
 * Makes the next chat a temporary one, or one that is stored. What is typed already goes along, and is nowhere else
 * afterwards. Throws AppError where the memory for it cannot be had.
 */
export async function chooseTemporary(isTemporary: boolean): Promise<void> {
  if (useState.getState().isTemporary === isTemporary) return
  if (isTemporary) await openTemporary()
  const [from, to] = [newChatDraftId(!isTemporary), newChatDraftId(isTemporary)]
  const typed = await readDraft(from).catch(() => '')
  if (typed !== '') {
    const there = await readDraft(to).catch(() => '')
    writeDraft(to, there === '' ? typed : `${there}\n\n${typed}`)
    writeDraft(from, '')
  }
  useState.setState({ isTemporary })
}

/** The next chat is one that is stored. What was typed for a temporary one stays in the memory of this tab. */
export function leaveTemporary(): void {
  useState.setState({ isTemporary: false })
}
