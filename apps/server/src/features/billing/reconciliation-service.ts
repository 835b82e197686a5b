import { limits } from '@parley/contract/limits'
import { share } from '@parley/contract/money'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { ListedPayment, PaymentProvider } from '../../providers/payments/payment-provider'
import type { TokenChain } from '../../providers/payments/token'
import { checkLedgerSince } from './ledger-check-store'
import type { PaymentService, PaymentWays } from './payment-service'
import { findPaymentOf, isPaymentId, type PaymentRow } from './payment-store'
import { claimJob, creditedPayments, type Finding, jobSucceeded, lastSuccess, noteFindings, type OpenFinding, openFindings } from './reconciliation-store'
import { type StrayPayments, strayPayments } from './stray-payment-store'
import { isStillPaid } from './token-check'

type Deps = { db: Db; payments: PaymentService; ways: PaymentWays; log: FastifyBaseLogger; now: () => number }
type Method = 'card' | 'pix'
type Window = { since: Date; until: Date }

const dayMs = 86_400_000
const jobs = { ledger: 'ledger check', ledgerInFull: 'ledger check in full', reconciliation: 'reconciliation' }
const rules = {
  card: { credited: 'what Stripe received is credited', received: 'what is credited Stripe received' },
  pix: { credited: 'what Mercado Pago received is credited', received: 'what is credited Mercado Pago received' },
  token: 'a transfer that was credited is on the chain',
} as const

/**
 * Compares the ledger with itself, with what the payment providers say of the last days, and with the chain, id by id in both directions. What a provider
 * knows and we do not is taken over as if it had called; what differs even then is noted and logged, and never put right by itself.
 */
export class ReconciliationService {
  constructor(private readonly deps: Deps) {}

  /** Once an hour for all nodes together. Neither of the two waits for the other, nor for its success. */
  async runDue(): Promise<void> {
    const { db, now } = this.deps
    const hourly = { now: new Date(now()), everyMs: limits.payments.reconcileEveryMs }
    if (await claimJob(db, jobs.ledger, hourly)) await this.checkLedger({ inFull: false })
    if (await claimJob(db, jobs.reconciliation, hourly)) await this.compare()
  }

  /** When each was done last, by whichever node. */
  async successes(): Promise<{ ledgerCheck: Date | undefined; reconciliation: Date | undefined }> {
    const [ledger, reconciliation] = await Promise.all([lastSuccess(this.deps.db, jobs.ledger), lastSuccess(this.deps.db, jobs.reconciliation)])
    return { ledgerCheck: ledger.at, reconciliation: reconciliation.at }
  }

  /** What was found and does not fit yet. */
  open(): Promise<OpenFinding[]> {
    return openFindings(this.deps.db)
  }

  /** Payments that need the operator: of people who are gone, or of a method that no server has. The oldest first. */
  stray(): Promise<StrayPayments> {
    return strayPayments(this.deps.db, new Date(this.deps.now()))
  }

  /** Answers what is open after it: what could not be looked at stays as it was. */
  async run(): Promise<OpenFinding[]> {
    await this.checkLedger({ inFull: true })
    return this.compare()
  }

  /** Of what changed since it was in order last; once a day, of everything. What was found is looked at again until it is in order. */
  private async checkLedger({ inFull }: { inFull: boolean }): Promise<void> {
    const { db, log, now } = this.deps
    const at = new Date(now())
    try {
      const { mark } = await lastSuccess(db, jobs.ledger)
      const isFullDue = await claimJob(db, jobs.ledgerInFull, { now: at, everyMs: dayMs })
      const since = inFull || isFullDue ? undefined : mark
      const openBefore = new Date(at.getTime() - limits.credits.oldestHoldMs)
      const settledBefore = new Date(at.getTime() - limits.credits.checkAgainMs)
      const report = await checkLedgerSince(db, { since, openBefore, settledBefore })
      await this.note(
        report.rules,
        report.findings.map(({ rule, id }) => ({ rule, subject: id })),
        at,
      )
      await jobSucceeded(db, jobs.ledger, { at, mark: report.findings.length === 0 ? report.next : since })
    } catch (error) {
      log.warn({ err: error }, 'the ledger could not be checked')
    }
  }

