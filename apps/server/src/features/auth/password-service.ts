import { normalizeEmail } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Db } from '../../db/client'
import type { Person } from '../../plugins/people'
import { hashToken, hasMailbox, randomToken, requireAccount, requireGoodPassword } from './account-rules'
import { changePasswordHash, insertMailToken, proveByLink } from './account-secrets-store'
import { type Account, findAccount, findAccountByEmail } from './account-store'
import type { AttemptLimits } from './attempt-limits'
import type { AuthMails } from './auth-mails'
import { oneTimePassword, type Passwords } from './passwords'
import type { Sessions } from './public/sessions'
import type { SignInContext } from './sign-in-context'
import type { SignInResult, SignInService } from './sign-in-service'

type Deps = {
  db: Db
  sessions: Pick<Sessions, 'announceEnd'>
  signIns: Pick<SignInService, 'startSession'>
  mails: AuthMails
  attempts: AttemptLimits
  passwords: Passwords
  now: () => number
}

const minuteMs = 60_000

/** Forgotten and changed passwords. */
export class PasswordService {
  constructor(private readonly deps: Deps) {}

  /**
   * Mails both links where an account with a mailbox exists; neither the response nor its time tells whether one does.
   * `redirectTo` is an address of this server.
   */
  requestReset(emailInput: string, redirectTo: string, { afterResponse }: Pick<SignInContext, 'afterResponse'>): void {
    afterResponse(() => this.mailReset(emailInput, redirectTo))
  }

  private async mailReset(emailInput: string, redirectTo: string): Promise<void> {
    const { db, now, mails, attempts } = this.deps
    const account = await findAccountByEmail(db, normalizeEmail(emailInput))
    if (!account || !hasMailbox(account) || account.blockedAt !== null || !(await attempts.mayMail(account.email)))
      return
    const token = randomToken()
    await insertMailToken(db, {
      tokenHash: hashToken(token),
      userId: account.id,
      purpose: 'reset-password',
      expiresAt: new Date(now() + serverLimits.auth.resetMinutes * minuteMs),
    })
    mails.resetPassword(account, { token, redirectTo })
  }

  /**
   * Uses a reset link: with `newPassword` sets it, with `recover` starts a session in which the person sets one,
   * otherwise mails a one-time password. Ends every session. Throws auth.reset-token-invalid, auth.password-weak.
   */
  async confirmReset(
    token: string,
    { newPassword, recover }: { newPassword?: string | undefined; recover?: boolean | undefined },
    context: SignInContext,
  ): Promise<{ kind: 'changed' | 'mailed' } | ({ kind: 'recovered' } & SignInResult)> {
    const { mails, passwords, signIns, now } = this.deps
    if (token === '') throw new AppError('auth.reset-token-invalid')
    if (newPassword !== undefined) {
      // Checked before the link is used up, so that a weak password does not cost the link.
      requireGoodPassword(newPassword)
      const passwordHash = await passwords.hash(newPassword)
      mails.passwordChanged(await this.proveByReset(token, { passwordHash }))
      return { kind: 'changed' }
    }
    if (recover) {
      const { response, browserSecret } = await signIns.startSession(await this.proveByReset(token, {}), context)
      return { kind: 'recovered', browserSecret, response: { ...response, recovered: true } }
    }
    const password = oneTimePassword()
    const oneTimeHash = await passwords.hash(password)
    const oneTimeUntil = new Date(now() + serverLimits.auth.oneTimePasswordMinutes * minuteMs)
    mails.oneTimePassword(await this.proveByReset(token, { passwordHash: null, oneTimeHash, oneTimeUntil }), password)
    return { kind: 'mailed' }
  }

  /**
   * Needs a sign-in of the last ten minutes or the current password. Ends every other session and every mailed link.
   * Throws forbidden, auth.password-weak, auth.reauthenticate, auth.wrong-password, unauthenticated.
   */
  async changePassword(
    person: Person,
    { newPassword, currentPassword }: { newPassword: string; currentPassword?: string | undefined },
  ): Promise<void> {
    const { db, now, sessions, mails, attempts, passwords } = this.deps
    const account = requireAccount(await findAccount(db, person.userId))
    if (!hasMailbox(account)) throw new AppError('forbidden')
    requireGoodPassword(newPassword)
    if (now() - person.authenticatedAt > serverLimits.auth.freshMs) {
      if (currentPassword === undefined) throw new AppError('auth.reauthenticate')
      const resetCounters = await attempts.countLogin(account.email, { browser: person.sessionId })
      if (!(await passwords.verify(account.passwordHash, currentPassword))) throw new AppError('auth.wrong-password')
      await resetCounters()
    }
    const passwordHash = await passwords.hash(newPassword)
    if (!(await changePasswordHash(db, person, passwordHash, new Date(now())))) throw new AppError('unauthenticated')
    await sessions.announceEnd(account.id)
    mails.passwordChanged(account)
  }

  private async proveByReset(
    token: string,
    change: { passwordHash?: string | null; oneTimeHash?: string; oneTimeUntil?: Date },
  ): Promise<Account> {
    const { db, now, sessions } = this.deps
    const account = await proveByLink(
      db,
      { tokenHash: hashToken(token), purpose: 'reset-password' },
      new Date(now()),
      () => change,
    )
    if (!account) throw new AppError('auth.reset-token-invalid')
    await sessions.announceEnd(account.id)
    return account
  }
}
