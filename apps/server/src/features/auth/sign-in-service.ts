import { isEmail, normalizeEmail, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import { randomToken } from './account-rules'
import {
  type Account,
  ensureVaultKey,
  findAccountByEmail,
  isKnownBrowser,
  takeOneTimePassword,
  upsertKnownBrowser,
} from './account-store'
import type { AttemptLimits } from './attempt-limits'
import type { Identity } from './identity'
import { IdentityAccounts } from './identity-accounts'
import type { Passwords } from './passwords'
import type { SessionService } from './session-service'
import { browserHashOf, type SignInContext } from './sign-in-context'
import { loadUser } from './user-json'

type Deps = {
  db: Db
  sessions: SessionService
  attempts: AttemptLimits
  passwords: Passwords
  isConfirmationRequired: boolean
  hasUniformErrors: boolean
  beforeSession: (account: Account) => Promise<void>
  now: () => number
}

/** The response to a sign-in, and the value of the browser's session cookie. */
export type SignInResult = { response: SignIn; browserSecret: string | undefined }

const noUserId = '00000000-0000-0000-0000-000000000000'

/** Starts sessions for people who prove who they are. */
export class SignInService {
  private readonly identities: IdentityAccounts

  constructor(private readonly deps: Deps) {
    this.identities = new IdentityAccounts(deps)
  }

  async login(emailInput: string, password: string, context: SignInContext): Promise<SignInResult> {
    const { db, attempts, passwords, hasUniformErrors, isConfirmationRequired } = this.deps
    const email = normalizeEmail(emailInput)
    if (!isEmail(email)) throw new AppError('auth.email-invalid')
    const account = await findAccountByEmail(db, email)
    // Without an account the same queries run, so that the response time does not tell whether there is one.
    const userId = account?.id ?? noUserId
    const browserHash = browserHashOf(userId, context)
    const isKnown = browserHash !== null && (await isKnownBrowser(db, userId, browserHash))
    const resetCounters = await attempts.countLogin(
      email,
      isKnown ? { browser: browserHash } : { address: context.address },
    )
    if (!account && !hasUniformErrors) throw new AppError('auth.no-account')
    const isCorrect = await passwords.verify(account?.passwordHash, password)
    const isRecovered = !isCorrect && account !== undefined && (await this.isOneTimePassword(account, password))
    if (!account || (!isCorrect && !isRecovered))
      throw new AppError(hasUniformErrors ? 'auth.invalid-credentials' : 'auth.wrong-password')
    await resetCounters()
    if (isConfirmationRequired && account.emailConfirmedAt === null) throw new AppError('auth.email-unconfirmed')
    const result = await this.startSession(account, context)
    return isRecovered ? { ...result, response: { ...result.response, recovered: true } } : result
  }

  /** Signs in a proven wallet or Google account, which is created at its first sign-in. */
  async signInWith(identity: Identity, context: SignInContext): Promise<SignInResult> {
    return this.startSession(await this.identities.accountOf(identity, context.language), context)
  }

  /** Throws auth.blocked. */
  async startSession(account: Account, context: SignInContext): Promise<SignInResult> {
    const { db, now, sessions, beforeSession } = this.deps
    if (account.blockedAt !== null) throw new AppError('auth.blocked')
    await beforeSession(account)
    const { tokens, browserSecret } = await sessions.start(account, context)
    const browserHash = browserHashOf(account.id, context)
    if (browserHash !== null) await upsertKnownBrowser(db, { userId: account.id, browserHash, usedAt: new Date(now()) })
    const { deviceId } = context
    const vaultKey =
      deviceId &&
      (await ensureVaultKey(db, { userId: account.id, deviceId, key: randomToken(), createdAt: new Date(now()) }))
    const user = await loadUser(db, account, new Date(now()))
    return { response: { ...tokens, user, ...(vaultKey ? { vault_key: vaultKey } : {}) }, browserSecret }
  }

  private async isOneTimePassword({ id, oneTimeHash }: Account, password: string): Promise<boolean> {
    const { db, passwords, now } = this.deps
    if (oneTimeHash === null || !(await passwords.verify(oneTimeHash, password.trim()))) return false
    return takeOneTimePassword(db, id, oneTimeHash, new Date(now()))
  }
}
