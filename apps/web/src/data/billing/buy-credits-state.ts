import { create } from 'zustand'
import { onSessionChange } from '../session/stored-session'

/** `amount`: in dollars, chosen before the dialog opened. */
type State = { isOpen: boolean; amount: number | undefined }

const closed: State = { isOpen: false, amount: undefined }

/** Whether credits are being bought, and for how much. The credits tab draws the dialog. */
export const useBuyCredits = create<State>(() => closed)

export function openBuyCredits(amount?: number): void {
  useBuyCredits.setState({ isOpen: true, amount })
}

export function closeBuyCredits(): void {
  useBuyCredits.setState(closed)
}

onSessionChange(closeBuyCredits)
