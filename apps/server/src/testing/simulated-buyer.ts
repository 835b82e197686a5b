import { AppError } from '@parley/contract/errors'
import type { Payment } from '@parley/contract/payments'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { payments } from '../db/schema/payments'
import { ofCents } from './ledger-people'
import { aPerson, aWalletPerson, type Client } from './person'
import { payOrder, webhookAbout } from './provider-actions'
import { canRefund, expireOrder, isOpen, type Order, refundOrder } from './simulated-order'
import { count, type SimulatedShop } from './simulated-shop'
import { openAccount, SimulatedTokenBuyer } from './simulated-token-buyer'
import type { ProviderFault, SimulationMoment, SimulationStep, StepOf } from './simulation-steps'
import { chainTime } from './token-sale'

/** A step that changes an order at its provider. */
type Change = StepOf<'pay' | 'refund' | 'expire'>
type Method = Order['method']

const path = '/api/billing/payment'
const rate = 5.231
export const startCents = 250

/**
 * A person who buys and spends credits, what their providers do with the orders, and a stranger who tries to read them.
 * Throws if a call is answered with a status that the step does not allow.
 */
export class SimulatedBuyer {
  readonly orders: Order[] = []
  readonly messages = Array.from({ length: 10 }, () => uuidv7())
  /** The ids of the orders that the person can pay: they were shown a page or a code. */
  readonly payable = new Set<string>()
  private readonly knownOrders: Record<Method, number>
  /** Calls may fail in this moment. */
  private isFaulty = false
  /** Changes that happen at the provider after so many more of its answers. */
  private changes: { method: Method | undefined; step: Change; answersLeft: number }[] = []

  private constructor(
    private readonly shop: SimulatedShop,
    readonly client: Client & { answer: { user: { id: string } } },
    private readonly stranger: Client,
    readonly tokens: SimulatedTokenBuyer | undefined,
  ) {
    const { stripe, mercadoPago } = shop.providers
    this.knownOrders = { card: stripe.sessions.length, pix: mercadoPago.payments.length }
  }

  static async create(
    shop: SimulatedShop,
    stranger: Client,
    { isWallet = false }: { isWallet?: boolean } = {},
  ): Promise<SimulatedBuyer> {
    const { sale, anyNode } = shop
    const account = sale && (await openAccount(sale))
    const client =
      account && isWallet
        ? await aWalletPerson(anyNode, account.account, null)
        : await aPerson(anyNode, `${uuidv7()}@example.org`, null)
    await shop.ledger.grant(shop.app.db, { userId: client.answer.user.id, amount: ofCents(startCents), key: uuidv7() })
    const tokens =
      account &&
      new SimulatedTokenBuyer({ sale, account, isWallet, client, stranger, count: (what) => count(shop.tally, what) })
    return new SimulatedBuyer(shop, client, stranger, tokens)
  }

  get userId(): string {
    return this.client.answer.user.id
  }

  /** Runs the steps of a moment concurrently, under its faults. */
  async runMoment({ steps, card, pix, token, minutes }: SimulationMoment): Promise<void> {
    const { providers, sale, clock } = this.shop
    const { proxies } = providers
    const isReorganised = steps.some(({ kind }) => kind === 'reorganise')
    await this.tokens?.begin(clock.now, token !== null || isReorganised)
    const faults = [
      { proxy: proxies.card, method: 'card', fault: card },
      { proxy: proxies.pix, method: 'pix', fault: pix },
      { proxy: sale?.proxy, method: undefined, fault: token },
    ] as const
    for (const { proxy, method, fault } of faults) {
      if (!proxy) continue
      if (fault && !fault.isDone) proxy.before = this.failing(fault)
      proxy.after = this.answering(method, fault)
    }
    // The server gives up after five answers that are outdated by refunds.
    const refundsMeanwhile = steps.filter((step) => step.kind === 'refund' && step.after > 0).length
    this.isFaulty = card !== null || pix !== null || refundsMeanwhile >= 5
    await Promise.all(steps.map((step) => this.run(step)))
    this.isFaulty = false
    for (const { proxy } of faults) proxy?.mend()
    for (const { step } of this.changes.splice(0)) this.change(step)
    await this.collectOrders()
    if (sale) clock.now = Math.max(clock.now, (await chainTime(sale.chain)) * 1_000)
    if (minutes > 0) await this.advance(minutes * 60_000)
  }

