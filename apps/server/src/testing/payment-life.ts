import { AppError } from '@parley/contract/errors'
import { dollars, type Nano } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { payments } from '../db/payments-schema'
import type { LedgerService } from '../features/billing/ledger-service'
import type { TestApp } from './build-test-app'
import { canReturn, end, giveBack, isOpen, type Order } from './payment-orders'
import type { PaymentProviders } from './payment-providers'
import type { PaymentMoment, PaymentStep, ProviderFault, StepOf } from './payment-steps'
import { aPerson, aWalletPerson, type Client } from './person'
import { openAccount, TokenLife } from './token-life'
import { chainTime, type TokenSale } from './token-sale'

export type Shop = {
  app: TestApp
  /** Any of its nodes. */
  place: Pick<TestApp, 'call' | 'url'>
  providers: PaymentProviders
  /** Undefined where nothing is sold for the token. */
  sale: TokenSale | undefined
  ledger: LedgerService
  clock: { now: number }
  sweep(): Promise<void>
  /** How often what has happened. */
  tally: Map<string, number>
}

type Change = StepOf<'pay' | 'return' | 'end'>

const payment = '/api/billing/payment'
const rate = 5.231
export const startCents = 250
export const ofCents = (amount: number): Nano => dollars((amount / 100).toFixed(2))

/** Somebody who buys and spends, what became of it at the providers, and whoever answers what they must not. */
export class PaymentLife {
  readonly orders: Order[] = []
  readonly messages = Array.from({ length: 10 }, () => uuidv7())
  /** What the person can pay, for they were told where. */
  readonly shown = new Set<string>()
  private readonly known: { card: number; pix: number }
  private isFaulty = false
  /** What happens at the providers in this moment and has not yet. */
  private coming: { way: 'card' | 'pix' | undefined; step: Change; left: number }[] = []

  private constructor(
    private readonly shop: Shop,
    readonly buyer: Client & { answer: { user: { id: string } } },
    private readonly stranger: Client,
    readonly tokens: TokenLife | undefined,
  ) {
    const { stripe, mercadoPago } = shop.providers
    this.known = { card: stripe.sessions.length, pix: mercadoPago.payments.length }
  }

  static async begin(shop: Shop, stranger: Client, { isWallet = false }: { isWallet?: boolean } = {}): Promise<PaymentLife> {
    const { sale, place } = shop
    const account = sale && (await openAccount(sale))
    const buyer = account && isWallet ? await aWalletPerson(place, account.account, null) : await aPerson(place, `${uuidv7()}@example.org`, null)
    await shop.ledger.grant(shop.app.db, { userId: buyer.answer.user.id, amount: ofCents(startCents), key: uuidv7() })
    const tokens = account && new TokenLife({ sale, account, isWallet, buyer, stranger, count: (what) => count(shop.tally, what) })
    return new PaymentLife(shop, buyer, stranger, tokens)
  }

  get userId(): string {
    return this.buyer.answer.user.id
  }

  async live({ steps, card, pix, token, minutes }: PaymentMoment): Promise<void> {
    const { providers, sale, clock } = this.shop
    const { ways } = providers
    const isReorganised = steps.some(({ kind }) => kind === 'reorganise')
    await this.tokens?.begin(clock.now, token !== null || isReorganised)
    const faults = [
      [ways.card, card],
      [ways.pix, pix],
      [sale?.way, token],
    ] as const
    for (const [way, fault] of faults) if (way && fault && !fault.isDone) way.before = this.failing(fault)
    for (const [way, fault] of faults) if (way) way.after = this.passing(way === ways.card ? 'card' : way === ways.pix ? 'pix' : undefined, fault)
    // Who is asked while the money moves five times asks in vain.
    const moves = steps.filter((step) => step.kind === 'return' && step.after > 0).length
    this.isFaulty = card !== null || pix !== null || moves >= 5
    await Promise.all(steps.map((step) => this.take(step)))
    this.isFaulty = false
    for (const [way] of faults) way?.mend()
    for (const { step } of this.coming.splice(0)) this.change(step)
    await this.meetOrders()
    if (sale) clock.now = Math.max(clock.now, (await chainTime(sale.chain)) * 1_000)
    if (minutes > 0) await this.later(minutes * 60_000)
  }

  /** One step by itself, with nothing in its way. */
  async make(step: PaymentStep): Promise<void> {
    await this.take(step)
    await this.meetOrders()
  }

  async later(ms: number): Promise<void> {
    this.shop.clock.now += ms
    for (const client of [this.buyer, this.stranger]) await client.renew()
  }

