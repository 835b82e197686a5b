import { serverLimits } from '@parley/contract/limits/server'
import type { Payment } from '@parley/contract/payments'
import { concatHex, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'
import {
  confirmations,
  type Quote,
  quoteLifeMs,
  tokenBuyer,
  transferData,
  treasury,
  useTokenNetwork,
} from '../../testing/token-network'

const network = useTokenNetwork()

describe.each(databases)('the search for transfers of the token on %s', (kind) => {
  it('finds by itself what nobody named, and what came in the place of what was named, by the payment that it names', async () => {
    let now = Date.now()
    const { app, sweep, ledger } = await network.aServer(kind, { now: () => now })
    const [ana, bob] = [await network.aWallet(app), tokenBuyer(await aPerson(app, 'bob@example.org'))]
    const [left, replaced, his] = [await ana.quote(10), await ana.quote(20), await bob.quote(30)]
    const other = await network.chain.send({ to: network.token, data: left.data as Hex, from: ana.account })
    const nothing = `0x${'0'.repeat(64)}`
    expect((await ana.report(replaced.paymentId, nothing)).body).toMatchObject({ code: 'payment.unconfirmed' })
    const sent = await network.chain.send({ to: network.token, data: replaced.data as Hex, from: ana.account })
    await network.chain.send({ to: network.token, data: his.data as Hex })
    now += 2 * serverLimits.payments.askAgainMs
    await sweep()
    expect(
      await Promise.all([ana.status(left.paymentId), ana.status(replaced.paymentId), bob.status(his.paymentId)]),
    ).toEqual(Array(3).fill('pending'))
    await network.chain.mine(confirmations)
    now += quoteLifeMs
    await sweep()
    await Promise.all([ana.client.renew(), bob.client.renew()])
    expect([await ana.credits(), await bob.credits()]).toEqual([30, 30])
    expect(
      await Promise.all([ana.status(left.paymentId), ana.status(replaced.paymentId), bob.status(his.paymentId)]),
    ).toEqual(Array(3).fill('completed'))
    // Whose page still asks for what it named first hears that the money came, but not of money that paid something
    // else.
    expect(await ana.report(replaced.paymentId, nothing)).toMatchObject({
      status: 200,
      body: { status: 'completed', transaction_id: sent },
    })
    expect(await ana.report(replaced.paymentId, other)).toMatchObject({
      status: 400,
      body: { code: 'payment.token-failed' },
    })
    expect((await ledger.check()).findings).toEqual([])
  })

  it('finds nothing in what names a payment and pays it too little, from another wallet than its account’s, or too late', async () => {
    let now = Date.now() - quoteLifeMs
    const { app, sweep } = await network.aServer(kind, { now: () => now })
    const [ana, bob] = [await network.aWallet(app), tokenBuyer(await aPerson(app, 'bob@example.org'))]
    const late = await bob.quote(30)
    now += quoteLifeMs
    await Promise.all([ana.client.renew(), bob.client.renew()])
    const [others, less] = [await ana.quote(10), await bob.quote(20)]
    const markOf = ({ data }: Quote): Hex => `0x${data.slice(2 + 8 + 128)}`
    await network.chain.send({ to: network.token, data: others.data as Hex })
    await network.chain.send({ to: network.token, data: concatHex([transferData(treasury, '1'), markOf(less)]) })
    await network.chain.send({ to: network.token, data: late.data as Hex })
    await network.chain.mine(confirmations)
    now += quoteLifeMs
    await network.chain.reach(now)
    await sweep()
    await Promise.all([ana.client.renew(), bob.client.renew()])
    expect(
      await Promise.all([ana.status(others.paymentId), bob.status(less.paymentId), bob.status(late.paymentId)]),
    ).toEqual(Array(3).fill('expired'))
    expect([await ana.credits(), await bob.credits()]).toEqual([0, 0])
  })

  it('keeps a payment open for the transfer that was named, whatever else names the payment on the chain', async () => {
    let now = Date.now()
    const { app, sweep } = await network.aServer(kind, { now: () => now })
    const ana = await network.aWallet(app)
    const quote = await ana.quote(10)
    const hers = await network.chain.send({
      to: network.token,
      data: transferData(treasury, quote.aizAmount),
      from: ana.account,
    })
    expect((await ana.report(quote.paymentId, hers)).body).toMatchObject({ code: 'payment.unconfirmed' })
    // From another wallet than hers.
    await network.chain.send({ to: network.token, data: quote.data as Hex })
    now += quoteLifeMs
    await network.chain.reach(now)
    await sweep()
    await ana.client.renew()
    expect(await ana.status(quote.paymentId)).toBe('pending')
    await network.chain.mine(confirmations)
    now += serverLimits.payments.askAgainMs
    await sweep()
    expect([await ana.status(quote.paymentId), await ana.credits()]).toEqual(['completed', 10])
  })

  it('keeps the transfer that was named in place of one that was found, and the one that was found where none was named', async () => {
    let now = Date.now()
    const { app, sweep } = await network.aServer(kind, { now: () => now })
    const ana = await network.aWallet(app)
    const noteOf = async (id: string) =>
      ((await ana.client.send('GET', `/api/billing/payment/${id}`)).body as Payment).transaction_id
    const quotes = [await ana.quote(10), await ana.quote(10)] as const
    const hashOfHers = await network.chain.send({
      to: network.token,
      data: transferData(treasury, quotes[0].aizAmount),
      from: ana.account,
    })
    expect((await ana.report(quotes[0].paymentId, hashOfHers)).status).toBe(409)
    const marked = [
      await network.chain.send({ to: network.token, data: quotes[0].data as Hex, from: ana.account }),
      await network.chain.send({ to: network.token, data: quotes[1].data as Hex, from: ana.account }),
    ]
    now += 2 * serverLimits.payments.askAgainMs
    await sweep()
    expect([await noteOf(quotes[0].paymentId), await noteOf(quotes[1].paymentId)]).toEqual([hashOfHers, marked[1]])
  })
})