  private async compare(): Promise<OpenFinding[]> {
    const { db, ways, log, now } = this.deps
    const at = new Date(now())
    const window = { since: new Date(at.getTime() - limits.payments.reconcileDays * dayMs), until: new Date(at.getTime() - limits.payments.reconcileAfterMs) }
    const { card, pix, token } = ways
    const looked = [
      card ? await this.look('card', Object.values(rules.card), () => this.provider('card', card.provider, window)) : true,
      pix ? await this.look('pix', Object.values(rules.pix), () => this.provider('pix', pix.provider, window)) : true,
      token ? await this.look('token', [rules.token], () => this.transfers(token.chain, window)) : true,
    ]
    if (looked.every(Boolean)) await jobSucceeded(db, jobs.reconciliation, { at })
    const open = await this.open()
    if (open.length > 0) log.error({ count: open.length }, 'reconciliation: what was paid and what was credited differ; see npm run admin -- ledger check')
    return open
  }

  private async look(method: string, looked: readonly string[], find: () => Promise<Finding[]>): Promise<boolean> {
    try {
      await this.note(looked, await find(), new Date(this.deps.now()))
      return true
    } catch (error) {
      this.deps.log.warn({ err: error, method }, 'reconciliation: what was paid could not be asked for')
      return false
    }
  }

  private async note(looked: readonly string[], findings: readonly Finding[], at: Date): Promise<void> {
    for (const finding of await noteFindings(this.deps.db, { rules: looked, findings, at })) this.deps.log.error(finding, 'reconciliation: a difference')
  }

  private async provider(method: Method, provider: PaymentProvider, { since, until }: Window): Promise<Finding[]> {
    const { db } = this.deps
    const findings: Finding[] = []
    const paid = new Set<string>()
    for await (const listed of provider.list(since)) {
      if (listed.status !== 'completed') continue
      paid.add(listed.providerId)
      if (!(await this.isCredited(method, listed, provider))) findings.push({ rule: rules[method].credited, subject: listed.providerId })
    }
    for (const row of await creditedPayments(db, method, { since, until }))
      if (row.providerId === null || !(paid.has(row.providerId) || (await isPaid(provider, row.providerId))))
        findings.push({ rule: rules[method].received, subject: row.id })
    return findings
  }

  private async isCredited(method: Method, listed: ListedPayment, provider: PaymentProvider): Promise<boolean> {
    const { db, payments } = this.deps
    // The account at the provider may be used for other things than ours.
    if (listed.paymentId === undefined || !isPaymentId(listed.paymentId)) return true
    const before = await findPaymentOf(db, method, listed.paymentId)
    if (before && fits(before, listed)) return true
    await payments.takeOver(method, listed.providerId)
    const [after, now] = [await findPaymentOf(db, method, listed.paymentId), await provider.find(listed.providerId)]
    return after !== undefined && now !== undefined && fits(after, { ...now, providerId: listed.providerId })
  }

  private async transfers(chain: TokenChain, window: Window): Promise<Finding[]> {
    const findings: Finding[] = []
    for (const row of await creditedPayments(this.deps.db, 'token', window)) {
      const transaction = row.terms && row.transactionId !== null ? await chain.read(`0x${row.transactionId.slice(2)}`, row.terms.token) : undefined
      if (!transaction || !isStillPaid(row, transaction)) findings.push({ rule: rules.token, subject: row.id })
    }
    return findings
  }
}

/** Nobody is credited for what all went back before it was heard of, nor once their account is gone. */
function fits(row: PaymentRow, { providerId, received, returned, currency }: ListedPayment): boolean {
  if (row.creditedAt === null && returned >= received) return true
  if (row.providerId !== null && row.providerId !== providerId) return false
  if (received !== row.asked || currency !== row.currency) return false
  const back = share(row.amount, returned, received)
  return row.creditedAt === null ? row.userId === null : row.returned === back
}

async function isPaid(provider: PaymentProvider, providerId: string): Promise<boolean> {
  return (await provider.find(providerId))?.status === 'completed'
}
