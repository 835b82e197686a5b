import { dollars, minus, type Nano, plus } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { redisUrl } from '../../testing/chat-setups'
import { brokenMoney } from '../../testing/ledger-proof'
import { ofCents, PaymentLife, type Shop, startCents } from '../../testing/payment-life'
import { canReturn, expectedStatus, giveBack, isOpen, isPaid, isReturned, keptOf } from '../../testing/payment-orders'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { Moments } from '../../testing/payment-steps'
import { aPerson } from '../../testing/person'
import { aRandomShop, boughtBy, statusesOf, sweepAll } from '../../testing/random-shop'
import { seeded } from '../../testing/seeded'
import { startTokenSale, type TokenSale } from '../../testing/token-sale'
import { findBalance } from './ledger-store'

const none = dollars(0)
/** Lives of a round. Rounds follow until all that is expected has happened, or so many are over. */
const runs = 16
const mostRounds = 8

/** Each of these has to have happened, so that no run proves nothing. */
const expected = [
  ...['completed', 'refunded', 'expired', 'failed', 'paid wrongly', 'kept in part'].map((what) => `an order ${what}`),
  ...['completed', 'expired'].map((what) => `a token order ${what}`),
  ...['purchase', 'refund', 'settle', 'owed'].map((kind) => `a ${kind} of the ledger`),
  ...['whole', 'part', 'failed', 'dispute', 'warning', 'won', 'lost'].map((how) => `a return: ${how} at card`),
  ...['whole', 'part', 'dispute', 'won'].map((how) => `a return: ${how} at pix`),
  ...['right', 'unmarked', 'less', 'elsewhere', 'other token', 'reverted', 'of another wallet'].map((how) => `a transfer: ${how}`),
  ...['completed', 'of a stranger', 'payment.unconfirmed', 'payment.token-failed', 'payment.wrong-account'].map((end) => `a report: ${end}`),
  ...['a reorganised block', 'a transfer that came again', 'a transfer that was named again', 'a quote'],
  ...['a debt', 'a hold', 'a settle', 'a start answered 201', 'a start answered 422', 'a start answered 502'],
  ...['a refused amount', 'a refused notice', 'a repeated notice', 'a notice to be repeated', 'a call that failed', 'a stranger’s look'],
  ...['forged', 'altered', 'old', 'stranger'].map((how) => `a notice: ${how}`),
]

let providers: PaymentProviders
let sale: TokenSale
beforeAll(async () => {
  providers = await startPaymentProviders()
  sale = await startTokenSale()
})
afterAll(() => Promise.all([providers.close(), sale.close()]))

describe.each(databases)('random lives of payments, on %s', { timeout: 400_000 }, (kind) => {
  it('grant what was paid, once, and take back what went back, with lost calls, bad notices, disputes, token transfers and dropped blocks, on a balance that is spent meanwhile [ST-159, ST-177]', () =>
    seeded(async (seed) => {
      let random: Iterator<number> | undefined
      const shop = await aRandomShop({ kind, providers, sale, pick: () => random?.next().value ?? 0 })
      const { app, ledger, tally, place } = shop
      expect(shop.nodes).toBe(kind === 'postgresql' && redisUrl !== undefined ? 2 : 1)
      const stranger = await aPerson(place, 'stranger@example.org', null)
      const count = (what: string, times = 1) => tally.set(what, (tally.get(what) ?? 0) + times)

      const property = fc.asyncProperty(Moments, fc.infiniteStream(fc.nat()), fc.boolean(), fc.boolean(), async (moments, order, isWallet, isPaidOff) => {
        random = order
        const life = await PaymentLife.begin(shop, stranger, { isWallet })
        for (const moment of moments) {
          count('a step', moment.steps.length)
          await life.live(moment)
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
        const shuffled = life.orders.map((one) => ({ one, at: order.next().value })).sort((a, b) => a.at - b.at)
        for (const { one } of shuffled) {
          const news = [life.tell(one, 'new', isReturned(one) ? 'charge.refunded' : undefined), life.tell(one, 'again'), life.tell(one)]
          expect(await Promise.all(news)).toEqual([200, 200, 200])
          count('a step', news.length)
        }
        await life.tokens?.reportAll()
        await expectAllRight(shop, life)
      })
      const missing = async (): Promise<string[]> => {
        const { rows } = await app.db.execute<{ what: string }>("select distinct split_part(idem, ':', 1) as what from ledger_transactions")
        const happened = new Set([...tally.keys(), ...rows.map(({ what }) => `a ${what} of the ledger`)])
        return expected.filter((what) => !happened.has(what))
      }
      for (let round = 0; round === 0 || (round < mostRounds && (await missing()).length > 0); round++)
        await fc.assert(property, { seed: seed + round, numRuns: runs, endOnFailure: true })

      expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
      expect(shop.logs().match(/refused a notification/g)).toHaveLength(tally.get('a refused notice') ?? 0)
      expect(shop.logs()).toContain('nothing is granted')
      expect(tally.get('a step')).toBeGreaterThan(1_500)
      expect(await missing()).toEqual([])
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
