import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { Client } from '../../testing/person'
import {
  confirmations,
  methodOf,
  type Quote,
  quoteLifeMs,
  transferData,
  treasury,
  useTokenNetwork,
} from '../../testing/token-network'

const network = useTokenNetwork()

describe.each(databases)('payments with the token while the chain’s node fails, on %s', (kind) => {
  it('forgets a transfer whose block the chain dropped', async () => {
    const { app } = await network.aServer(kind)
    const ana = await network.aWallet(app)
    const quote = await ana.quote(10)
    const point = await network.chain.remember()
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, quote.aizAmount),
      from: ana.account,
    })
    expect((await ana.report(quote.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    await network.chain.restore(point)
    await network.chain.mine(2 * confirmations)
    expect((await ana.report(quote.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    expect(await ana.credits()).toBe(0)
  })

  it('ends no payment while the node of the chain is behind, and grants what was sent in time once it has caught up', async () => {
    let now = Date.now()
    const { app, sweep } = await network.aServer(kind, { now: () => now })
    const ana = await network.aWallet(app)
    const quotes = [await ana.quote(10), await ana.quote(20), await ana.quote(40)] as const
    const [named, unnamed] = quotes
    const states = () => Promise.all(quotes.map(({ paymentId }) => ana.status(paymentId)))
    const send = ({ data }: Quote): Promise<Hex> =>
      network.chain.send({ to: network.token, data: data as Hex, from: ana.account })
    const before = await network.chain.remember()
    const hash = await send(named)
    // From here on the node has only the blocks from before the transfers.
    await network.chain.restore(before)
    expect((await ana.report(named.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    now += quoteLifeMs
    await ana.client.renew()
    expect((await ana.report(named.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    await sweep()
    expect(await states()).toEqual(['pending', 'pending', 'pending'])
    expect(await send(named)).toBe(hash)
    await send(unnamed)
    await network.chain.mine(confirmations)
    now += serverLimits.payments.askAgainMs
    await sweep()
    expect(await states()).toEqual(['completed', 'completed', 'pending'])
    await network.chain.reach(now)
    now += serverLimits.payments.askAgainMs
    await sweep()
    expect(await states()).toEqual(['completed', 'completed', 'expired'])
    expect(await ana.credits()).toBe(30)
  })

  it('leaves a payment to the nodes that take the token, whichever looks first, and tells no person on another one that there is none', async () => {
    let now = Date.now()
    const env = { AUTH_SECRET: 'a secret of both nodes, of 32 characters or more' }
    const { app, sweep } = await network.aServer(kind, { now: () => now, env })
    const other = await network.aServer(kind, { now: () => now, env, keepTables: true, acceptsToken: false })
    const ana = await network.aWallet(app)
    const quote = await ana.quote(10)
    const hash = await network.chain.send({ to: network.token, data: quote.data as Hex, from: ana.account })
    const elsewhere = new Client(other.app, null)
    elsewhere.tokens = ana.client.tokens
    const path = `/api/billing/payment/${quote.paymentId}/transaction`
    expect(await elsewhere.post(path, { hash })).toMatchObject({
      status: 502,
      body: { code: 'payment.token-unavailable' },
    })
    expect((await elsewhere.post(path.replace(quote.paymentId, uuidv7()), { hash })).status).toBe(404)
    await network.chain.mine(confirmations)
    now += quoteLifeMs
    await network.chain.reach(now)
    await other.sweep()
    await ana.client.renew()
    expect(await ana.status(quote.paymentId)).toBe('pending')
    // Nor is it this one's turn only later.
    await sweep()
    expect([await ana.status(quote.paymentId), await ana.credits()]).toEqual(['completed', 10])
  })

  it('keeps a payment open while the node of the chain refuses to tell of its transfer', async () => {
    let now = Date.now()
    const proxy = await network.aProxy()
    const { app, sweep } = await network.aServer(kind, { now: () => now, env: { BASE_RPC_URL: proxy.url } })
    const ana = await network.aWallet(app)
    const quote = await ana.quote(10)
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, quote.aizAmount),
      from: ana.account,
    })
    expect((await ana.report(quote.paymentId, hash)).status).toBe(409)
    await network.chain.mine(confirmations)
    proxy.before = (call) => (methodOf(call) === 'eth_getTransactionReceipt' ? 429 : undefined)
    now += quoteLifeMs
    await network.chain.reach(now)
    await sweep()
    await ana.client.renew()
    expect(await ana.status(quote.paymentId)).toBe('pending')
    proxy.mend()
    now += serverLimits.payments.askAgainMs
    await sweep()
    expect([await ana.status(quote.paymentId), await ana.credits()]).toEqual(['completed', 10])
  })

  it('counts no blocks that came after the transfer’s own was dropped while it was read', async () => {
    const proxy = await network.aProxy()
    const { app } = await network.aServer(kind, { env: { BASE_RPC_URL: proxy.url } })
    const ana = await network.aWallet(app)
    const quote = await ana.quote(10)
    const point = await network.chain.remember()
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, quote.aizAmount),
      from: ana.account,
    })
    let [isRead, answers] = [false, 0]
    let drop = (): void => undefined
    const isDropped = new Promise<undefined>((resolve) => {
      drop = () => resolve(undefined)
    })
    proxy.before = (call) => {
      isRead ||= methodOf(call) === 'eth_getTransactionReceipt'
      return isRead && (methodOf(call) === 'eth_blockNumber' || call.body.includes('latest')) ? isDropped : undefined
    }
    proxy.after = async (call) => {
      if (isRead && ['eth_getBlockByNumber', 'eth_getTransactionByHash'].includes(methodOf(call))) answers += 1
      if (answers !== 2) return undefined
      answers += 1
      await network.chain.restore(point)
      await network.chain.mine(confirmations)
      drop()
      return undefined
    }
    expect((await ana.report(quote.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    await isDropped
    expect(await ana.credits()).toBe(0)
  })
})