  /** Runs one step, without faults. */
  async runStep(step: SimulationStep): Promise<void> {
    await this.run(step)
    await this.collectOrders()
  }

  /** Advances the clock, and renews the sessions, which would expire. */
  async advance(ms: number): Promise<void> {
    this.shop.clock.now += ms
    for (const client of [this.client, this.stranger]) await client.renew()
  }

  /** Sends a provider's webhook about an order. Returns the status of the answer. */
  async sendWebhook(
    order: Order,
    how: StepOf<'webhook'>['how'] = 'new',
    type = 'checkout.session.completed',
  ): Promise<number> {
    const { anyNode, clock, tally, providers } = this.shop
    const isRepeated = how === 'again' && order.events.length > 0
    const id = (isRepeated ? order.events.at(-1) : undefined) ?? uuidv7()
    if (how === 'new' || how === 'again') order.events.push(id)
    const { path: url, body, headers } = webhookAbout(order, { id, how, type, at: clock.now }, providers)
    const { status } = await anyNode.call(url, { method: 'POST', body, headers })
    count(tally, isRepeated ? 'a repeated webhook' : `a webhook: ${how}`)
    return status
  }

  /** The person's payments, as the server lists them. */
  async payments(): Promise<Payment[]> {
    return ((await this.client.send('GET', `${path}/user`)).body as { data: Payment[] }).data
  }

  /** The statuses of the person's payments by id. */
  async statuses(): Promise<Map<string, Payment['status']>> {
    return new Map((await this.payments()).map(({ id, status }) => [id, status]))
  }

