import { create } from 'zustand'
import { resetWithScope } from '../scope/scope'

/** `amount`: dollars, chosen before the dialog opened. */
type State = { isOpen: boolean; amount: number | undefined }

const closed: State = { isOpen: false, amount: undefined }

/** Whether the purchase dialog is open, and its initial amount. The credits tab draws it. */
export const useBuyCredits = resetWithScope(create<State>(() => closed))

export function openBuyCredits(amount?: number): void {
  useBuyCredits.setState({ isOpen: true, amount })
}

export function closeBuyCredits(): void {
  useBuyCredits.setState(closed)
}
