import { dollars, minus, type Nano, plus } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseKind } from '../../db/client'
import { databases } from '../../testing/build-test-app'
import { redisUrl } from '../../testing/chat-setups'
import { brokenMoney } from '../../testing/ledger-proof'
import { ofCents, PaymentLife, type Shop, startCents } from '../../testing/payment-life'
import { canReturn, expectedStatus, giveBack, isOpen, isPaid, isReturned, keptOf } from '../../testing/payment-orders'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { Moments, type PaymentMoment, type PaymentStep, type ProviderFault, type StepOf } from '../../testing/payment-steps'
import { aPerson, type Client } from '../../testing/person'
import { aRandomShop, boughtBy, statusesOf, sweepAll } from '../../testing/random-shop'
import { runsOf, seeded } from '../../testing/seeded'
import { startTokenSale, type TokenSale } from '../../testing/token-sale'
import { findBalance } from './ledger-store'

const none = dollars(0)

let providers: PaymentProviders
let sale: TokenSale
beforeAll(async () => {
  providers = await startPaymentProviders()
  sale = await startTokenSale()
})
afterAll(() => Promise.all([providers.close(), sale.close()]))

const start = (method: 'card' | 'pix', amount: number, key: number | null = null): PaymentStep => ({ kind: 'start', method, dollars: amount, key })
const pay = (how: StepOf<'pay'>['how'] = 'right'): PaymentStep => ({ kind: 'pay', which: 0, how, after: 0 })
const back = (how: StepOf<'return'>['how'], tenths = 5): PaymentStep => ({ kind: 'return', which: 0, how, tenths, after: 0 })
const end: PaymentStep = { kind: 'end', which: 0, after: 0 }
const notice = (how: StepOf<'notice'>['how'] = 'new', type: StepOf<'notice'>['type'] = 'checkout.session.completed'): PaymentStep => ({
  ...{ kind: 'notice', which: 0, how, type },
})
const look = (isStranger: boolean): PaymentStep => ({ kind: 'look', which: 0, isStranger })
const spend = (kind: 'hold' | 'settle'): PaymentStep => ({ kind, message: 0, cents: 120 })
const quote = (amount: number): PaymentStep => ({ kind: 'quote', dollars: amount })
const transfer = (how: StepOf<'transfer'>['how'] = 'right', isReported = true): PaymentStep => ({ kind: 'transfer', which: 0, how, isReported })
const report = (of: StepOf<'report'>['of'] = 'it'): PaymentStep => ({ kind: 'report', which: 0, transfer: 0, of })
const deep: PaymentStep = { kind: 'mine', blocks: 12 }

/** Steps at the same time, with nothing in their way unless `more` says so. */
const moment = (steps: PaymentStep[], more: Partial<PaymentMoment> = {}): PaymentMoment => ({ steps, card: null, pix: null, token: null, minutes: 0, ...more })
/** Steps one after the other. */
const inTurn = (...steps: PaymentStep[]): PaymentMoment[] => steps.map((step) => moment([step]))
const refusing = (isDone: boolean): ProviderFault => ({ status: 429, every: 1, isDone })

type Life = { title: string; moments: PaymentMoment[]; isWallet?: boolean; isPaidOff?: boolean; shows: string[] }

