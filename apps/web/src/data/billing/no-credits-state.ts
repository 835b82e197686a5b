import { limits } from '@parley/contract/limits'
import { create } from 'zustand'

type State = {
  /** Somebody is told that they need credits. The shell draws it. */
  isOpen: boolean
  /** As far as this page knows, the server would refuse a question now. Undefined while that is being found out. */
  isShort: boolean | undefined
}

export const useNoCredits = create<State>(() => ({ isOpen: false, isShort: false }))

export function openNoCredits(): void {
  useNoCredits.setState({ isOpen: true })
}

export function closeNoCredits(): void {
  useNoCredits.setState({ isOpen: false })
}

export function noteShortage(isShort: boolean | undefined): void {
  useNoCredits.setState({ isShort })
}

/**
 * Asked before each question: false opens the dialog instead. What is being found out is waited for a moment: a question that is refused by the server has made
 * a chat by then. One that waits for the network is the server's to judge.
 */
export async function mayAsk(): Promise<boolean> {
  if (!navigator.onLine || !(await foundShort())) return true
  openNoCredits()
  return false
}

function foundShort(): Promise<boolean> {
  const known = useNoCredits.getState().isShort
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve) => {
    const end = (isShort: boolean): void => {
      clearTimeout(timer)
      leave()
      resolve(isShort)
    }
    const timer = setTimeout(() => end(false), limits.credits.shortageMs)
    const leave = useNoCredits.subscribe(({ isShort }) => isShort !== undefined && end(isShort))
  })
}
