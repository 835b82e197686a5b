import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Bus } from '../../providers/bus/bus'
import { macOf } from '../../secrets'

export interface AttemptLimits {
  /**
   * Counts an attempt to guess the password of an account. A browser that has signed in before has a counter of its
   * own; other clients have one for each network address and, with a higher limit, one for all of them, so that nobody
   * can lock the owner out. Returns a function that resets the counters after a correct password. Throws rate-limited.
   */
  countLogin(email: string, from: { browser: string } | { address: string }): Promise<() => Promise<void>>
  /**
   * Counts a sign-up by network address and by e-mail address, whether or not it has an account. Throws rate-limited.
   */
  countSignUp(email: string, address: string): Promise<void>
  /** Counts a mail; false beyond one a minute or five a day. */
  mayMail(email: string): Promise<boolean>
}

const hourMs = 3_600_000

/** Limits by account, beside those by network address. E-mail addresses are stored only as keyed hashes. */
export function createAttemptLimits({
  bus,
  countersKey,
  scale,
}: {
  bus: Bus
  countersKey: Buffer
  scale: number
}): AttemptLimits {
  const name = (what: string, email: string): string =>
    `auth:${what}:${macOf(countersKey, `attempts:${email}`).slice(0, 22)}`
  return {
    async countLogin(email, from) {
      if (scale === 0) return () => Promise.resolve()
      const counters =
        'browser' in from
          ? [
              {
                counter: name('login-browser', `${email}|${from.browser}`),
                most: serverLimits.auth.failedLoginsPerPlace,
              },
            ]
          : [
              {
                counter: name('login-address', `${email}|${from.address}`),
                most: serverLimits.auth.failedLoginsPerPlace,
              },
              { counter: name('login', email), most: serverLimits.auth.failedLoginsPerAccount },
            ]
      // The first counter that refuses is the last one counted: a refused client must not use up the account's limit.
      for (const { counter, most } of counters) {
        const { count, resetMs } = await bus.count(counter, serverLimits.auth.failedLoginsWindowMs)
        if (count > most * scale) throw new AppError('rate-limited', { retryAfter: Math.ceil(resetMs / 1000) })
      }
      return async () => {
        for (const { counter } of counters) await bus.forget(counter)
      }
    },
    async countSignUp(email, address) {
      if (scale === 0) return
      const counters = [
        { counter: `auth:signup-address:${address}`, most: serverLimits.auth.signupsPerHourPerAddress },
        { counter: name('signup', email), most: serverLimits.auth.signupsPerHourPerAccount },
      ]
      for (const { counter, most } of counters) {
        const { count, resetMs } = await bus.count(counter, hourMs)
        if (count > most * scale) throw new AppError('rate-limited', { retryAfter: Math.ceil(resetMs / 1000) })
      }
    },
    async mayMail(email) {
      if (scale === 0) return true
      const minute = await bus.count(name('mail-minute', email), 60_000)
      if (minute.count > serverLimits.auth.mailsPerMinutePerAccount * scale) return false
      const day = await bus.count(name('mail-day', email), 86_400_000)
      return day.count <= serverLimits.auth.mailsPerDayPerAccount * scale
    },
  }
}
