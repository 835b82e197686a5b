import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { Bus } from '../../providers/bus'
import { macOf } from '../../secrets'

export interface AttemptLimits {
  /**
   * Counts a try for the password of an account: of a browser that has signed in before by itself, of everybody else by their network address and, with a
   * higher bound, for all of them together, so that nobody keeps the owner out. Throws rate-limited. Whoever gave the right password calls the answer.
   */
  countLogin(email: string, from: { browser: string } | { address: string }): Promise<() => Promise<void>>
  /** Counts a sign-up by network address and by the mailbox it names, whether there is an account or not. Throws rate-limited. */
  countSignUp(email: string, address: string): Promise<void>
  /** Whether a mail may go to this address now: one a minute, five a day. */
  mayMail(email: string): Promise<boolean>
}

const hourMs = 3_600_000

/** Counters by account, beside those by network address. Addresses of mails are counted as keyed hashes. */
export function createAttemptLimits({ bus, countersKey, scale }: { bus: Bus; countersKey: Buffer; scale: number }): AttemptLimits {
  const name = (what: string, email: string): string => `auth:${what}:${macOf(countersKey, `attempts:${email}`).slice(0, 22)}`
  return {
    async countLogin(email, from) {
      if (scale === 0) return () => Promise.resolve()
      const counters =
        'browser' in from
          ? [{ counter: name('login-browser', `${email}|${from.browser}`), most: limits.auth.failedLoginsPerPlace }]
          : [
              { counter: name('login-address', `${email}|${from.address}`), most: limits.auth.failedLoginsPerPlace },
              { counter: name('login', email), most: limits.auth.failedLoginsPerAccount },
            ]
      // In this order, and not further: what one place is refused does not count against the others.
      for (const { counter, most } of counters) {
        const { count, resetMs } = await bus.count(counter, limits.auth.failedLoginsWindowMs)
        if (count > most * scale) throw new AppError('rate-limited', { retryAfter: Math.ceil(resetMs / 1000) })
      }
      return async () => {
        for (const { counter } of counters) await bus.forget(counter)
      }
    },
    async countSignUp(email, address) {
      if (scale === 0) return
      const counters = [
        { counter: `auth:signup-address:${address}`, most: limits.auth.signupsPerHourPerAddress },
        { counter: name('signup', email), most: limits.auth.signupsPerHourPerAccount },
      ]
      for (const { counter, most } of counters) {
        const { count, resetMs } = await bus.count(counter, hourMs)
        if (count > most * scale) throw new AppError('rate-limited', { retryAfter: Math.ceil(resetMs / 1000) })
      }
    },
    async mayMail(email) {
      if (scale === 0) return true
      const minute = await bus.count(name('mail-minute', email), 60_000)
      if (minute.count > limits.auth.mailsPerMinutePerAccount * scale) return false
      const day = await bus.count(name('mail-day', email), 86_400_000)
      return day.count <= limits.auth.mailsPerDayPerAccount * scale
    },
  }
}
