import { createHmac } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { deriveKey } from '../../plugins/visitors'
import type { Bus } from '../../providers/bus'

export interface AttemptLimits {
  /** Counts a try for the password of an account, from wherever it comes. Throws rate-limited. */
  countLogin(email: string): Promise<void>
  /** The right password was given. */
  forgetLogins(email: string): Promise<void>
  /** Whether a mail may go to this address now: one a minute, five a day. */
  mayMail(email: string): Promise<boolean>
}

/** Counters by account, beside those by network address. Addresses of mails are counted as keyed hashes. */
export function createAttemptLimits({ bus, secret, scale }: { bus: Bus; secret: string; scale: number }): AttemptLimits {
  const key = deriveKey(secret, 'attempts')
  const name = (what: string, email: string): string => `auth:${what}:${createHmac('sha256', key).update(email).digest('base64url').slice(0, 22)}`
  return {
    async countLogin(email) {
      if (scale === 0) return
      const { count, resetMs } = await bus.count(name('login', email), limits.auth.failedLoginsWindowMs)
      if (count > limits.auth.failedLoginsPerAccount * scale) throw new AppError('rate-limited', { retryAfter: Math.ceil(resetMs / 1000) })
    },
    forgetLogins: (email) => bus.forget(name('login', email)),
    async mayMail(email) {
      if (scale === 0) return true
      const minute = await bus.count(name('mail-minute', email), 60_000)
      if (minute.count > limits.auth.mailsPerMinutePerAccount * scale) return false
      const day = await bus.count(name('mail-day', email), 86_400_000)
      return day.count <= limits.auth.mailsPerDayPerAccount * scale
    },
  }
}