  private async run(step: SimulationStep): Promise<void> {
    switch (step.kind) {
      case 'start':
        return this.start(step)
      case 'invalid':
        return this.startInvalid(step)
      case 'pay':
      case 'refund':
      case 'expire':
        return this.scheduleChange(step)
      case 'webhook':
      case 'check': {
        const order = this.orders[step.which % this.orders.length]
        if (!order) return
        return step.kind === 'webhook' ? this.receiveWebhook(order, step) : this.check(order, step.isStranger)
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

  private scheduleChange(step: Change): void {
    const method = this.orderOf(step)?.method
    if (step.after > 0) this.changes.push({ method, step, answersLeft: step.after })
    else this.change(step)
  }

  private change(step: Change): void {
    const order = this.orderOf(step)
    if (!order) return
    if (step.kind === 'pay') payOrder(order, step.how, this.shop.clock.now)
    else if (step.kind === 'expire') expireOrder(order)
    else if (refundOrder(order, step)) count(this.shop.tally, `a refund: ${step.how} at ${order.method}`)
  }

  /** The order that a change is about, among those that it is possible for. */
  private orderOf(step: Change): Order | undefined {
    const isPossible = (order: Order): boolean =>
      step.kind === 'refund' ? canRefund(order, step.how) : step.kind === 'expire' || isOpen(order)
    const orders = this.orders.filter(isPossible)
    return orders[step.which % orders.length]
  }

  private async start({ method, dollars: amount, key }: StepOf<'start'>): Promise<void> {
    const headers = key === null ? {} : { 'idempotency-key': `key-${key}` }
    const answer = await this.client.post(path, { amount, method }, headers)
    const { id, payment_url: url, pix } = answer.body as { id?: string; payment_url?: string; pix?: unknown }
    expectOneOf('start', answer.status, [201, 422, 429, 502])
    count(this.shop.tally, `a start answered ${answer.status}`)
    if (id !== undefined && (url !== undefined || pix !== undefined)) this.payable.add(id)
  }

  private async startInvalid({ method, amount }: StepOf<'invalid'>): Promise<void> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.client.tokens?.access_token}` }
    const body = `{"amount":${amount},"method":"${method}"}`
    const { status } = await this.shop.anyNode.call(path, { method: 'POST', headers, body })
    expectOneOf(`start ${amount}`, status, [400])
    count(this.shop.tally, 'a refused amount')
  }

  private async receiveWebhook(order: Order, { how, type }: StepOf<'webhook'>): Promise<void> {
    const status = await this.sendWebhook(order, how, type)
    // A signature of Mercado Pago is valid for days.
    const isRefused = how === 'forged' || how === 'altered' || (how === 'old' && order.method === 'card')
    const accepted = this.isFaulty ? [200, 503] : [200]
    expectOneOf(`a webhook: ${how}`, status, isRefused ? [400] : accepted)
    if (isRefused) count(this.shop.tally, 'a refused webhook')
    if (status === 503) count(this.shop.tally, 'a webhook to be repeated')
  }

  private async check({ id, method }: Order, isStranger: boolean): Promise<void> {
    const url = method === 'pix' ? `${path}/pix/check-status/${id}` : `${path}/${id}`
    const { status } = await (isStranger ? this.stranger : this.client).send('GET', url)
    expectOneOf('a check', status, isStranger ? [404] : this.isFaulty && method === 'pix' ? [200, 502] : [200])
    if (isStranger) count(this.shop.tally, 'a stranger’s check')
  }

  private async spend({ kind, message, cents }: StepOf<'hold' | 'settle'>): Promise<void> {
    const { app, holds, tally } = this.shop
    const key = { userId: this.userId, messageId: this.messages[message] ?? '' }
    const isNew =
      kind === 'hold'
        ? holds.reserve(app.db, { ...key, amount: ofCents(cents), model: 'stand-in/large' })
        : holds.settle(app.db, { ...key, cost: ofCents(cents) }).then((result) => result?.isNew === true)
    const refused = (error: unknown): false => {
      if (!(error instanceof AppError) || !error.code.startsWith('credits.')) throw error
      count(tally, error.code)
      return false
    }
    if (await isNew.catch(refused)) count(tally, `a ${kind}`)
  }

  /**
   * Runs between a provider's answer and its arrival: applies the changes that are due then, and may fail the answer.
   */
  private answering(method: Method | undefined, fault: ProviderFault | null) {
    const fail = fault?.isDone ? this.failing(fault) : () => undefined
    return (): number | undefined => {
      for (const change of this.changes) if (change.method === method) change.answersLeft -= 1
      for (const { step } of this.changes.filter(({ answersLeft }) => answersLeft <= 0)) this.change(step)
      this.changes = this.changes.filter(({ answersLeft }) => answersLeft > 0)
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

  /**
   * Adds the orders that have reached the providers since the last call. An order expires as the server has stored it.
   */
  private async collectOrders(): Promise<void> {
    const { app, providers } = this.shop
    const cards = providers.stripe.sessions.slice(this.knownOrders.card)
    const pix = providers.mercadoPago.payments.slice(this.knownOrders.pix)
    if (cards.length + pix.length === 0) return
    this.knownOrders.card += cards.length
    this.knownOrders.pix += pix.length
    const rows = await app.db
      .select({ id: payments.id, expiresAt: payments.expiresAt })
      .from(payments)
      .where(eq(payments.userId, this.userId))
    const newOrder = ({ reference }: { reference: string }) => {
      const expiresAt = rows.find(({ id }) => id === reference)?.expiresAt.getTime()
      if (expiresAt === undefined) throw new Error('a provider has an order that is no payment of the person')
      return { id: reference, expiresAt, isInTime: false, isMismatch: false, events: [] }
    }
    for (const at of cards) this.orders.push({ ...newOrder(at), dollars: at.cents / 100, method: 'card', at })
    for (const at of pix)
      this.orders.push({ ...newOrder(at), dollars: Math.round(at.amount / rate), method: 'pix', at })
  }
}

function expectOneOf(what: string, status: number, allowed: readonly number[]): void {
  if (!allowed.includes(status))
    throw new Error(`${what} was answered with ${status} instead of ${allowed.join(' or ')}`)
}
