import fc from 'fast-check'
import { ofCents } from './ledger-people'

const message = fc.nat(5)
const cents = fc.integer({ min: 0, max: 150 })

/**
 * What can happen to a person's credits, in cents. Messages, payments and grants are few and have numbers, so that
 * steps repeat them.
 */
export const LedgerSteps = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      message,
      cents: fc.integer({ min: 1, max: 150 }),
      isAborted: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), message, cents, isAborted: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('extend' as const), message, cents }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('abandon' as const), message }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('purchase' as const), payment: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), payment: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('grant' as const), grant: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), isLater: fc.boolean() }) },
)
export type LedgerStep = typeof LedgerSteps extends fc.Arbitrary<infer S> ? S : never

/** The rules of the ledger with plain numbers, in cents: what each step of one person returns, and what they have. */
export class LedgerModel {
  posted: number
  held = 0
  private owed = 0
  private readonly holds = new Map<number, { amount: number; accrued: number; charged: number | undefined }>()
  private readonly payments = new Map<number, 'bought' | 'refunded'>()
  private readonly grants = new Set<number>()

  constructor(private readonly start: number) {
    this.posted = start
  }

  take(step: Exclude<LedgerStep, { kind: 'sweep' }>): string {
    switch (step.kind) {
      case 'reserve':
        return this.reserve(step)
      case 'settle':
        return step.isAborted ? 'none' : this.end(step.message, step.cents)
      case 'abandon':
        return this.end(step.message, this.holds.get(step.message)?.accrued ?? 0)
      case 'extend': {
        const hold = this.holds.get(step.message)
        if (!hold || hold.charged !== undefined) return 'false'
        hold.accrued = Math.max(hold.accrued, step.cents)
        return 'true'
      }
      case 'purchase':
        if (this.payments.has(step.payment)) return 'false'
        this.payments.set(step.payment, 'bought')
        return this.credit(100 * (step.payment + 1))
      case 'grant':
        if (this.grants.has(step.grant)) return 'false'
        this.grants.add(step.grant)
        return this.credit(40)
      case 'refund': {
        if (this.payments.get(step.payment) !== 'bought') return 'false'
        this.payments.set(step.payment, 'refunded')
        const taken = Math.min(100 * (step.payment + 1), this.posted - this.held)
        this.posted -= taken
        this.owed += 100 * (step.payment + 1) - taken
        return 'true'
      }
    }
  }

  sweep(): void {
    for (const [message, { accrued }] of this.holds) this.end(message, accrued)
  }

  private reserve({
    message,
    cents: amount,
    isAborted,
  }: {
    message: number
    cents: number
    isAborted: boolean
  }): string {
    const hasAccount = this.start > 0 || this.grants.size > 0 || this.payments.size > 0
    if (!hasAccount) return 'credits.minimum'
    if (this.holds.has(message)) return isAborted ? 'undefined' : 'false'
    if (this.owed > 0) return 'credits.owed'
    if (this.posted < 100) return 'credits.minimum'
    if (this.posted - this.held < amount) return 'credits.not-enough'
    if (isAborted) return 'undefined'
    this.holds.set(message, { amount, accrued: 0, charged: undefined })
    this.held += amount
    return 'true'
  }

  private end(message: number, cost: number): string {
    const hold = this.holds.get(message)
    if (!hold) return 'none'
    const inNano = (amount: number): string => String(ofCents(amount))
    if (hold.charged !== undefined) return `false ${inNano(hold.charged)}`
    hold.charged = Math.min(cost, hold.amount)
    this.held -= hold.amount
    this.posted -= hold.charged
    this.payDebt()
    return `true ${inNano(hold.charged)}`
  }

  private credit(amount: number): string {
    this.posted += amount
    this.payDebt()
    return 'true'
  }

  private payDebt(): void {
    const paid = Math.min(this.owed, this.posted - this.held)
    this.owed -= paid
    this.posted -= paid
  }
}