/** What seldom happens by chance, each by name. `shows` is what has to have happened. */
const lives: Life[] = [
  {
    title: 'a card payment that goes back in part, comes again, and goes back as a whole',
    moments: inTurn(start('card', 3), pay(), notice(), back('part', 3), notice('new', 'charge.refunded'), back('failed', 1), notice('again'), back('whole')),
    shows: ['a start answered 201', 'a return: part at card', 'a return: failed at card', 'a return: whole at card', 'a repeated notice', 'an order refunded'],
  },
  {
    title: 'a card payment that is disputed and won',
    moments: inTurn(
      start('card', 3),
      pay(),
      notice(),
      back('dispute'),
      notice('new', 'charge.dispute.created'),
      back('won'),
      notice('new', 'charge.dispute.closed'),
    ),
    shows: ['a return: dispute at card', 'a return: won at card', 'an order completed', 'a purchase of the ledger', 'a refund of the ledger'],
  },
  {
    title: 'a card payment that is disputed and lost, and one with a warning only',
    moments: inTurn(
      start('card', 3),
      pay(),
      notice(),
      back('dispute'),
      back('lost'),
      notice('new', 'charge.dispute.closed'),
      start('card', 2),
      pay(),
      back('warning'),
    ),
    shows: ['a return: lost at card', 'a return: warning at card', 'an order refunded', 'an order completed'],
  },
  {
    title: 'a Pix payment of which a part is kept',
    moments: inTurn(start('pix', 4), pay(), notice(), back('part', 4), notice()),
    shows: ['a return: part at pix', 'an order kept in part'],
  },
  {
    title: 'a Pix payment that is disputed and won, and one that goes back',
    moments: inTurn(start('pix', 4), pay(), notice(), back('dispute'), notice(), back('won'), notice(), start('pix', 2), pay(), back('whole')),
    shows: ['a return: dispute at pix', 'a return: won at pix', 'a return: whole at pix'],
  },
  {
    title: 'payments of too little, in another currency and for something else',
    moments: inTurn(start('card', 2), pay('less'), notice(), start('pix', 3), pay('foreign'), start('card', 4), pay('moved')),
    shows: ['an order paid wrongly'],
  },
  {
    title: 'purchases that are never paid, and whose start was lost or refused',
    moments: [
      ...inTurn(start('card', 2), end, start('pix', 1, 1), start('pix', 2, 1), { kind: 'nonsense', method: 'card', amount: '1e400' }),
      moment([start('pix', 5)], { pix: refusing(true) }),
    ],
    shows: ['an order expired', 'an order failed', 'a start answered 422', 'a start answered 502', 'a refused amount', 'a call that failed'],
  },
  {
    title: 'notices that are forged, altered, old or of somebody else, and looks of a stranger',
    moments: [
      ...inTurn(start('card', 2), pay(), notice('forged'), notice('altered'), notice('old'), notice('stranger'), look(true), look(false)),
      moment([notice()], { card: refusing(false) }),
    ],
    shows: [
      ...['forged', 'altered', 'old', 'stranger'].map((how) => `a notice: ${how}`),
      ...['a refused notice', 'a notice to be repeated', 'a stranger’s look', 'an order completed'],
    ],
  },
  {
    title: 'credits that are spent before their money goes back, and a debt that stays',
    moments: inTurn(spend('hold'), spend('settle'), start('card', 5), pay(), notice()),
    isPaidOff: false,
    shows: ['a hold', 'a settle', 'a settle of the ledger', 'a debt'],
  },
  {
    title: 'a debt that the next purchase pays off',
    moments: inTurn(start('card', 5), pay(), notice()),
    shows: ['a owed of the ledger', 'an order completed', 'an order refunded'],
  },
  {
    title: 'tokens that are sent as asked, and in every wrong way',
    moments: [
      ...inTurn(quote(1), transfer(), deep, report('it by a stranger'), report()),
      ...(['unmarked', 'less', 'elsewhere', 'other token', 'reverted'] as const).flatMap((how) => inTurn(quote(1), transfer(how), deep, report('any'))),
    ],
    shows: [
      ...['right', 'unmarked', 'less', 'elsewhere', 'other token', 'reverted'].map((how) => `a transfer: ${how}`),
      ...['completed', 'of a stranger', 'payment.unconfirmed', 'payment.token-failed'].map((how) => `a report: ${how}`),
      ...['a quote', 'a token order completed', 'a token order expired'],
    ],
  },
  {
    title: 'tokens of another wallet than the one that signed in, and one transfer for two purchases',
    moments: inTurn(quote(1), transfer('of another wallet'), deep, report(), quote(1), transfer(), deep, report()),
    isWallet: true,
    shows: ['a transfer: of another wallet', 'a report: payment.wrong-account', 'a transfer that was named again'],
  },
  {
    title: 'tokens whose block is dropped, and which come again in another one',
    moments: [...inTurn(quote(2)), moment([transfer('right', false), { kind: 'reorganise', again: 1 }]), ...inTurn(deep, report())],
    shows: ['a reorganised block', 'a transfer that came again', 'a token order completed'],
  },
]

async function aShop(kind: DatabaseKind, pick?: () => number) {
  const shop = await aRandomShop({ kind, providers, sale, ...(pick ? { pick } : {}) })
  return { shop, stranger: await aPerson(shop.place, 'stranger@example.org', null) }
}

/** Lives through the moments, and proves that what was paid was granted once, and that what went back was taken back. */
async function proveLife(shop: Shop, stranger: Client, { moments, isWallet = false, isPaidOff = true }: Omit<Life, 'title' | 'shows'>, next: () => number) {
  const { app } = shop
  const life = await PaymentLife.begin(shop, stranger, { isWallet })
  for (const one of moments) {
    await life.live(one)
    const balance = await findBalance(app.db, life.userId)
    if (!balance) throw new Error('no balance')
    expect(balance.posted >= balance.held && balance.held >= none).toBe(true)
  }

  // From here nobody is told anything: what was paid in time by whoever was shown where is found all the same.
  await life.tokens?.mine(12)
  await sweepAll(shop, life)
  const found = await boughtBy(life)
  for (const one of life.orders)
    if (life.shown.has(one.id) && isPaid(one) && !one.isSpoilt && one.isInTime)
      expect(['completed', 'refunded'], one.id).toContain(found.find(({ id }) => id === one.id)?.status)
  expect(await life.tokens?.faults(found, 'found')).toEqual([])
  await spendAll(shop, life, isPaidOff)

  // Providers repeat their news until they are taken, in any order, and the person names every transfer.
  const shuffled = life.orders.map((one) => ({ one, at: next() })).sort((a, b) => a.at - b.at)
  for (const { one } of shuffled) {
    const news = [life.tell(one, 'new', isReturned(one) ? 'charge.refunded' : undefined), life.tell(one, 'again'), life.tell(one)]
    expect(await Promise.all(news)).toEqual([200, 200, 200])
  }
  await life.tokens?.reportAll()
  await expectAllRight(shop, life)
}

