import { limits } from '@parley/contract/limits'
import { create } from 'zustand'
import { storedSession } from '../session/stored-session'

type State = {
  /** Somebody is told that they need credits. The shell draws it. */
  isOpen: boolean
  /** As far as this page knows, the server would refuse a question now. Undefined while that is being found out. */
  isShort: boolean | undefined
  /** Whom `isShort` is about. */
  userId: string | undefined
  /** What is waited for while `isShort` is undefined. */
  awaited: Awaited
}
type Awaited = 'balance' | 'prices'

export const useNoCredits = create<State>(() => ({ isOpen: false, isShort: false, userId: undefined, awaited: 'balance' }))

export function openNoCredits(): void {
  useNoCredits.setState({ isOpen: true })
}

export function closeNoCredits(): void {
  useNoCredits.setState({ isOpen: false })
}

/** What was found out about whoever is signed in. */
export function noteShortage(isShort: boolean | undefined, awaited: Awaited = 'balance'): void {
  useNoCredits.setState({ isShort, awaited, userId: storedSession()?.user.id })
}

/**
 * Asked before each question: false opens the dialog instead. What is being found out is waited for: a question that the server refuses has made a chat by
 * then. One that waits for the network is the server's to judge.
 */
export async function mayAsk(): Promise<boolean> {
  if (!navigator.onLine || !(await foundShort())) return true
  openNoCredits()
  return false
}

const patienceMs = { balance: limits.credits.balanceMs, prices: limits.credits.shortageMs }

/** Between a sign-in and the first look at that person's balance nothing is known, whatever was known about another one. */
function knownShort(): boolean | undefined {
  const { isShort, userId } = useNoCredits.getState()
  const session = storedSession()
  if (!session) return false
  return userId === session.user.id ? isShort : undefined
}

function foundShort(): Promise<boolean> {
  const known = knownShort()
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve) => {
    const end = (isShort: boolean): void => {
      clearTimeout(timer)
      leave()
      resolve(isShort)
    }
    const wait = () => setTimeout(() => end(false), patienceMs[useNoCredits.getState().awaited])
    let timer = wait()
    const leave = useNoCredits.subscribe(({ awaited }, before) => {
      const isShort = knownShort()
      if (isShort !== undefined) return end(isShort)
      if (awaited === before.awaited) return
      clearTimeout(timer)
      timer = wait()
    })
  })
}
