import { serverLimits } from '@parley/contract/limits/server'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { type Address, concatHex, encodeFunctionData, type Hex, parseAbi, parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { payments } from '../../db/schema/payments'
import { databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'
import { confirmations, tokenBuyer, transferData, treasury, useTokenNetwork } from '../../testing/token-network'

const stranger: Address = '0x0bad000000000000000000000000000000000002'

const network = useTokenNetwork()

describe.each(databases)('payments with the token on %s', (kind) => {
  it('quotes the token and grants the credits once its transfer is deep enough in the chain [ST-159, CH-163]', async () => {
    const { app, ledger } = await network.aServer(kind)
    const ana = await network.aWallet(app)
    const quote = await ana.quote(10)
    expect(quote).toMatchObject({
      chainId: network.chain.chainId,
      token: network.token.toLowerCase(),
      treasury,
      aizAmount: '333.3334',
    })
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, '333.3334'),
      from: ana.account,
    })
    const early = await ana.report(quote.paymentId, hash)
    expect(early).toMatchObject({ status: 409, body: { code: 'payment.unconfirmed' } })
    expect(early.headers.get('retry-after')).not.toBeNull()
    expect(await ana.credits()).toBe(0)
    await network.chain.mine(confirmations - 2)
    expect((await ana.report(quote.paymentId, hash)).status).toBe(409)
    await network.chain.mine(1)
    expect(await ana.report(quote.paymentId, hash)).toMatchObject({
      status: 200,
      body: { status: 'completed', transaction_id: hash },
    })
    expect(await ana.report(quote.paymentId, hash.toUpperCase().replace('0X', '0x'))).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    })
    expect(await ana.credits()).toBe(10)
    expect((await ledger.check()).findings).toEqual([])
  })

  it('takes no transfer of another token, to somebody else, of less, or that was reverted', async () => {
    const { app } = await network.aServer(kind)
    const ana = await network.aWallet(app)
    const quote = await ana.quote(10)
    await network.chain.send({ to: network.otherToken, data: transferData(ana.account.address, '1000') })
    const wrong = [
      await network.chain.send({ to: network.otherToken, data: transferData(treasury, '333.3334'), from: ana.account }),
      await network.chain.send({ to: network.token, data: transferData(stranger, '333.3334'), from: ana.account }),
      await network.chain.send({ to: network.token, data: transferData(treasury, '333.3333'), from: ana.account }),
      await network.chain.send({ to: network.token, data: transferData(treasury, '999999'), from: ana.account }),
    ]
    await network.chain.mine(confirmations)
    for (const hash of wrong)
      expect(await ana.report(quote.paymentId, hash)).toMatchObject({
        status: 400,
        body: { code: 'payment.token-failed', message: 'Failed to process the token payment' },
      })
    for (const text of ['', '0x', '0x12', `0x${'g'.repeat(64)}`, `${'a'.repeat(66)}`])
      expect((await ana.report(quote.paymentId, text)).status, text).toBe(400)
    expect(await ana.report(quote.paymentId, `0x${'0'.repeat(64)}`)).toMatchObject({
      status: 409,
      body: { code: 'payment.unconfirmed' },
    })
    expect([await ana.credits(), await ana.status(quote.paymentId)]).toEqual([0, 'pending'])
  })

  it('takes a transfer from the wallet of the account only, and names the mismatch [ST-170]', async () => {
    const { app } = await network.aServer(kind)
    const [ana, bob] = [await network.aWallet(app), await network.aWallet(app)]
    const quote = await ana.quote(10)
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, quote.aizAmount),
      from: bob.account,
    })
    await network.chain.mine(confirmations)
    expect(await ana.report(quote.paymentId, hash)).toMatchObject({
      status: 400,
      body: { code: 'payment.wrong-account', message: 'The connected wallet does not match your account.' },
    })
    expect((await bob.report(quote.paymentId, hash)).status).toBe(404)
    expect([await ana.credits(), await bob.credits()]).toEqual([0, 0])
  })

  it('lets a transfer pay one payment, also when it is named for two at once', async () => {
    const { app, ledger } = await network.aServer(kind)
    const ana = await network.aWallet(app)
    const quotes = [await ana.quote(10), await ana.quote(10), await ana.quote(10)]
    const hash = await network.chain.send({
      to: network.token,
      data: transferData(treasury, '333.3334'),
      from: ana.account,
    })
    await network.chain.mine(confirmations)
    const answers = await Promise.all(
      quotes.flatMap(({ paymentId }) => [ana.report(paymentId, hash), ana.report(paymentId, hash)]),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400, 400])
    expect(await ana.credits()).toBe(10)
    expect((await ledger.check()).findings).toEqual([])
  })

  it('takes no transfer from before the quote, and none from after its end', async () => {
    let now = Date.now()
    const { app, sweep } = await network.aServer(kind, { now: () => now })
    const ana = await network.aWallet(app)
    const early = await network.chain.send({
      to: network.token,
      data: transferData(treasury, '333.3334'),
      from: ana.account,
    })
    await network.chain.mine(confirmations)
    now += 10 * 60_000
    const quote = await ana.quote(10)
    expect(await ana.report(quote.paymentId, early)).toMatchObject({
      status: 400,
      body: { code: 'payment.token-failed' },
    })
    now = Date.now()
    const [id, hour] = [uuidv7(), 60 * 60_000]
    const terms = {
      chainId: network.chain.chainId,
      token: network.token.toLowerCase(),
      treasury,
      aizAmount: '333.3334',
    }
    const asked = parseUnits(terms.aizAmount, 18)
    const times = {
      createdAt: new Date(now - hour),
      updatedAt: new Date(now - hour),
      checkedAt: new Date(now - hour),
      expiresAt: new Date(now - hour / 2),
    }
    const old = {
      id,
      userId: ana.userId,
      amount: dollars(10),
      method: 'token',
      status: 'pending',
      amountDue: asked,
      currency: 'aiz',
      terms,
      ...times,
    } as const
    await app.db.insert(payments).values(old)
    expect(await ana.report(id, early)).toMatchObject({ status: 410, body: { code: 'payment.expired' } })
    await sweep()
    expect(await ana.status(id)).toBe('expired')
    expect(await ana.credits()).toBe(0)
  })

  it('lets people without a wallet account pay from any wallet, by a transfer that names their payment', async () => {
    const { app } = await network.aServer(kind)
    const [ana, bob] = [
      tokenBuyer(await aPerson(app, 'ana@example.org')),
      tokenBuyer(await aPerson(app, 'bob@example.org')),
    ]
    const [hers, his] = [await ana.quote(10), await bob.quote(10)]
    const unnamed = await network.chain.send({ to: network.token, data: transferData(treasury, hers.aizAmount) })
    const named = await network.chain.send({ to: network.token, data: hers.data as Hex })
    await network.chain.mine(confirmations)
    expect((await ana.report(hers.paymentId, unnamed)).body).toMatchObject({ code: 'payment.token-failed' })
    // The chain is public: what Ana sent is there for everybody to see.
    expect((await bob.report(his.paymentId, named)).body).toMatchObject({ code: 'payment.token-failed' })
    expect((await ana.report(hers.paymentId, named)).body).toMatchObject({ status: 'completed' })
    expect([await ana.credits(), await bob.credits()]).toEqual([10, 0])
  })

  it('lets a wallet that is a contract pay, which wraps the transfer, and takes no transfer for whoever only stands beside it', async () => {
    let now = Date.now()
    const { app, sweep } = await network.aServer(kind, { now: () => now })
    const [ana, bob] = [
      tokenBuyer(await aPerson(app, 'ana@example.org')),
      tokenBuyer(await aPerson(app, 'bob@example.org')),
    ]
    const wallet = (await network.chain.deployWallet('0x0000000000000000000000000000000000000001')) as Address
    await network.chain.send({ to: network.token, data: transferData(wallet, '100000') })
    const execute = (data: Hex): Hex =>
      encodeFunctionData({
        abi: parseAbi(['function execute(address to, bytes data)']),
        functionName: 'execute',
        args: [network.token, data],
      })
    const [hers, found, wished, his] = [
      await ana.quote(10),
      await ana.quote(10),
      await ana.quote(10),
      await bob.quote(10),
    ]
    const named = await network.chain.send({ to: wallet, data: execute(hers.data as Hex) })
    await network.chain.send({ to: wallet, data: execute(concatHex([found.data as Hex, '0x8021'])) })
    // Whoever passes her transfer on writes what is his own behind it, as a mark or as another call.
    const mark: Hex = `0x${his.data.slice(2 + 8 + 128)}`
    const marked = await network.chain.send({ to: wallet, data: concatHex([execute(wished.data as Hex), mark]) })
    const both = await network.chain.send({
      to: wallet,
      data: concatHex([execute(wished.data as Hex), his.data as Hex]),
    })
    await network.chain.mine(confirmations)
    expect((await ana.report(hers.paymentId, named)).body).toMatchObject({ status: 'completed' })
    for (const hash of [marked, both])
      expect((await bob.report(his.paymentId, hash)).body).toMatchObject({ code: 'payment.token-failed' })
    expect((await ana.report(wished.paymentId, both)).body).toMatchObject({ code: 'payment.token-failed' })
    expect((await ana.report(wished.paymentId, marked)).body).toMatchObject({ status: 'completed' })
    now += 2 * serverLimits.payments.askAgainMs
    await sweep()
    expect([await ana.status(found.paymentId), await bob.status(his.paymentId)]).toEqual(['completed', 'pending'])
    expect([await ana.credits(), await bob.credits()]).toEqual([30, 0])
  })

  it('sells nothing for the token while the node is away or is one of another chain', async () => {
    const other = await network.aServer(kind, { env: { BASE_CHAIN_ID: '8453' } })
    const client = await aPerson(other.app, 'ana@example.org')
    const order = { amount: 10, method: 'token' }
    expect(await client.post('/api/billing/payment', order)).toMatchObject({
      status: 502,
      body: { code: 'payment.token-unavailable' },
    })
    expect(other.app.logs()).toContain('another chain than BASE_CHAIN_ID')
    const away = await network.aServer(kind, { env: { BASE_RPC_URL: 'http://127.0.0.1:1/key-of-the-operator' } })
    const again = await aPerson(away.app, 'ana@example.org')
    expect((await again.post('/api/billing/payment', order)).body).toMatchObject({ code: 'payment.token-unavailable' })
    expect(away.app.logs()).not.toContain('key-of-the-operator')
  })
})