/** Of all lives in this shop. */
async function expectBooksInOrder(shop: Shop & { logs(): string }): Promise<void> {
  expect(await shop.ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
  expect(shop.logs().match(/refused a notification/g) ?? []).toHaveLength(shop.tally.get('a refused notice') ?? 0)
}

describe.each(databases)('payments, on %s', (kind) => {
  for (const { title, shows, ...one } of lives)
    it(`grant what was paid, once, and take back what went back: ${title}`, async () => {
      const { shop, stranger } = await aShop(kind)
      await proveLife(shop, stranger, one, () => 0)
      await expectBooksInOrder(shop)
      const { rows } = await shop.app.db.execute<{ what: string }>("select distinct split_part(idem, ':', 1) as what from ledger_transactions")
      expect([...shop.tally.keys(), ...rows.map(({ what }) => `a ${what} of the ledger`)]).toEqual(expect.arrayContaining(shows))
    })

  it('do so in random lives, with lost calls, bad notices, disputes, token transfers and dropped blocks, on a balance that is spent meanwhile [ST-159, ST-177]', () =>
    seeded(async (seed) => {
      let random: Iterator<number> | undefined
      const { shop, stranger } = await aShop(kind, () => random?.next().value ?? 0)
      expect(shop.nodes).toBe(kind === 'postgresql' && redisUrl !== undefined ? 2 : 1)
      const property = fc.asyncProperty(Moments, fc.infiniteStream(fc.nat()), fc.boolean(), fc.boolean(), async (moments, order, isWallet, isPaidOff) => {
        random = order
        await proveLife(shop, stranger, { moments, isWallet, isPaidOff }, () => order.next().value)
      })
      await fc.assert(property, { seed, numRuns: runsOf(32), endOnFailure: true })
      await expectBooksInOrder(shop)
    }))
})

/** All that there is is spent, and what paid for it goes back; of every other one, what is bought next pays that off. */
async function spendAll({ app, ledger }: Shop, life: PaymentLife, isPaidOff: boolean): Promise<void> {
  await ledger.sweep()
  const left = await ledger.spendable(life.userId)
  const kept = life.orders.find((one) => !one.isSpoilt && !isReturned(one) && canReturn(one, 'whole'))
  if (!kept || left < dollars(1) || (await findBalance(app.db, life.userId))?.owed !== none) return
  const last = { userId: life.userId, messageId: uuidv7() }
  life.messages.push(last.messageId)
  await ledger.reserve(app.db, { ...last, amount: left, model: 'stand-in/large' })
  await ledger.settle(app.db, { ...last, cost: left })
  giveBack(kept)
  await life.tell(kept, 'new', 'charge.refunded')
  if (!isPaidOff) return
  await life.make({ kind: 'start', method: 'card', dollars: 2, key: null })
  await life.make({ kind: 'pay', which: life.orders.filter(isOpen).length - 1, how: 'right', after: 0 })
}

async function expectAllRight({ app, ledger, tally }: Shop, life: PaymentLife): Promise<void> {
  const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)
  const bought = await boughtBy(life)
  const statuses = await statusesOf(life)
  for (const one of life.orders) {
    const status = statuses.get(one.id)
    expect(expectedStatus(one), JSON.stringify(one)).toContain(status)
    count(one.isSpoilt ? 'an order paid wrongly' : status === 'completed' && isReturned(one) ? 'an order kept in part' : `an order ${status}`)
  }
  expect(await life.tokens?.faults(bought, 'reported')).toEqual([])
  const tokens = life.tokens?.orders ?? []
  for (const { id } of tokens) count(`a token order ${statuses.get(id)}`)
  // Of what never reached a provider nothing may have come.
  const known = [...life.orders, ...tokens].map(({ id }) => id)
  for (const [id, status] of statuses) if (!known.includes(id)) expect(['failed', 'expired']).toContain(status)

  // The sum on paper: what there was, what was bought and kept, what was spent.
  let sum: Nano = ofCents(startCents)
  for (const one of life.orders) sum = plus(sum, keptOf(one))
  for (const one of tokens) if (statuses.get(one.id) === 'completed') sum = plus(sum, dollars(one.dollars))
  for (const messageId of life.messages) sum = minus(sum, (await ledger.charged({ userId: life.userId, messageId })) ?? none)
  const balance = await findBalance(app.db, life.userId)
  if (!balance) throw new Error('no balance')
  expect(balance.held).toBe(none)
  if (balance.owed > none) count('a debt')
  expect(minus(balance.posted, balance.owed)).toBe(sum)
  expect((await ledger.check()).findings).toEqual([])
  expect(await brokenMoney(app.db)).toEqual([])
}