  /** A provider's news of an order; answers the status that it got. */
  async tell(order: Order, how: StepOf<'notice'>['how'] = 'new', type = 'checkout.session.completed'): Promise<number> {
    const { place, clock, tally } = this.shop
    const isKnown = how === 'again' && order.events.length > 0
    const id = (isKnown ? order.events.at(-1) : undefined) ?? uuidv7()
    if (how === 'new' || how === 'again') order.events.push(id)
    const { path, body, headers } = this.notice(order, { id, how, type, at: clock.now })
    const { status } = await place.call(path, { method: 'POST', body, headers })
    count(tally, isKnown ? 'a repeated notice' : `a notice: ${how}`)
    return status
  }

  private notice(order: Order, { id, how, type, at }: { id: string; how: string; type: string; at: number }) {
    const { stripe, mercadoPago } = this.shop.providers
    const sentAt = how === 'old' ? at - 3_600_000 : at
    const forged = how === 'forged' ? { secret: 'of somebody else' } : {}
    if (order.method === 'card') {
      const session = how === 'stranger' ? { ...order.at, id: `cs_${id}` } : order.at
      const signed = stripe.event(type, session, { id, at: sentAt, ...forged })
      return { path: '/api/billing/webhooks/stripe', ...signed, ...(how === 'altered' ? { body: signed.body.replace('{', '{ ') } : {}) }
    }
    const about = how === 'stranger' ? 7 : order.at.id
    const { query, body, headers } = mercadoPago.notification(about, { requestId: id, at: sentAt, ...forged })
    const changed = how === 'altered' ? query.replace(String(about), String(about + 1)) : query
    return { path: `/api/billing/webhooks/mercadopago${changed}`, body, headers }
  }

  private async take(step: PaymentStep): Promise<void> {
    switch (step.kind) {
      case 'start':
        return this.start(step)
      case 'nonsense':
        return this.startNonsense(step)
      case 'pay':
      case 'return':
      case 'end':
        return this.happen(step)
      case 'notice':
      case 'look': {
        const order = this.orders[step.which % this.orders.length]
        if (!order) return
        return step.kind === 'notice' ? this.hear(order, step) : this.look(order, step.isStranger)
      }
      case 'sweep':
        return this.shop.sweep()
      case 'hold':
      case 'settle':
        return this.spend(step)
      case 'quote':
      case 'transfer':
      case 'report':
      case 'mine':
      case 'reorganise':
        return this.tokens?.take(step)
    }
  }

  /** Now, or while answers of the provider are on their way. */
  private happen(step: Change): void {
    const way = this.orderOf(step)?.method
    if (step.after > 0) this.coming.push({ way, step, left: step.after })
    else this.change(step)
  }

  private change(step: Change): void {
    const order = this.orderOf(step)
    if (!order) return
    if (step.kind === 'pay') this.pay(order, step.how)
    else if (step.kind === 'end') end(order)
    else if (giveBack(order, step)) count(this.shop.tally, `a return: ${step.how} at ${order.method}`)
  }

  /** Of those with which it can happen. */
  private orderOf(step: Change): Order | undefined {
    const isFit = (order: Order): boolean => (step.kind === 'return' ? canReturn(order, step.how) : step.kind === 'end' || isOpen(order))
    const orders = this.orders.filter(isFit)
    return orders[step.which % orders.length]
  }

  private async start({ method, dollars: amount, key }: StepOf<'start'>): Promise<void> {
    const answer = await this.buyer.post(payment, { amount, method }, key === null ? {} : { 'idempotency-key': `key-${key}` })
    const { id, payment_url: url, pix } = answer.body as { id?: string; payment_url?: string; pix?: unknown }
    expectOneOf('start', answer.status, [201, 422, 429, 502])
    count(this.shop.tally, `a start answered ${answer.status}`)
    if (id !== undefined && (url !== undefined || pix !== undefined)) this.shown.add(id)
  }

