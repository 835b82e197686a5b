import { webLimits } from '@parley/contract/limits/web'
import { create } from 'zustand'
import { openNoCredits } from '../session/no-credits-dialog'
import { storedSession } from '../session/stored-session'

/** What the decision waits for: the balance, or then the models' prices. */
type Pending = 'balance' | 'prices'

type State = {
  /**
   * Whether the server would refuse a question now, as far as this page knows. Undefined while that is being
   * determined.
   */
  isShort: boolean | undefined
  /** The person of `isShort`. */
  userId: string | undefined
  pending: Pending
}

/** Whether this person's credits are too low for the next question. */
export const useShortageState = create<State>(() => ({ isShort: false, userId: undefined, pending: 'balance' }))

/** Stores the result for the signed-in person. */
export function storeShortage(isShort: boolean | undefined, pending: Pending = 'balance'): void {
  useShortageState.setState({ isShort, pending, userId: storedSession()?.user.id })
}

/**
 * Called before each question: false when credits are missing, and then the dialog about them is open. A shortage that
 * is still being determined is awaited, since a refused question would already have made a channel. Without a network
 * the question is queued, and the server decides when it arrives.
 */
export async function ensureCredits(): Promise<boolean> {
  const hasThem = await hasCredits()
  if (!hasThem) openNoCredits()
  return hasThem
}

/** Like ensureCredits, without the dialog: for what nobody has asked for in this moment. */
export async function hasCredits(): Promise<boolean> {
  return !navigator.onLine || !(await shortageOnceKnown())
}

const maxWaitMs = { balance: webLimits.credits.balanceMs, prices: webLimits.credits.shortageMs }

/**
 * After a sign-in the result is unknown until that person's balance is fetched, whatever it was for the previous
 * person.
 */
function knownShort(): boolean | undefined {
  const { isShort, userId } = useShortageState.getState()
  const session = storedSession()
  if (!session) return false
  return userId === session.user.id ? isShort : undefined
}

function shortageOnceKnown(): Promise<boolean> {
  const known = knownShort()
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve) => {
    const end = (isShort: boolean): void => {
      clearTimeout(timer)
      leave()
      resolve(isShort)
    }
    const wait = () => setTimeout(() => end(false), maxWaitMs[useShortageState.getState().pending])
    let timer = wait()
    const leave = useShortageState.subscribe(({ pending }, before) => {
      const isShort = knownShort()
      if (isShort !== undefined) return end(isShort)
      if (pending === before.pending) return
      clearTimeout(timer)
      timer = wait()
    })
  })
}
