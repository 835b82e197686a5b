import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { AccountService } from './account-service'
import type { Account } from './account-store'
import type { AttemptLimits } from './attempt-limits'
import type { AuthMails } from './auth-mails'
import { PasswordService } from './password-service'
import type { Passwords } from './passwords'
import type { SessionService } from './session-service'
import { SignInService } from './sign-in-service'
import { SignUpService } from './sign-up-service'

export type AccountDeps = {
  db: Db
  sessions: SessionService
  mails: AuthMails
  attempts: AttemptLimits
  passwords: Passwords
  isConfirmationRequired: boolean
  /** Sign-up and sign-in do not tell whether an account exists. */
  hasUniformErrors: boolean
  /** Aborts what runs for a deleted account and deletes what other features store of it; may be called repeatedly. */
  onAccountRemoved: (subject: string, options: { keepsAgents: boolean }) => Promise<void>
  /** Runs before each session of an account that is not blocked. */
  beforeSession: (account: Account) => Promise<void>
  log: FastifyBaseLogger
  now: () => number
}

export type AccountServices = ReturnType<typeof createAccountServices>

export function createAccountServices(deps: AccountDeps) {
  const signIns = new SignInService(deps)
  return {
    accounts: new AccountService(deps),
    signIns,
    signUps: new SignUpService({ ...deps, signIns }),
    passwordChanges: new PasswordService({ ...deps, signIns }),
  }
}
