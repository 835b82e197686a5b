// Back-off after wrong passphrases, over all tabs and reloads of this browser.
import { AppError } from '@parley/contract/errors'
import * as z from 'zod/mini'
import { withTabLock } from '../local/tab-lock'

const FailedTries = z.object({ count: z.int(), until: z.number() })
type FailedTries = z.infer<typeof FailedTries>

const freeTries = 3
const firstWaitMs = 2_000
const maxWaitMs = 5 * 60_000
const keyOf = (vault: string): string => `vault-tries ${vault}`

/**
 * Tries to open a vault. Throws vault.too-many-tries, with the seconds to wait, without trying while the back-off
 * lasts.
 */
export function tryToUnlock(vault: string, unlock: () => Promise<void>, now: () => number = Date.now): Promise<void> {
  // The lock keeps tabs from getting extra tries side by side.
  return withTabLock(`tries-${vault}`, async () => {
    const tries = read(vault)
    // A clock that was set back must not lock anyone out.
    const waitMs = Math.min(tries.until - now(), maxWaitMs)
    if (waitMs > 0) throw new AppError('vault.too-many-tries', { retryAfter: Math.ceil(waitMs / 1_000) })
    try {
      await unlock()
      localStorage.removeItem(keyOf(vault))
    } catch (error) {
      if (error instanceof AppError && error.code === 'vault.wrong-passphrase') {
        const count = tries.count + 1
        const nextMs = count < freeTries ? 0 : Math.min(firstWaitMs * 2 ** (count - freeTries), maxWaitMs)
        localStorage.setItem(keyOf(vault), JSON.stringify({ count, until: now() + nextMs } satisfies FailedTries))
      }
      throw error
    }
  })
}

function read(vault: string): FailedTries {
  try {
    return z.parse(FailedTries, JSON.parse(localStorage.getItem(keyOf(vault)) ?? ''))
  } catch {
    return { count: 0, until: 0 }
  }
}
