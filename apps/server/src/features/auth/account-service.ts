import { AppError } from '@parley/contract/errors'
import type { FullLanguage } from '@parley/contract/languages'
import { serverLimits } from '@parley/contract/limits/server'
import type { User } from '@parley/contract/users'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { type Person, subjectOf } from '../../plugins/people'
import { hasMailbox, requireAccount } from './account-rules'
import { requestDeletion } from './account-secrets-store'
import {
  type Account,
  deleteAccount,
  deleteExpiredMailTokens,
  deleteOldBrowsers,
  deleteUnconfirmedAccounts,
  findAccount,
  findDeletionsRequested,
  updateAccount,
} from './account-store'
import type { AuthMails } from './auth-mails'
import type { Sessions } from './public/sessions'
import { loadUser } from './user-json'

type Deps = {
  db: Db
  sessions: Pick<Sessions, 'announceEnd'>
  mails: AuthMails
  isConfirmationRequired: boolean
  onAccountRemoved: (subject: string, options: { keepsAgents: boolean }) => Promise<void>
  log: FastifyBaseLogger
  now: () => number
}

const dayMs = 86_400_000

/** A person's own account, and its deletion. */
export class AccountService {
  constructor(private readonly deps: Deps) {}

  async user({ userId }: Person): Promise<User> {
    const { db, now } = this.deps
    return loadUser(db, requireAccount(await findAccount(db, userId)), new Date(now()))
  }

  async update({ userId }: Person, change: { name?: string; language?: FullLanguage }): Promise<User> {
    const { db, now } = this.deps
    return loadUser(db, requireAccount(await updateAccount(db, userId, change)), new Date(now()))
  }

  /** Throws not-found for another person's id. */
  async remove({ userId }: Person, request: { userId: string; keepsAgents?: boolean | undefined }): Promise<void> {
    if (request.userId !== userId) throw new AppError('not-found')
    const { db, sessions, log, now } = this.deps
    const account = requireAccount(
      await requestDeletion(db, userId, { keepsAgents: request.keepsAgents ?? false, now: new Date(now()) }),
    )
    await sessions.announceEnd(userId)
    // The deletion is committed as requested: a later sweep finishes it where this attempt fails.
    await this.finishRemoval(account).catch((error: unknown) =>
      log.error({ err: error }, 'an account is not wholly deleted yet: a sweep goes on'),
    )
  }

  private async finishRemoval(account: Account): Promise<void> {
    const { db, mails, onAccountRemoved } = this.deps
    await onAccountRemoved(subjectOf({ userId: account.id }), { keepsAgents: account.deletionKeepsAgents })
    if ((await deleteAccount(db, account.id)) && hasMailbox(account)) mails.accountDeleted(account)
  }

  /** Deletes expired links, finishes requested deletions, deletes old browsers and unconfirmed accounts. */
  async sweep(): Promise<void> {
    const { db, now, isConfirmationRequired } = this.deps
    await deleteExpiredMailTokens(db, new Date(now()))
    for (const account of await findDeletionsRequested(db)) await this.finishRemoval(account)
    await deleteOldBrowsers(db, new Date(now() - serverLimits.auth.knownBrowserDays * dayMs))
    if (isConfirmationRequired)
      await deleteUnconfirmedAccounts(db, new Date(now() - serverLimits.auth.unconfirmedDays * dayMs))
  }
}
