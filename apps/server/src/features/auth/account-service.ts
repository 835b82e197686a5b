import { createHash, randomBytes } from 'node:crypto'
import { checkPassword, isEmail, isReservedEmail, normalizeEmail, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { type FullLanguage, fullLanguageOf } from '@parley/contract/languages'
import { limits } from '@parley/contract/limits'
import type { User } from '@parley/contract/users'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import type { Person } from '../../plugins/people'
import {
  type Account,
  deleteAccount,
  deleteExpiredMailTokens,
  deleteMailTokens,
  deleteUnconfirmedAccounts,
  ensureVaultKey,
  findAccount,
  findAccountByEmail,
  findAccountByGoogle,
  findSubscription,
  insertAccount,
  insertMailToken,
  takeMailToken,
  takeOneTimePassword,
  updateAccount,
} from './account-store'
import type { AttemptLimits } from './attempt-limits'
import type { AuthMails } from './auth-mails'
import type { Identity } from './identity'
import { hashPassword, oneTimePassword, verifyPassword } from './passwords'
import type { SessionService } from './session-service'
import { toUser } from './user-json'

type Deps = {
  db: Db
  sessions: SessionService
  mails: AuthMails
  attempts: AttemptLimits
  isConfirmationRequired: boolean
  /** Sign-up and sign-in tell nobody whether an address is known. */
  hasUniformErrors: boolean
  /** Stops what runs in the name of an account that is gone, and forgets it. */
  onRemoved: (subject: string, wish: { keepsAgents: boolean }) => Promise<void>
  /** Before each session of somebody whose account may be used. */
  onOpened: (account: Account) => Promise<void>
  now: () => number
}

/** Where a sign-in comes from. `device` is the browser's random id for its vault. */
export type SignInPlace = { isBrowser: boolean; deviceId: string | undefined; language: FullLanguage }
/** A sign-in and what the browser's cookie is set to. */
export type Opened = { answer: SignIn; browserSecret: string | undefined }

const minuteMs = 60_000
const walletDomains = { ethereum: 'erc20', solana: 'solana', sui: 'sui' } as const

/** Accounts: DECISIONS section 3. Every failure is an AppError of the catalogue. */
export class AccountService {
  constructor(private readonly deps: Deps) {}

  /** Makes an account, or sends the link again for one that was never confirmed. */
  async signUp({ email: given, password, language }: { email: string; password: string; language: FullLanguage }): Promise<void> {
    const { db, now, mails, attempts, isConfirmationRequired, hasUniformErrors } = this.deps
    const email = usableEmail(given)
    requireGoodPassword(password)
    const passwordHash = await hashPassword(password)
    const made = { id: uuidv7(), kind: 'email' as const, email, passwordHash, language, createdAt: new Date(now()) }
    const isNew = await insertAccount(db, made)
    const account = isNew ? await findAccount(db, made.id) : await findAccountByEmail(db, email)
    if (!account) throw new AppError('conflict')
    const isUnconfirmed = account.emailConfirmedAt === null && isConfirmationRequired
    if (!isNew && !isUnconfirmed) {
      if (!hasUniformErrors) throw new AppError('auth.email-taken')
      if (await attempts.mayMail(email)) mails.alreadyRegistered(account)
      return
    }
    if (isConfirmationRequired && (await attempts.mayMail(email))) await this.mailConfirmation(account, passwordHash)
  }

  /** Says nothing about whether there is such an account. */
  async resendConfirmation(given: string): Promise<void> {
    const account = await findAccountByEmail(this.deps.db, normalizeEmail(given))
    if (account?.kind !== 'email' || account.emailConfirmedAt !== null) return
    if (await this.deps.attempts.mayMail(account.email)) await this.mailConfirmation(account, account.passwordHash)
  }

  async confirmEmail(token: string, place: SignInPlace): Promise<Opened> {
    const { db, now } = this.deps
    const link = await takeMailToken(db, { tokenHash: hash(token), purpose: 'confirm-email' }, new Date(now()))
    if (!link) throw new AppError('auth.link-invalid')
    const account = await updateAccount(db, link.userId, {
      emailConfirmedAt: new Date(now()),
      ...(link.passwordHash ? { passwordHash: link.passwordHash } : {}),
    })
    await deleteMailTokens(db, link.userId, 'confirm-email')
    return this.open(requireAccount(account), place)
  }

  async login(given: string, password: string, place: SignInPlace): Promise<Opened> {
    const { db, attempts, hasUniformErrors, isConfirmationRequired } = this.deps
    const email = normalizeEmail(given)
    if (!isEmail(email)) throw new AppError('auth.email-invalid')
    await attempts.countLogin(email)
    const account = await findAccountByEmail(db, email)
    if (!account && !hasUniformErrors) throw new AppError('auth.no-account')
    const isRight = await verifyPassword(account?.passwordHash, password)
    const isRecovered = !isRight && account !== undefined && (await this.isOneTimePassword(account, password))
    if (!account || (!isRight && !isRecovered)) throw new AppError(hasUniformErrors ? 'auth.invalid-credentials' : 'auth.wrong-password')
    if (isConfirmationRequired && account.emailConfirmedAt === null) throw new AppError('auth.email-unconfirmed')
    const opened = await this.open(account, place)
    await attempts.forgetLogins(email)
    return isRecovered ? { ...opened, answer: { ...opened.answer, recovered: true } } : opened
  }

  /** Signs a proven wallet or Google account in; the first time, makes it. Google accounts are known by their `sub` alone. */
  async signInWith(identity: Identity, place: SignInPlace): Promise<Opened> {
    return this.open(identity.kind === 'google' ? await this.googleAccount(identity, place) : await this.walletAccount(identity, place), place)
  }

  /** Mails both links if there is an account with a mailbox; says nothing about it. `redirectTo` is an address of this server. */
  async requestReset(given: string, redirectTo: string): Promise<void> {
    const { db, now, mails, attempts } = this.deps
    const account = await findAccountByEmail(db, normalizeEmail(given))
    if (!account || !hasMailbox(account) || account.blockedAt !== null || !(await attempts.mayMail(account.email))) return
    const token = randomToken()
    await insertMailToken(db, {
      tokenHash: hash(token),
      userId: account.id,
      purpose: 'reset-password',
      expiresAt: new Date(now() + limits.auth.resetMinutes * minuteMs),
    })
    mails.resetPassword(account, { token, redirectTo })
  }

  /** Uses a reset link: a new password, a session in which one is set, or a one-time password by mail. Every session ends. */
  async confirmReset(
    token: string,
    wish: { newPassword?: string | undefined; recover?: boolean | undefined },
    place: SignInPlace,
  ): Promise<{ kind: 'changed' | 'mailed' } | ({ kind: 'recovered' } & Opened)> {
    const { db, now, sessions, mails } = this.deps
    if (token === '') throw new AppError('auth.reset-token-invalid')
    // Before the link is used up: a weak password must not cost it.
    if (wish.newPassword !== undefined) requireGoodPassword(wish.newPassword)
    const link = await takeMailToken(db, { tokenHash: hash(token), purpose: 'reset-password' }, new Date(now()))
    if (!link) throw new AppError('auth.reset-token-invalid')
    // Whoever has the link has the mailbox.
    const confirmed = { emailConfirmedAt: new Date(now()) }
    if (wish.newPassword !== undefined) {
      const passwordHash = await hashPassword(wish.newPassword)
      const account = requireAccount(await updateAccount(db, link.userId, { ...confirmed, passwordHash, oneTimeHash: null, oneTimeUntil: null }))
      await sessions.endAll(account.id)
      await this.deps.attempts.forgetLogins(account.email)
      mails.passwordChanged(account)
      return { kind: 'changed' }
    }
    if (wish.recover) {
      const account = requireAccount(await updateAccount(db, link.userId, confirmed))
      await sessions.endAll(account.id)
      const opened = await this.open(account, place)
      return { kind: 'recovered', browserSecret: opened.browserSecret, answer: { ...opened.answer, recovered: true } }
    }
    const password = oneTimePassword()
    const account = requireAccount(
      await updateAccount(db, link.userId, {
        ...confirmed,
        passwordHash: null,
        oneTimeHash: await hashPassword(password),
        oneTimeUntil: new Date(now() + limits.auth.oneTimePasswordMinutes * minuteMs),
      }),
    )
    await sessions.endAll(account.id)
    await this.deps.attempts.forgetLogins(account.email)
    mails.oneTimePassword(account, password)
    return { kind: 'mailed' }
  }

  /** Needs a sign-in of the last ten minutes or the current password. Every other session ends. */
  async changePassword(person: Person, { newPassword, currentPassword }: { newPassword: string; currentPassword?: string | undefined }): Promise<void> {
    const { db, now, sessions, mails, attempts } = this.deps
    const account = requireAccount(await findAccount(db, person.userId))
    if (!hasMailbox(account)) throw new AppError('forbidden')
    requireGoodPassword(newPassword)
    if (now() - person.authenticatedAt > limits.auth.freshMs) {
      if (currentPassword === undefined) throw new AppError('auth.reauthenticate')
      await attempts.countLogin(account.email)
      if (!(await verifyPassword(account.passwordHash, currentPassword))) throw new AppError('auth.wrong-password')
    }
    await updateAccount(db, account.id, { passwordHash: await hashPassword(newPassword), oneTimeHash: null, oneTimeUntil: null })
    await sessions.endAll(account.id, person.sessionId)
    mails.passwordChanged(account)
  }

  async user({ userId }: Person): Promise<User> {
    return this.toUser(requireAccount(await findAccount(this.deps.db, userId)))
  }

  async update({ userId }: Person, change: { name?: string; language?: FullLanguage }): Promise<User> {
    return this.toUser(requireAccount(await updateAccount(this.deps.db, userId, change)))
  }

  /** Another person's id is not found. */
  async remove({ userId }: Person, asked: { userId: string; keepsAgents?: boolean | undefined }): Promise<void> {
    if (asked.userId !== userId) throw new AppError('not-found')
    const account = requireAccount(await findAccount(this.deps.db, userId))
    await this.deps.sessions.endAll(userId)
    await this.deps.onRemoved(`user:${userId}`, { keepsAgents: asked.keepsAgents ?? false })
    await deleteAccount(this.deps.db, userId)
    if (hasMailbox(account)) this.deps.mails.accountDeleted(account)
  }

  /** Removes links that are over and accounts that were never confirmed. */
  async sweep(): Promise<void> {
    const { db, now, isConfirmationRequired } = this.deps
    await deleteExpiredMailTokens(db, new Date(now()))
    if (isConfirmationRequired) await deleteUnconfirmedAccounts(db, new Date(now() - limits.auth.unconfirmedDays * 86_400_000))
  }

  private async open(account: Account, place: SignInPlace): Promise<Opened> {
    const { db, now, sessions, onOpened } = this.deps
    if (account.blockedAt !== null) throw new AppError('auth.blocked')
    await onOpened(account)
    const { tokens, browserSecret } = await sessions.start(account.id, place)
    const { deviceId } = place
    const vaultKey = deviceId && (await ensureVaultKey(db, { userId: account.id, deviceId, key: randomToken(), createdAt: new Date(now()) }))
    return { answer: { ...tokens, user: await this.toUser(account), ...(vaultKey ? { vault_key: vaultKey } : {}) }, browserSecret }
  }

  private async toUser(account: Account): Promise<User> {
    return toUser(account, await findSubscription(this.deps.db, account.id, new Date(this.deps.now())))
  }

  private async isOneTimePassword({ id, oneTimeHash }: Account, password: string): Promise<boolean> {
    if (oneTimeHash === null || !(await verifyPassword(oneTimeHash, password.trim()))) return false
    return takeOneTimePassword(this.deps.db, id, oneTimeHash, new Date(this.deps.now()))
  }

  private async mailConfirmation(account: Account, passwordHash: string | null): Promise<void> {
    const { db, now, mails } = this.deps
    const token = randomToken()
    const expiresAt = new Date(now() + limits.auth.confirmHours * 60 * minuteMs)
    await insertMailToken(db, { tokenHash: hash(token), userId: account.id, purpose: 'confirm-email', passwordHash, expiresAt })
    mails.confirmEmail(account, token)
  }

  private async walletAccount({ kind, address }: Extract<Identity, { address: string }>, { language }: SignInPlace): Promise<Account> {
    const { db, now } = this.deps
    const email = `${address}@${walletDomains[kind]}`
    const at = new Date(now())
    // Two first sign-ins at once make one account.
    await insertAccount(db, { id: uuidv7(), kind, email, language, emailConfirmedAt: at, createdAt: at })
    return requireAccount(await findAccountByEmail(db, email))
  }

  private async googleAccount(identity: Extract<Identity, { kind: 'google' }>, { language }: SignInPlace): Promise<Account> {
    const { db, now, sessions, isConfirmationRequired } = this.deps
    const known = await findAccountByGoogle(db, identity.sub)
    if (known) return known
    const email = normalizeEmail(identity.email)
    if (!isEmail(email)) throw new AppError('auth.google')
    const at = new Date(now())
    const profile = { googleSub: identity.sub, name: identity.name ?? '', picture: identity.picture ?? null, emailConfirmedAt: at }
    await insertAccount(db, { id: uuidv7(), kind: 'google', email, language, createdAt: at, ...profile })
    const made = await findAccountByGoogle(db, identity.sub)
    if (made) return made
    const other = requireAccount(await findAccountByEmail(db, email))
    // Whoever made it never showed that the mailbox is theirs. A proven account is not handed over for an address alone.
    if (other.emailConfirmedAt !== null || !isConfirmationRequired) throw new AppError('auth.email-taken')
    await sessions.endAll(other.id)
    return requireAccount(await updateAccount(db, other.id, { kind: 'google', passwordHash: null, ...profile }))
  }
}

function usableEmail(given: string): string {
  // Before the form: a wallet's domain has no dot.
  if (isReservedEmail(given)) throw new AppError('auth.email-reserved')
  const email = normalizeEmail(given)
  if (!isEmail(email)) throw new AppError('auth.email-invalid')
  return email
}

function requireGoodPassword(password: string): void {
  const { isValid, errors } = checkPassword(password)
  if (!isValid) throw new AppError('auth.password-weak', { issues: errors.map((error) => ({ path: 'password', message: error })) })
}

function requireAccount(account: Account | undefined): Account {
  if (!account) throw new AppError('not-found')
  return account
}

const hasMailbox = ({ kind }: Account): boolean => kind === 'email' || kind === 'google'
const randomToken = (): string => randomBytes(32).toString('base64url')
const hash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The language of a request for an account that is being made. */
export function accountLanguage(wanted: string | undefined, accepted: string | undefined): FullLanguage {
  return fullLanguageOf(wanted ?? accepted?.split(',')[0])
}
