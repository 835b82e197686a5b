import { serverLimits } from '@parley/contract/limits/server'
import { dollars } from '@parley/contract/money'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { payments } from '../../db/schema/payments'
import { databases } from '../../testing/build-test-app'
import { confirmations, quoteLifeMs, transferData, treasury, useTokenNetwork } from '../../testing/token-network'

const network = useTokenNetwork()

describe.each(databases)('transfers of the token that are confirmed or named late, on %s', (kind) => {
  it('grants by itself what was reported too early, when the blocks have come', async () => {
    let now = Date.now()
    const { app, sweep } = await network.aServer(kind, { now: () => now })
    const ana = await network.aWallet(app)
    const quote = await ana.quote(10)
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, quote.aizAmount),
      from: ana.account,
    })
    expect((await ana.report(quote.paymentId, hash)).status).toBe(409)
    await network.chain.mine(confirmations)
    now += 2 * serverLimits.payments.askAgainMs
    await sweep()
    expect([await ana.status(quote.paymentId), await ana.credits()]).toEqual(['completed', 10])
  })

  it('grants what was sent in time when its last blocks come after the end of the quote, though nobody asks again', async () => {
    let now = Date.now()
    const { app, sweep, ledger } = await network.aServer(kind, { now: () => now })
    const ana = await network.aWallet(app)
    const [mined, late] = [await ana.quote(10), await ana.quote(20)]
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, mined.aizAmount),
      from: ana.account,
    })
    expect((await ana.report(mined.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    // Sent as well, but the node that the server asks has not heard of its block yet.
    const before = await network.chain.remember()
    const unseen = await network.chain.send({
      to: network.token,
      data: transferData(treasury, late.aizAmount),
      from: ana.account,
    })
    await network.chain.restore(before)
    expect((await ana.report(late.paymentId, unseen)).body).toMatchObject({ code: 'payment.unconfirmed' })
    const states = async () => {
      const rows = await app.db.select({ id: payments.id, status: payments.status }).from(payments)
      return [mined, late].map(({ paymentId }) => rows.find(({ id }) => id === paymentId)?.status)
    }
    now = Date.parse(late.expires_at) + 1_000
    await network.chain.reach(now)
    await sweep()
    expect(await states()).toEqual(['pending', 'pending'])
    await network.chain.mine(confirmations)
    now += serverLimits.payments.chainClockMs
    await network.chain.reach(now)
    await sweep()
    expect(await states()).toEqual(['completed', 'expired'])
    expect(await ledger.balance(ana.userId)).toBe(dollars(10))
  })

  it('grants what was sent in time and is named after the end of the quote, while the server ends it or later, though nobody asks again', async () => {
    let now = Date.now()
    const proxy = await network.aProxy()
    const { app, sweep } = await network.aServer(kind, { now: () => now, env: { BASE_RPC_URL: proxy.url } })
    const ana = await network.aWallet(app)
    const quotes = [await ana.quote(10), await ana.quote(20)] as const
    const [meanwhile, later] = quotes
    const hashes: Hex[] = []
    for (const { aizAmount } of quotes)
      hashes.push(
        await network.chain.send({ to: network.token, data: transferData(treasury, aizAmount), from: ana.account }),
      )
    const [sentMeanwhile = '0x', sentLater = '0x'] = hashes
    const nothing = `0x${'0'.repeat(64)}`
    expect((await ana.report(meanwhile.paymentId, nothing)).body).toMatchObject({ code: 'payment.unconfirmed' })
    now += quoteLifeMs
    await ana.client.renew()
    // What was named first is found to be nothing: by then the right one has been named.
    proxy.before = async ({ body }) => {
      if (!body.includes(nothing)) return undefined
      proxy.mend()
      expect((await ana.report(meanwhile.paymentId, sentMeanwhile)).body).toMatchObject({ code: 'payment.unconfirmed' })
      return undefined
    }
    const states = () => Promise.all(quotes.map(({ paymentId }) => ana.status(paymentId)))
    await network.chain.reach(now)
    await sweep()
    expect(await states()).toEqual(['pending', 'expired'])
    expect((await ana.report(later.paymentId, sentLater)).body).toMatchObject({ code: 'payment.unconfirmed' })
    expect(await states()).toEqual(['pending', 'pending'])
    await network.chain.mine(confirmations)
    now += serverLimits.payments.askAgainMs
    await sweep()
    expect(await states()).toEqual(['completed', 'completed'])
    expect(await ana.credits()).toBe(30)
  })

  it('ends a payment for which a transfer was named that paid another one', async () => {
    let now = Date.now()
    const { app, sweep } = await network.aServer(kind, { now: () => now })
    const ana = await network.aWallet(app)
    const quotes = [await ana.quote(10), await ana.quote(10)]
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, '333.3334'),
      from: ana.account,
    })
    for (const { paymentId } of quotes) expect((await ana.report(paymentId, hash)).status).toBe(409)
    await network.chain.mine(confirmations)
    now += quoteLifeMs
    await network.chain.reach(now)
    await sweep()
    await ana.client.renew()
    const statuses = await Promise.all(quotes.map(({ paymentId }) => ana.status(paymentId)))
    expect(statuses.sort()).toEqual(['completed', 'expired'])
    expect(await ana.credits()).toBe(10)
  })
})
