import { normalizeEmail } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import type { FullLanguage } from '@parley/contract/languages'
import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { hashToken, randomToken, requireGoodPassword, usableEmail } from './account-rules'
import { insertMailToken, proveByLink } from './account-secrets-store'
import { type Account, findAccount, findAccountByEmail, insertAccount } from './account-store'
import type { AttemptLimits } from './attempt-limits'
import type { AuthMails } from './auth-mails'
import type { Passwords } from './passwords'
import type { Sessions } from './public/sessions'
import { browserHashOf, type SignInContext } from './sign-in-context'
import type { SignInResult, SignInService } from './sign-in-service'

type Deps = {
  db: Db
  sessions: Pick<Sessions, 'announceEnd'>
  signIns: Pick<SignInService, 'startSession'>
  mails: AuthMails
  attempts: AttemptLimits
  passwords: Passwords
  isConfirmationRequired: boolean
  hasUniformErrors: boolean
  now: () => number
}
type SignUpRequest = { email: string; password: string; language: FullLanguage }

const hourMs = 3_600_000

/** Accounts with an e-mail address and a password, and the confirmation of the address. */
export class SignUpService {
  constructor(private readonly deps: Deps) {}

  /** Creates an account, or sends the link again for one that was never confirmed. */
  async signUp({ email: emailInput, ...request }: SignUpRequest, context: SignInContext): Promise<void> {
    const { attempts, isConfirmationRequired, hasUniformErrors } = this.deps
    const email = usableEmail(emailInput)
    requireGoodPassword(request.password)
    await attempts.countSignUp(email, context.address)
    const create = (): Promise<void> => this.createAccount({ email, ...request }, context)
    // With uniform errors the response time must be uniform, too.
    if (isConfirmationRequired && hasUniformErrors) return context.afterResponse(create)
    await create()
  }

  private async createAccount({ email, password, language }: SignUpRequest, context: SignInContext): Promise<void> {
    const { db, now, mails, attempts, passwords, isConfirmationRequired, hasUniformErrors } = this.deps
    const passwordHash = await passwords.hash(password)
    const id = uuidv7()
    const isNew = await insertAccount(db, {
      id,
      kind: 'email',
      email,
      passwordHash,
      signUpBrowserHash: browserHashOf(id, context),
      language,
      createdAt: new Date(now()),
    })
    const account = isNew ? await findAccount(db, id) : await findAccountByEmail(db, email)
    if (!account) throw new AppError('conflict')
    const isUnconfirmed = account.emailConfirmedAt === null && isConfirmationRequired
    if (!isNew && !isUnconfirmed) {
      if (!hasUniformErrors) throw new AppError('auth.email-taken')
      if (await attempts.mayMail(email)) mails.alreadyRegistered(account)
      return
    }
    if (!isConfirmationRequired || !(await attempts.mayMail(email))) return
    await this.mailConfirmation(account, { passwordHash, browserHash: browserHashOf(account.id, context) })
  }

  /** The response does not tell whether the account exists. */
  resendConfirmation(emailInput: string, { afterResponse }: Pick<SignInContext, 'afterResponse'>): void {
    afterResponse(() => this.mailConfirmationTo(emailInput))
  }

  private async mailConfirmationTo(emailInput: string): Promise<void> {
    const account = await findAccountByEmail(this.deps.db, normalizeEmail(emailInput))
    if (account?.kind !== 'email' || account.emailConfirmedAt !== null) return
    if (await this.deps.attempts.mayMail(account.email)) await this.mailConfirmation(account)
  }

  /**
   * The link proves that the person owns the mailbox. A password is kept only where the link is opened in the browser
   * that chose it, because anybody can sign up with somebody else's address. In any other browser the person is signed
   * in without a password and chooses one (`recovered`). Throws auth.link-invalid.
   */
  async confirmEmail(token: string, context: SignInContext): Promise<SignInResult> {
    const { db, now, sessions, signIns } = this.deps
    const link = { tokenHash: hashToken(token), purpose: 'confirm-email' as const }
    const account = await proveByLink(db, link, new Date(now()), (unproved, links) => {
      const browserHash = browserHashOf(unproved.id, context)
      if (browserHash === null) return {}
      const newestFirst = links.sort((a, b) => b.expiresAt.getTime() - a.expiresAt.getTime())
      const sameBrowser = newestFirst.find((each) => each.passwordHash !== null && each.browserHash === browserHash)
      if (sameBrowser) return { passwordHash: sameBrowser.passwordHash }
      return unproved.signUpBrowserHash === browserHash ? { passwordHash: unproved.passwordHash } : {}
    })
    if (!account) throw new AppError('auth.link-invalid')
    await sessions.announceEnd(account.id)
    const result = await signIns.startSession(account, context)
    return account.passwordHash === null ? { ...result, response: { ...result.response, recovered: true } } : result
  }

  /** `chosen`: the password of this sign-up and the browser that chose it. */
  private async mailConfirmation(
    account: Account,
    chosen?: { passwordHash: string; browserHash: string | null },
  ): Promise<void> {
    const { db, now, mails } = this.deps
    const token = randomToken()
    const isUnproved = await insertMailToken(db, {
      tokenHash: hashToken(token),
      userId: account.id,
      purpose: 'confirm-email',
      expiresAt: new Date(now() + serverLimits.auth.confirmHours * hourMs),
      ...chosen,
    })
    if (isUnproved) mails.confirmEmail(account, token)
  }
}