  private async startNonsense({ method, amount }: StepOf<'nonsense'>): Promise<void> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.buyer.tokens?.access_token}` }
    const { status } = await this.shop.place.call(payment, { method: 'POST', headers, body: `{"amount":${amount},"method":"${method}"}` })
    expectOneOf(`start ${amount}`, status, [400])
    count(this.shop.tally, 'a refused amount')
  }

  private pay(order: Order, how: string): void {
    order.isInTime = this.shop.clock.now < order.endsAt
    order.isSpoilt = how !== 'right'
    const reference = how === 'moved' ? { reference: uuidv7() } : {}
    if (order.method === 'card') {
      const cents = how === 'less' ? order.at.cents - 1 : order.at.cents
      Object.assign(order.at, { status: 'complete', isPaid: true, cents, ...(how === 'foreign' ? { currency: 'eur' } : {}), ...reference })
    } else {
      const amount = how === 'less' ? Number((order.at.amount - 0.01).toFixed(2)) : order.at.amount
      Object.assign(order.at, { status: 'approved', amount, ...(how === 'foreign' ? { currency: 'USD' } : {}), ...reference })
    }
  }

  private async hear(order: Order, { how, type }: StepOf<'notice'>): Promise<void> {
    const status = await this.tell(order, how, type)
    // Mercado Pago's signatures have no end; what they are about is asked for in any case.
    const isRefused = how === 'forged' || how === 'altered' || (how === 'old' && order.method === 'card')
    const good = this.isFaulty ? [200, 503] : [200]
    expectOneOf(`a notice: ${how}`, status, isRefused ? [400] : good)
    if (isRefused) count(this.shop.tally, 'a refused notice')
    if (status === 503) count(this.shop.tally, 'a notice to be repeated')
  }

  private async look({ id, method }: Order, isStranger: boolean): Promise<void> {
    const path = method === 'pix' ? `${payment}/pix/check-status/${id}` : `${payment}/${id}`
    const { status } = await (isStranger ? this.stranger : this.buyer).send('GET', path)
    expectOneOf('a look', status, isStranger ? [404] : this.isFaulty && method === 'pix' ? [200, 502] : [200])
    if (isStranger) count(this.shop.tally, 'a stranger’s look')
  }

  private async spend({ kind, message, cents }: StepOf<'hold' | 'settle'>): Promise<void> {
    const { app, ledger, tally } = this.shop
    const one = { userId: this.userId, messageId: this.messages[message] ?? '' }
    const isTaken =
      kind === 'hold'
        ? ledger.reserve(app.db, { ...one, amount: ofCents(cents), model: 'stand-in/large' })
        : ledger.settle(app.db, { ...one, cost: ofCents(cents) }).then((settled) => settled?.isNew === true)
    const refused = (error: unknown): false => {
      if (!(error instanceof AppError) || !error.code.startsWith('credits.')) throw error
      count(tally, error.code)
      return false
    }
    if (await isTaken.catch(refused)) count(tally, `a ${kind}`)
  }

  /** What happens at a provider happens between its answer and the arrival of that. */
  private passing(passed: 'card' | 'pix' | undefined, fault: ProviderFault | null) {
    const fail = fault?.isDone ? this.failing(fault) : () => undefined
    return (): number | undefined => {
      for (const one of this.coming) one.left -= one.way === passed ? 1 : 0
      for (const { step } of this.coming.filter(({ left }) => left <= 0)) this.change(step)
      this.coming = this.coming.filter(({ left }) => left > 0)
      return fail()
    }
  }

  private failing({ status, every }: ProviderFault) {
    let calls = 0
    return (): number | undefined => {
      if (++calls % every !== 0) return undefined
      count(this.shop.tally, 'a call that failed')
      return status
    }
  }

  /** What has come to the providers since the last time. It ends as it was asked for, however late it came there. */
  private async meetOrders(): Promise<void> {
    const { app, providers } = this.shop
    const cards = providers.stripe.sessions.slice(this.known.card)
    const pix = providers.mercadoPago.payments.slice(this.known.pix)
    if (cards.length + pix.length === 0) return
    Object.assign(this.known, { card: providers.stripe.sessions.length, pix: providers.mercadoPago.payments.length })
    const rows = await app.db.select({ id: payments.id, expiresAt: payments.expiresAt }).from(payments).where(eq(payments.userId, this.userId))
    const fresh = ({ reference }: { reference: string }) => {
      const endsAt = rows.find(({ id }) => id === reference)?.expiresAt.getTime()
      if (endsAt === undefined) throw new Error('a provider has an order that nobody made')
      return { id: reference, endsAt, isInTime: false, isSpoilt: false, events: [] }
    }
    for (const at of cards) this.orders.push({ ...fresh(at), dollars: at.cents / 100, method: 'card', at })
    for (const at of pix) this.orders.push({ ...fresh(at), dollars: Math.round(at.amount / rate), method: 'pix', at })
  }
}

function count(tally: Map<string, number>, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

function expectOneOf(what: string, status: number, good: readonly number[]): void {
  if (!good.includes(status)) throw new Error(`${what} was answered with ${status} instead of ${good.join(' or ')}`)
}
