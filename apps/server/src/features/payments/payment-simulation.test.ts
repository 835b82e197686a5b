import { dollars, minus, type Nano, plus } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseKind } from '../../db/client'
import { databases } from '../../testing/build-test-app'
import { redisUrl } from '../../testing/chat-setups'
import { findMoneyViolations } from '../../testing/ledger-invariants'
import { ledgerBalanceOf, ofCents } from '../../testing/ledger-people'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { type Scenario, scenarios } from '../../testing/payment-scenarios'
import { aPerson, type Client } from '../../testing/person'
import { runsOf, seeded } from '../../testing/seeded'
import { SimulatedBuyer, startCents } from '../../testing/simulated-buyer'
import {
  canRefund,
  expectedStatus,
  isOpen,
  isPaid,
  isRefunded,
  keptAmount,
  refundOrder,
} from '../../testing/simulated-order'
import { aSimulatedShop, count, type SimulatedShop, sweepAll } from '../../testing/simulated-shop'
import { SimulationMoments } from '../../testing/simulation-steps'
import { startTokenSale, type TokenSale } from '../../testing/token-sale'

const none = dollars(0)

let providers: PaymentProviders
let sale: TokenSale
beforeAll(async () => {
  providers = await startPaymentProviders()
  sale = await startTokenSale()
})
afterAll(() => Promise.all([providers.close(), sale.close()]))

async function aShop(kind: DatabaseKind, pick?: () => number) {
  const shop = await aSimulatedShop({ kind, providers, sale, ...(pick ? { pick } : {}) })
  return { shop, stranger: await aPerson(shop.anyNode, 'stranger@example.org', null) }
}

/**
 * Simulates a buyer, and checks that the credits of each payment were granted once and that those of its refunds were
 * taken back. `next` shuffles the webhooks at the end.
 */
async function simulate(
  shop: SimulatedShop,
  stranger: Client,
  { moments, isWallet = false, isDebtPaid = true }: Omit<Scenario, 'title' | 'shows'>,
  next: () => number,
) {
  const { app } = shop
  const buyer = await SimulatedBuyer.create(shop, stranger, { isWallet })
  for (const moment of moments) {
    await buyer.runMoment(moment)
    const balance = await ledgerBalanceOf(app.db, buyer.userId)
    expect(balance.posted >= balance.held && balance.held >= none).toBe(true)
  }

  // Without webhooks and reports, the sweeps find all payments that were paid in time.
  await buyer.tokens?.mine(12)
  await sweepAll(shop, buyer)
  const found = await buyer.payments()
  for (const order of buyer.orders)
    if (buyer.payable.has(order.id) && isPaid(order) && !order.isMismatch && order.isInTime)
      expect(['completed', 'refunded'], order.id).toContain(found.find(({ id }) => id === order.id)?.status)
  expect(await buyer.tokens?.violations(found, 'found')).toEqual([])
  await spendAll(shop, buyer, isDebtPaid)

  // Providers repeat their webhooks until they are acknowledged, in any order, and the person reports every transfer.
  const shuffled = buyer.orders.map((order) => ({ order, at: next() })).sort((a, b) => a.at - b.at)
  for (const { order } of shuffled) {
    const webhooks = [
      buyer.sendWebhook(order, 'new', isRefunded(order) ? 'charge.refunded' : undefined),
      buyer.sendWebhook(order, 'again'),
      buyer.sendWebhook(order),
    ]
    expect(await Promise.all(webhooks)).toEqual([200, 200, 200])
  }
  await buyer.tokens?.reportAll()
  await expectAllRight(shop, buyer)
}

