import { create } from 'zustand'

/** Whether the dialog about missing credits is open. The shell draws it; a refused call or question opens it. */
export const useNoCreditsDialog = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export function openNoCredits(): void {
  useNoCreditsDialog.setState({ isOpen: true })
}

export function closeNoCredits(): void {
  useNoCreditsDialog.setState({ isOpen: false })
}
