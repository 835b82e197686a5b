import { serverLimits } from '@parley/contract/limits/server'
import { share } from '@parley/contract/money'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../../db/client'
import type { ListedPayment, PaymentProvider } from '../../../providers/payments/payment-provider'
import type { TokenChain } from '../../../providers/payments/token'
import { checkLedgerChanges } from '../../credits/public/ledger-check'
import type { PaymentMethods } from '../payment-methods'
import type { PaymentService } from '../payment-service'
import { findPaymentOfMethod, isPaymentId, type PaymentRow } from '../payment-store'
import {
  claimJob,
  type Finding,
  lastSuccess,
  listCreditedPayments,
  listOpenFindings,
  type OpenFinding,
  storeFindings,
  storeSuccess,
} from '../reconciliation-store'
import { listStrayPayments, type StrayPayments } from '../stray-payment-store'
import { isStillPaid } from '../token-transfer-check'

type Deps = { db: Db; payments: PaymentService; methods: PaymentMethods; log: FastifyBaseLogger; now: () => number }
type Method = 'card' | 'pix'
type Period = { since: Date; until: Date }

const dayMs = 86_400_000
// The names of jobs and rules are stored in the database.
const jobs = { ledger: 'ledger check', fullLedger: 'ledger check in full', reconciliation: 'reconciliation' }
const rules = {
  card: { credited: 'what Stripe received is credited', received: 'what is credited Stripe received' },
  pix: { credited: 'what Mercado Pago received is credited', received: 'what is credited Mercado Pago received' },
  token: 'a transfer that was credited is on the chain',
} as const

/**
 * Checks the ledger, and compares its payments with the providers' and the chain's of the last days, in both
 * directions. A payment that only the provider knows is synced as after a webhook. A difference that remains is stored
 * and logged for the operator, and never corrected automatically.
 */
export class ReconciliationService {
  constructor(private readonly deps: Deps) {}

  /**
   * Runs the jobs that are due: each once an hour, on one of all nodes. Neither depends on the success of the other.
   */
  async runDue(): Promise<void> {
    const { db, now } = this.deps
    const hourly = { now: new Date(now()), everyMs: serverLimits.payments.reconcileEveryMs }
    if (await claimJob(db, jobs.ledger, hourly)) await this.checkLedger({ isFull: false })
    if (await claimJob(db, jobs.reconciliation, hourly)) await this.compareAll()
  }

  /** Runs both at once, with a check of the whole ledger. Returns the open findings. */
  async run(): Promise<OpenFinding[]> {
    await this.checkLedger({ isFull: true })
    return this.compareAll()
  }

  /** When each job was last successful on any node. */
  async lastSuccesses(): Promise<{ ledgerCheck: Date | undefined; reconciliation: Date | undefined }> {
    const [ledger, reconciliation] = await Promise.all([
      lastSuccess(this.deps.db, jobs.ledger),
      lastSuccess(this.deps.db, jobs.reconciliation),
    ])
    return { ledgerCheck: ledger.at, reconciliation: reconciliation.at }
  }

  /** The differences that were found and still exist. */
  openFindings(): Promise<OpenFinding[]> {
    return listOpenFindings(this.deps.db)
  }

  /** Payments that need the operator: of deleted accounts, or of a method that no server has. Oldest first. */
  strayPayments(): Promise<StrayPayments> {
    return listStrayPayments(this.deps.db, new Date(this.deps.now()))
  }

  /**
   * Checks what changed since the last check without findings; once a day, and if `isFull`, everything. Findings are
   * checked again until they are gone.
   */
  private async checkLedger({ isFull }: { isFull: boolean }): Promise<void> {
    const { db, log, now } = this.deps
    const at = new Date(now())
    try {
      const { mark } = await lastSuccess(db, jobs.ledger)
      const isFullDue = await claimJob(db, jobs.fullLedger, { now: at, everyMs: dayMs })
      const since = isFull || isFullDue ? undefined : mark
      const report = await checkLedgerChanges(db, { since, at })
      const findings = report.findings.map(({ rule, id }) => ({ rule, subject: id }))
      await this.store(report.rules, findings, at)
      await storeSuccess(db, jobs.ledger, { at, mark: findings.length === 0 ? report.next : since })
    } catch (error) {
      log.warn({ err: error }, 'the ledger could not be checked')
    }
  }

