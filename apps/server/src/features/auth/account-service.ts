import { isEmail, normalizeEmail, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import type { FullLanguage } from '@parley/contract/languages'
import { limits } from '@parley/contract/limits'
import type { User } from '@parley/contract/users'
import { uuidv7 } from '@parley/contract/uuid'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { Person } from '../../plugins/people'
import { hashBrowser, hashToken, hasMailbox, randomToken, requireAccount, requireGoodPassword, usableEmail } from './account-rules'
import { changePasswordHash, insertMailToken, proveByLink, proveUnproved, requestDeletion } from './account-secrets-store'
import {
  type Account,
  deleteAccount,
  deleteExpiredMailTokens,
  deleteOldBrowsers,
  deleteUnconfirmedAccounts,
  ensureVaultKey,
  findAccount,
  findAccountByEmail,
  findAccountByGoogle,
  findDeletionsRequested,
  findSubscription,
  insertAccount,
  isKnownBrowser,
  noteBrowser,
  takeOneTimePassword,
  updateAccount,
} from './account-store'
import type { AttemptLimits } from './attempt-limits'
import type { AuthMails } from './auth-mails'
import type { Identity } from './identity'
import { oneTimePassword, type Passwords } from './passwords'
import type { SessionService } from './session-service'
import { toUser } from './user-json'

type Deps = {
  db: Db
  sessions: SessionService
  mails: AuthMails
  attempts: AttemptLimits
  passwords: Passwords
  isConfirmationRequired: boolean
  /** Sign-up and sign-in tell nobody whether an address is known. */
  hasUniformErrors: boolean
  /** Stops what runs in the name of an account that is gone, and forgets it. */
  onRemoved: (subject: string, wish: { keepsAgents: boolean }) => Promise<void>
  /** Before each session of somebody whose account may be used. */
  onOpened: (account: Account) => Promise<void>
  log: FastifyBaseLogger
  now: () => number
}

/**
 * Where a sign-in comes from. `deviceId` is the browser's random id for its vault, `browser` the secret of its own cookie (undefined for programs), `address`
 * what stands for its network address in counters.
 */
export type SignInPlace = {
  isBrowser: boolean
  browser: string | undefined
  address: string
  deviceId: string | undefined
  language: FullLanguage
  /** Does it when the answer is out: how long it takes must not tell whether there is an account. */
  later: (work: () => Promise<void>) => void
}
type SignUp = { email: string; password: string; language: FullLanguage }
/** A sign-in and what the browser's cookie is set to. */
export type Opened = { answer: SignIn; browserSecret: string | undefined }

const minuteMs = 60_000
const nobody = '00000000-0000-0000-0000-000000000000'
const walletDomains = { ethereum: 'erc20', solana: 'solana', sui: 'sui' } as const

/** Accounts: DECISIONS section 3. Every failure is an AppError of the catalogue. */
export class AccountService {
  constructor(private readonly deps: Deps) {}

  /** Makes an account, or sends the link again for one that was never confirmed. */
  async signUp({ email: given, ...wish }: SignUp, place: SignInPlace): Promise<void> {
    const { attempts, isConfirmationRequired, hasUniformErrors } = this.deps
    const email = usableEmail(given)
    requireGoodPassword(wish.password)
    await attempts.countSignUp(email, place.address)
    const make = (): Promise<void> => this.makeAccount({ email, ...wish }, place)
    // Where the answer is always the same its time is, too.
    if (isConfirmationRequired && hasUniformErrors) return place.later(make)
    await make()
  }

  private async makeAccount({ email, password, language }: SignUp, place: SignInPlace): Promise<void> {
    const { db, now, mails, attempts, passwords, isConfirmationRequired, hasUniformErrors } = this.deps
    const passwordHash = await passwords.hash(password)
    const id = uuidv7()
    const signUpBrowserHash = browserHashOf(id, place)
    const made = { id, kind: 'email' as const, email, passwordHash, signUpBrowserHash, language, createdAt: new Date(now()) }
    const isNew = await insertAccount(db, made)
    const account = isNew ? await findAccount(db, id) : await findAccountByEmail(db, email)
    if (!account) throw new AppError('conflict')
    const isUnconfirmed = account.emailConfirmedAt === null && isConfirmationRequired
    if (!isNew && !isUnconfirmed) {
      if (!hasUniformErrors) throw new AppError('auth.email-taken')
      if (await attempts.mayMail(email)) mails.alreadyRegistered(account)
      return
    }
    if (!isConfirmationRequired || !(await attempts.mayMail(email))) return
    await this.mailConfirmation(account, { passwordHash, browserHash: browserHashOf(account.id, place) })
  }

  /** Says nothing about whether there is such an account. */
  resendConfirmation(given: string, { later }: Pick<SignInPlace, 'later'>): void {
    later(() => this.mailConfirmationTo(given))
  }

  private async mailConfirmationTo(given: string): Promise<void> {
    const account = await findAccountByEmail(this.deps.db, normalizeEmail(given))
    if (account?.kind !== 'email' || account.emailConfirmedAt !== null) return
    if (await this.deps.attempts.mayMail(account.email)) await this.mailConfirmation(account)
  }

  /**
   * Whoever has the link has the mailbox. A password counts only where the link is opened in the browser that chose it: anybody can sign up with the address
   * of somebody else. Elsewhere the person is signed in and chooses one (`recovered`).
   */
  async confirmEmail(token: string, place: SignInPlace): Promise<Opened> {
    const { db, now, sessions } = this.deps
    const link = { tokenHash: hashToken(token), purpose: 'confirm-email' as const }
    const account = await proveByLink(db, link, new Date(now()), (found, links) => {
      const browserHash = browserHashOf(found.id, place)
      if (browserHash === null) return {}
      const newestFirst = links.sort((a, b) => b.expiresAt.getTime() - a.expiresAt.getTime())
      const chosen = newestFirst.find((each) => each.passwordHash !== null && each.browserHash === browserHash)
      if (chosen) return { passwordHash: chosen.passwordHash }
      return found.signUpBrowserHash === browserHash ? { passwordHash: found.passwordHash } : {}
    })
    if (!account) throw new AppError('auth.link-invalid')
    await sessions.announceEnd(account.id)
    const opened = await this.open(account, place)
    return account.passwordHash === null ? { ...opened, answer: { ...opened.answer, recovered: true } } : opened
  }

  async login(given: string, password: string, place: SignInPlace): Promise<Opened> {
    const { db, attempts, passwords, hasUniformErrors, isConfirmationRequired } = this.deps
    const email = normalizeEmail(given)
    if (!isEmail(email)) throw new AppError('auth.email-invalid')
    const account = await findAccountByEmail(db, email)
    // Asked also without an account: the time must not tell.
    const userId = account?.id ?? nobody
    const browserHash = browserHashOf(userId, place)
    const isKnown = browserHash !== null && (await isKnownBrowser(db, userId, browserHash))
    const forget = await attempts.countLogin(email, isKnown ? { browser: browserHash } : { address: place.address })
    if (!account && !hasUniformErrors) throw new AppError('auth.no-account')
    const isRight = await passwords.verify(account?.passwordHash, password)
    const isRecovered = !isRight && account !== undefined && (await this.isOneTimePassword(account, password))
    if (!account || (!isRight && !isRecovered)) throw new AppError(hasUniformErrors ? 'auth.invalid-credentials' : 'auth.wrong-password')
    await forget()
    if (isConfirmationRequired && account.emailConfirmedAt === null) throw new AppError('auth.email-unconfirmed')
    const opened = await this.open(account, place)
    return isRecovered ? { ...opened, answer: { ...opened.answer, recovered: true } } : opened
  }

  /** Signs a proven wallet or Google account in; the first time, makes it. Google accounts are known by their `sub` alone. */
  async signInWith(identity: Identity, place: SignInPlace): Promise<Opened> {
    return this.open(identity.kind === 'google' ? await this.googleAccount(identity, place) : await this.walletAccount(identity, place), place)
  }

  /** Mails both links if there is an account with a mailbox; says nothing about it, not by its time either. `redirectTo` is an address of this server. */
  requestReset(given: string, redirectTo: string, { later }: Pick<SignInPlace, 'later'>): void {
    later(() => this.mailReset(given, redirectTo))
  }

  private async mailReset(given: string, redirectTo: string): Promise<void> {
    const { db, now, mails, attempts } = this.deps
    const account = await findAccountByEmail(db, normalizeEmail(given))
    if (!account || !hasMailbox(account) || account.blockedAt !== null || !(await attempts.mayMail(account.email))) return
    const token = randomToken()
    await insertMailToken(db, {
      tokenHash: hashToken(token),
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
    const { mails, passwords, now } = this.deps
    if (token === '') throw new AppError('auth.reset-token-invalid')
    if (wish.newPassword !== undefined) {
      // Before the link is used up: a weak password must not cost it.
      requireGoodPassword(wish.newPassword)
      const passwordHash = await passwords.hash(wish.newPassword)
      mails.passwordChanged(await this.proveByReset(token, { passwordHash }))
      return { kind: 'changed' }
    }
    if (wish.recover) {
      const opened = await this.open(await this.proveByReset(token, {}), place)
      return { kind: 'recovered', browserSecret: opened.browserSecret, answer: { ...opened.answer, recovered: true } }
    }
    const password = oneTimePassword()
    const oneTimeHash = await passwords.hash(password)
    const oneTimeUntil = new Date(now() + limits.auth.oneTimePasswordMinutes * minuteMs)
    mails.oneTimePassword(await this.proveByReset(token, { passwordHash: null, oneTimeHash, oneTimeUntil }), password)
    return { kind: 'mailed' }
  }

  /** Needs a sign-in of the last ten minutes or the current password. Every other session and every link ends. */
  async changePassword(person: Person, { newPassword, currentPassword }: { newPassword: string; currentPassword?: string | undefined }): Promise<void> {
    const { db, now, sessions, mails, attempts, passwords } = this.deps
    const account = requireAccount(await findAccount(db, person.userId))
    if (!hasMailbox(account)) throw new AppError('forbidden')
    requireGoodPassword(newPassword)
    if (now() - person.authenticatedAt > limits.auth.freshMs) {
      if (currentPassword === undefined) throw new AppError('auth.reauthenticate')
      const forget = await attempts.countLogin(account.email, { browser: person.sessionId })
      if (!(await passwords.verify(account.passwordHash, currentPassword))) throw new AppError('auth.wrong-password')
      await forget()
    }
    const passwordHash = await passwords.hash(newPassword)
    if (!(await changePasswordHash(db, person, passwordHash, new Date(now())))) throw new AppError('unauthenticated')
    await sessions.announceEnd(account.id)
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
    const { db, sessions, log, now } = this.deps
    const account = requireAccount(await requestDeletion(db, userId, { keepsAgents: asked.keepsAgents ?? false, now: new Date(now()) }))
    await sessions.announceEnd(userId)
    // From here on it happens, now or with a later sweep.
    await this.finishRemoval(account).catch((error: unknown) => log.error({ err: error }, 'an account is not wholly deleted yet: a sweep goes on'))
  }

  private async finishRemoval(account: Account): Promise<void> {
    const { db, mails, onRemoved } = this.deps
    await onRemoved(`user:${account.id}`, { keepsAgents: account.deletionKeepsAgents })
    if ((await deleteAccount(db, account.id)) && hasMailbox(account)) mails.accountDeleted(account)
  }

  /** Removes links that are over and accounts that were never confirmed. */
  async sweep(): Promise<void> {
    const { db, now, isConfirmationRequired } = this.deps
    await deleteExpiredMailTokens(db, new Date(now()))
    for (const account of await findDeletionsRequested(db)) await this.finishRemoval(account)
    await deleteOldBrowsers(db, new Date(now() - limits.auth.knownBrowserDays * 86_400_000))
    if (isConfirmationRequired) await deleteUnconfirmedAccounts(db, new Date(now() - limits.auth.unconfirmedDays * 86_400_000))
  }

  private async open(account: Account, place: SignInPlace): Promise<Opened> {
    const { db, now, sessions, onOpened } = this.deps
    if (account.blockedAt !== null) throw new AppError('auth.blocked')
    await onOpened(account)
    const { tokens, browserSecret } = await sessions.start(account, place)
    const browserHash = browserHashOf(account.id, place)
    if (browserHash !== null) await noteBrowser(db, { userId: account.id, browserHash, usedAt: new Date(now()) })
    const { deviceId } = place
    const vaultKey = deviceId && (await ensureVaultKey(db, { userId: account.id, deviceId, key: randomToken(), createdAt: new Date(now()) }))
    return { answer: { ...tokens, user: await this.toUser(account), ...(vaultKey ? { vault_key: vaultKey } : {}) }, browserSecret }
  }

  private async toUser(account: Account): Promise<User> {
    return toUser(account, await findSubscription(this.deps.db, account.id, new Date(this.deps.now())))
  }

  private async isOneTimePassword({ id, oneTimeHash }: Account, password: string): Promise<boolean> {
    const { db, passwords, now } = this.deps
    if (oneTimeHash === null || !(await passwords.verify(oneTimeHash, password.trim()))) return false
    return takeOneTimePassword(db, id, oneTimeHash, new Date(now()))
  }

  private async mailConfirmation(account: Account, chosen?: { passwordHash: string; browserHash: string | null }): Promise<void> {
    const { db, now, mails } = this.deps
    const token = randomToken()
    const expiresAt = new Date(now() + limits.auth.confirmHours * 60 * minuteMs)
    const isPending = await insertMailToken(db, { tokenHash: hashToken(token), userId: account.id, purpose: 'confirm-email', expiresAt, ...chosen })
    if (isPending) mails.confirmEmail(account, token)
  }

  private async proveByReset(token: string, change: { passwordHash?: string | null; oneTimeHash?: string; oneTimeUntil?: Date }): Promise<Account> {
    const { db, now, sessions } = this.deps
    const account = await proveByLink(db, { tokenHash: hashToken(token), purpose: 'reset-password' }, new Date(now()), () => change)
    if (!account) throw new AppError('auth.reset-token-invalid')
    await sessions.announceEnd(account.id)
    return account
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
    // A proven account is not handed over for an address alone, nor one in use where nobody is asked to prove theirs.
    const taken = isConfirmationRequired ? await proveUnproved(db, other.id, { kind: 'google', ...profile }, at) : undefined
    if (!taken) throw new AppError('auth.email-taken')
    await sessions.announceEnd(taken.id)
    return taken
  }
}

const browserHashOf = (userId: string, { browser }: SignInPlace): string | null => (browser === undefined ? null : hashBrowser(userId, browser))