/** Checks the ledger and the log of all simulations of this shop. */
async function expectInOrder(shop: SimulatedShop): Promise<void> {
  expect(await shop.ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
  expect(shop.logs().match(/refused a notification/g) ?? []).toHaveLength(shop.tally.get('a refused webhook') ?? 0)
}

describe.each(databases)('payments, on %s', (kind) => {
  for (const { title, shows, ...scenario } of scenarios)
    it(`grant what was paid, once, and take back what went back: ${title}`, async () => {
      const { shop, stranger } = await aShop(kind)
      await simulate(shop, stranger, scenario, () => 0)
      await expectInOrder(shop)
      const { rows } = await shop.app.db.execute<{ what: string }>(
        "select distinct split_part(idem, ':', 1) as what from ledger_transactions",
      )
      expect([...shop.tally.keys(), ...rows.map(({ what }) => `a ${what} of the ledger`)]).toEqual(
        expect.arrayContaining(shows),
      )
    })

  it('do so in random lives, with lost calls, bad notices, disputes, token transfers and dropped blocks, on a balance that is spent meanwhile [ST-159, ST-177]', () =>
    seeded(async (seed) => {
      let random: Iterator<number> | undefined
      const { shop, stranger } = await aShop(kind, () => random?.next().value ?? 0)
      expect(shop.nodes).toBe(kind === 'postgresql' && redisUrl !== undefined ? 2 : 1)
      const property = fc.asyncProperty(
        SimulationMoments,
        fc.infiniteStream(fc.nat()),
        fc.boolean(),
        fc.boolean(),
        async (moments, order, isWallet, isDebtPaid) => {
          random = order
          await simulate(shop, stranger, { moments, isWallet, isDebtPaid }, () => order.next().value)
        },
      )
      await fc.assert(property, { seed, numRuns: runsOf(32), endOnFailure: true })
      await expectInOrder(shop)
    }))
})

/**
 * Spends all credits and refunds one of their payments, which leaves a debt; if `isDebtPaid`, buys credits to pay it.
 */
async function spendAll(
  { app, ledger, holds }: SimulatedShop,
  buyer: SimulatedBuyer,
  isDebtPaid: boolean,
): Promise<void> {
  await holds.sweep()
  const left = await ledger.spendable(buyer.userId)
  const kept = buyer.orders.find((one) => !one.isMismatch && !isRefunded(one) && canRefund(one, 'whole'))
  if (!kept || left < dollars(1) || (await ledgerBalanceOf(app.db, buyer.userId)).owed !== none) return
  const last = { userId: buyer.userId, messageId: uuidv7() }
  buyer.messages.push(last.messageId)
  await holds.reserve(app.db, { ...last, amount: left, model: 'stand-in/large' })
  await holds.settle(app.db, { ...last, cost: left })
  refundOrder(kept)
  await buyer.sendWebhook(kept, 'new', 'charge.refunded')
  if (!isDebtPaid) return
  await buyer.runStep({ kind: 'start', method: 'card', dollars: 2, key: null })
  await buyer.runStep({ kind: 'pay', which: buyer.orders.filter(isOpen).length - 1, how: 'right', after: 0 })
}

async function expectAllRight({ app, ledger, holds, tally }: SimulatedShop, buyer: SimulatedBuyer): Promise<void> {
  const bought = await buyer.payments()
  const statuses = await buyer.statuses()
  for (const order of buyer.orders) {
    const status = statuses.get(order.id)
    expect(expectedStatus(order), JSON.stringify(order)).toContain(status)
    count(
      tally,
      order.isMismatch
        ? 'an order paid wrongly'
        : status === 'completed' && isRefunded(order)
          ? 'an order kept in part'
          : `an order ${status}`,
    )
  }
  expect(await buyer.tokens?.violations(bought, 'reported')).toEqual([])
  const tokens = buyer.tokens?.orders ?? []
  for (const { id } of tokens) count(tally, `a token order ${statuses.get(id)}`)
  // No payment that never reached a provider is completed.
  const known = [...buyer.orders, ...tokens].map(({ id }) => id)
  for (const [id, status] of statuses) if (!known.includes(id)) expect(['failed', 'expired']).toContain(status)

  // The expected balance: the start, plus what was bought and not refunded, minus what was charged.
  let sum: Nano = ofCents(startCents)
  for (const order of buyer.orders) sum = plus(sum, keptAmount(order))
  for (const order of tokens) if (statuses.get(order.id) === 'completed') sum = plus(sum, dollars(order.dollars))
  for (const messageId of buyer.messages)
    sum = minus(sum, (await holds.chargedFor({ userId: buyer.userId, messageId })) ?? none)
  const balance = await ledgerBalanceOf(app.db, buyer.userId)
  expect(balance.held).toBe(none)
  if (balance.owed > none) count(tally, 'a debt')
  expect(minus(balance.posted, balance.owed)).toBe(sum)
  expect((await ledger.check()).findings).toEqual([])
  expect(await findMoneyViolations(app.db)).toEqual([])
}
