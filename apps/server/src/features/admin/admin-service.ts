import { randomUUID } from 'node:crypto'
import { normalizeEmail } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { floorDollars, formatDollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus/bus'
import {
  type AdminAccount,
  accountByEmail,
  accountPage,
  grantSubscription,
  setBlocked,
} from '../auth/public/account-admin'
import type { Sessions } from '../auth/public/sessions'
import { setChannelLock } from '../channels/public/channel-lock'
import { publishBroadcast } from '../chat/public/broadcast'
import type { CreditEvents } from '../credits/public/credit-events'
import type { LedgerService } from '../credits/public/ledger'
import type { ReconciliationService } from '../payments/public/reconciliation'
import { type AdminCommand, AdminUsageError, adminUsage, parseAdminCommand } from './admin-commands'

type Deps = {
  db: Db
  bus: Bus
  ledger: LedgerService
  creditEvents: CreditEvents
  reconciliation: ReconciliationService
  sessions: Pick<Sessions, 'endAll'>
  /** Whether the bus reaches connected clients; a separate process without Redis cannot reach them. */
  reachesClients: boolean
  now: () => number
}

/** The lines to print; `isOk` decides the exit code. */
export type AdminResult = { isOk: boolean; lines: string[] }

const done = (...lines: string[]): AdminResult => ({ isOk: true, lines })
const failed = (...lines: string[]): AdminResult => ({ isOk: false, lines })

/** The operator's commands. No route leads here: running them needs access to the server's folder or database. */
export class AdminService {
  constructor(private readonly deps: Deps) {}

  /** Errors that the operator can correct are part of the result. */
  async run(args: readonly string[]): Promise<AdminResult> {
    try {
      return await this.execute(parseAdminCommand(args, this.deps.now()))
    } catch (error) {
      if (error instanceof AdminUsageError) return failed(error.message, '', ...adminUsage)
      if (error instanceof AppError) return failed(error.message)
      throw error
    }
  }

  private async execute(command: AdminCommand): Promise<AdminResult> {
    switch (command.name) {
      case 'credits grant':
        return this.grantCredits(command)
      case 'subscription grant':
        return this.grantSubscription(command)
      case 'users list':
        return this.listUsers(command.page)
      case 'users block':
      case 'users unblock':
        return this.block(command.email, command.name === 'users block')
      case 'broadcast':
        return this.broadcast(command.text)
      case 'channel lock':
      case 'channel unlock':
        return this.lock(command.id, command.name === 'channel lock')
      case 'ledger check':
      case 'ledger reconcile':
        return this.checkLedger(command.name === 'ledger reconcile')
      case 'payments stray':
        return this.listStray()
    }
  }

  private async grantCredits({
    email,
    amount,
    key,
  }: Extract<AdminCommand, { name: 'credits grant' }>): Promise<AdminResult> {
    const { db, ledger, creditEvents } = this.deps
    const { id } = await this.account(email)
    const isNew = await ledger.grant(db, { userId: id, amount, key: key === undefined ? randomUUID() : `admin:${key}` })
    if (isNew) await creditEvents.publishChanged(id)
    const now = `They can spend $${formatDollars(await ledger.spendable(id))} now.`
    return done(
      isNew
        ? `Granted $${formatDollars(amount)} to ${email}. ${now}`
        : `This was granted before; nothing was given twice. ${now}`,
    )
  }

  private async grantSubscription({
    email,
    plan,
    until,
  }: Extract<AdminCommand, { name: 'subscription grant' }>): Promise<AdminResult> {
    const { id } = await this.account(email)
    await grantSubscription(this.deps.db, { userId: id, plan, until, now: new Date(this.deps.now()) })
    return done(`${email} has the subscription "${plan}" until ${until.toISOString()}.`)
  }

  private async listUsers(page: number): Promise<AdminResult> {
    const { db, ledger } = this.deps
    const size = serverLimits.admin.usersPage
    const { rows, total } = await accountPage(db, { page, size })
    const lines: string[] = []
    for (const row of rows) {
      const credits = `$${floorDollars(await ledger.spendable(row.id), 2)}`
      const notes = [
        row.blockedAt === null ? [] : ['blocked'],
        row.emailConfirmedAt === null ? ['unconfirmed'] : [],
      ].flat()
      lines.push([row.email, row.kind, row.createdAt.toISOString().slice(0, 10), credits, ...notes].join('\t'))
    }
    return done(...lines, `${total} accounts, page ${page} of ${Math.max(1, Math.ceil(total / size))} (from 0)`)
  }

  private async block(email: string, isBlocked: boolean): Promise<AdminResult> {
    const { db, sessions, now } = this.deps
    const { id } = await this.account(email)
    await setBlocked(db, { userId: id, at: isBlocked ? new Date(now()) : null })
    if (isBlocked) await sessions.endAll(id)
    return done(isBlocked ? `${email} is blocked; every session has ended.` : `${email} may sign in again.`)
  }

  private async broadcast(text: string): Promise<AdminResult> {
    const { bus, reachesClients } = this.deps
    if (!reachesClients)
      return failed(
        'Nobody would hear this: no server of this DATA_DIR runs here, and without REDIS_URL no other one can be reached.',
      )
    await publishBroadcast(bus, { id: uuidv7(), content: text })
    return done('Sent to everybody who is connected.')
  }

  private async lock(channelId: string, isLocked: boolean): Promise<AdminResult> {
    const isFound = await setChannelLock(this.deps.db, { channelId, isLocked })
    if (!isFound)
      return failed('There is no such channel in the cloud. Channels on a device are unknown to the server.')
    return done(isLocked ? 'The channel is locked: it cannot be deleted or cleared.' : 'The channel is unlocked.')
  }

  private async checkLedger(asksProviders: boolean): Promise<AdminResult> {
    const { ledger, reconciliation } = this.deps
    const { rules, findings, transactions, openHolds, sums } = await ledger.check()
    const open = await (asksProviders ? reconciliation.run() : reconciliation.openFindings())
    // Leaves out the ledger's own rules, which the check above has just reported.
    const stored = open.filter(({ rule }) => !rules.includes(rule))
    const counted = `${transactions} transactions, ${openHolds} open holds`
    const totals = sums.map(({ kind, amount }) => `  ${kind}\t${formatDollars(amount)}`)
    if (findings.length + stored.length === 0) return done(`The ledger is in order: ${counted}.`, ...totals)
    const broken = findings.map(({ rule, id }) => `  broken: ${rule}\t${id}`)
    const differing = stored.map(
      ({ rule, subject, foundAt }) => `  not so: ${rule}\t${subject}\tsince ${foundAt.toISOString()}`,
    )
    return failed(`The ledger is NOT in order (${counted}):`, ...broken, ...differing, ...totals)
  }

  private async listStray(): Promise<AdminResult> {
    const { ofDeletedAccounts, unattended } = await this.deps.reconciliation.strayPayments()
    const lineOf = (note: string) => (row: (typeof unattended)[number]) =>
      [
        `  ${note}`,
        row.id,
        row.method,
        `$${formatDollars(row.amount)}`,
        row.createdAt.toISOString(),
        row.providerId ?? row.transactionId ?? '-',
      ].join('\t')
    const lines = [
      ...ofDeletedAccounts.map(lineOf('paid, of a deleted account: give it back at the provider')),
      ...unattended.map(lineOf('open, of a method that no server has: configure it, or look at the provider')),
    ]
    return lines.length === 0 ? done('Every payment has somebody.') : failed('These payments need you:', ...lines)
  }

  private async account(email: string): Promise<AdminAccount> {
    const account = await accountByEmail(this.deps.db, normalizeEmail(email))
    if (!account) throw new AppError('not-found', { message: 'There is no account with this e-mail.' })
    return account
  }
}