  /** Compares all methods. Findings of a method that could not be compared stay as they are. */
  private async compareAll(): Promise<OpenFinding[]> {
    const { db, methods, log, now } = this.deps
    const at = new Date(now())
    const period = {
      since: new Date(at.getTime() - serverLimits.payments.reconcileDays * dayMs),
      until: new Date(at.getTime() - serverLimits.payments.reconcileAfterMs),
    }
    const { card, pix, token } = methods
    const compared = [
      card
        ? await this.compare('card', Object.values(rules.card), () => this.ofProvider('card', card.provider, period))
        : true,
      pix
        ? await this.compare('pix', Object.values(rules.pix), () => this.ofProvider('pix', pix.provider, period))
        : true,
      token ? await this.compare('token', [rules.token], () => this.ofChain(token.chain, period)) : true,
    ]
    if (compared.every(Boolean)) await storeSuccess(db, jobs.reconciliation, { at })
    const open = await this.openFindings()
    if (open.length > 0)
      log.error(
        { count: open.length },
        'reconciliation: what was paid and what was credited differ; see npm run admin -- ledger check',
      )
    return open
  }

  private async compare(method: string, checked: readonly string[], find: () => Promise<Finding[]>): Promise<boolean> {
    try {
      await this.store(checked, await find(), new Date(this.deps.now()))
      return true
    } catch (error) {
      this.deps.log.warn({ err: error, method }, 'reconciliation: what was paid could not be asked for')
      return false
    }
  }

  private async store(checked: readonly string[], findings: readonly Finding[], at: Date): Promise<void> {
    for (const finding of await storeFindings(this.deps.db, { rules: checked, findings, at }))
      this.deps.log.error(finding, 'reconciliation: a difference')
  }

  private async ofProvider(method: Method, provider: PaymentProvider, { since, until }: Period): Promise<Finding[]> {
    const { db } = this.deps
    const findings: Finding[] = []
    const completed = new Set<string>()
    for await (const listed of provider.list(since)) {
      if (listed.status !== 'completed') continue
      completed.add(listed.providerId)
      if (!(await this.isCredited(method, listed, provider)))
        findings.push({ rule: rules[method].credited, subject: listed.providerId })
    }
    for (const row of await listCreditedPayments(db, method, { since, until }))
      if (row.providerId === null || !(completed.has(row.providerId) || (await isCompleted(provider, row.providerId))))
        findings.push({ rule: rules[method].received, subject: row.id })
    return findings
  }

  private async isCredited(method: Method, listed: ListedPayment, provider: PaymentProvider): Promise<boolean> {
    const { db, payments } = this.deps
    // The provider's account may have payments that are not ours.
    if (listed.paymentId === undefined || !isPaymentId(listed.paymentId)) return true
    const before = await findPaymentOfMethod(db, method, listed.paymentId)
    if (before && matches(before, listed)) return true
    await payments.sync(method, listed.providerId)
    const after = await findPaymentOfMethod(db, method, listed.paymentId)
    const current = await provider.find(listed.providerId)
    return after !== undefined && current !== undefined && matches(after, { ...current, providerId: listed.providerId })
  }

  private async ofChain(chain: TokenChain, period: Period): Promise<Finding[]> {
    const findings: Finding[] = []
    for (const row of await listCreditedPayments(this.deps.db, 'token', period)) {
      const transaction =
        row.terms && row.transactionId !== null
          ? await chain.read(`0x${row.transactionId.slice(2)}`, row.terms.token)
          : undefined
      if (!transaction || !isStillPaid(row, transaction)) findings.push({ rule: rules.token, subject: row.id })
    }
    return findings
  }
}

/** Payments that were refunded in full before they completed here, or of deleted accounts, are rightly not credited. */
function matches(row: PaymentRow, { providerId, received, refunded, currency }: ListedPayment): boolean {
  if (row.creditedAt === null && refunded >= received) return true
  if (row.providerId !== null && row.providerId !== providerId) return false
  if (received !== row.amountDue || currency !== row.currency) return false
  const refundedAmount = share(row.amount, refunded, received)
  return row.creditedAt === null ? row.userId === null : row.refundedAmount === refundedAmount
}

async function isCompleted(provider: PaymentProvider, providerId: string): Promise<boolean> {
  return (await provider.find(providerId))?.status === 'completed'
}
