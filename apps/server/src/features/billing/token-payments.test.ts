import { limits } from '@parley/contract/limits'
import { dollars } from '@parley/contract/money'
import type { Payment } from '@parley/contract/payments'
import { uuidv7 } from '@parley/contract/uuid'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payments } from '../../db/payments-schema'
import { readEnv } from '../../env'
import { createEgress } from '../../providers/egress'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { type LocalChain, startLocalChain } from '../../testing/local-chain'
import { aPerson, Client } from '../../testing/person'
import { LedgerService } from './ledger-service'
import { PaymentService } from './payment-service'
import { paymentWays } from './payment-ways'

const treasury: Address = '0x7ea5000000000000000000000000000000000001'
const stranger: Address = '0x0bad000000000000000000000000000000000002'
const deep = limits.payments.confirmations

let chain: LocalChain
let token: Address
let otherToken: Address
beforeAll(async () => {
  chain = await startLocalChain()
  token = await chain.deployToken(18)
  otherToken = await chain.deployToken(18)
})
afterAll(() => chain.close())

type Quote = NonNullable<Payment['token']>

const callData = (to: Address, amount: string): Hex => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseUnits(amount, 18)] })

describe.each(databases)('payments with the token on %s', (kind) => {
  async function aShop(more: { now?: () => number; env?: Record<string, string> } = {}) {
    const env = {
      ALLOW_PAYMENTS_ON_PGLITE: 'true',
      BASE_RPC_URL: chain.url,
      BASE_CHAIN_ID: String(chain.chainId),
      AIZ_TOKEN_ADDRESS: token,
      AIZ_TREASURY_ADDRESS: treasury.toUpperCase().replace('0X', '0x'),
      AIZ_USD_PRICE: '0.03',
      RATE_LIMIT_SCALE: '0',
      ...more.env,
    }
    const app = await buildTestApp({ ...more, kind, env })
    const ledger = new LedgerService({ db: app.db, now: Date.now })
    const now = more.now ?? Date.now
    const ways = paymentWays(readEnv({ ...env, DATA_DIR: '.' }), createEgress(), now)
    const sweep = () => new PaymentService({ db: app.db, ledger, ways, log: app.log, now }).sweep()
    return { app, ledger, sweep }
  }

  const buyer = (client: Client) => ({
    client,
    async quote(amount: number): Promise<Quote> {
      const { status, body } = await client.post('/api/billing/payment', { amount, method: 'token' })
      expect(status).toBe(201)
      const { token: quote } = body as Payment
      if (!quote) throw new Error('no quote')
      return quote
    },
    report: (id: string, hash: string) => client.post(`/api/billing/payment/${id}/transaction`, { hash }),
    credits: async () => ((await client.send('GET', '/api/billing/credit/user')).body as { amount: number }).amount,
    status: async (id: string) => ((await client.send('GET', `/api/billing/payment/${id}`)).body as Payment).status,
  })

  /** Somebody who signed in with a wallet, which has coins for fees and tokens. */
  async function aWallet(app: TestApp) {
    const account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())
    await chain.fund(account.address)
    await chain.send({ to: token, data: callData(account.address, '100000') })
    const client = new Client(app)
    const challenge = await client.post(`/api/auth/web3/ethereum/requestChallenge/${account.address}`, {})
    const { message } = (challenge.body as { data: { message: string } }).data
    const signedIn = client.admit(await client.post('/api/auth/web3/ethereum/verifyChallenge', { message, signature: await account.signMessage({ message }) }))
    return { ...buyer(client), account, userId: signedIn.user.id }
  }

  it('quotes the token and grants the credits once its transfer is deep enough in the chain [ST-159, CH-163]', async () => {
    const { app, ledger } = await aShop()
    const ana = await aWallet(app)
    const quote = await ana.quote(10)
    expect(quote).toMatchObject({ chainId: chain.chainId, token: token.toLowerCase(), treasury, aizAmount: '333.3334' })
    const hash = await chain.send({ to: token, data: callData(treasury, '333.3334'), from: ana.account })
    const early = await ana.report(quote.paymentId, hash)
    expect(early).toMatchObject({ status: 409, body: { code: 'payment.unconfirmed' } })
    expect(early.headers.get('retry-after')).not.toBeNull()
    expect(await ana.credits()).toBe(0)
    await chain.mine(deep - 2)
    expect((await ana.report(quote.paymentId, hash)).status).toBe(409)
    await chain.mine(1)
    expect(await ana.report(quote.paymentId, hash)).toMatchObject({ status: 200, body: { status: 'completed', transaction_id: hash } })
    expect(await ana.report(quote.paymentId, hash.toUpperCase().replace('0X', '0x'))).toMatchObject({ status: 200, body: { status: 'completed' } })
    expect(await ana.credits()).toBe(10)
    expect((await ledger.check()).findings).toEqual([])
  })

  it('takes no transfer of another token, to somebody else, of less, or that was reverted', async () => {
    const { app } = await aShop()
    const ana = await aWallet(app)
    const quote = await ana.quote(10)
    await chain.send({ to: otherToken, data: callData(ana.account.address, '1000') })
    const wrong = [
      await chain.send({ to: otherToken, data: callData(treasury, '333.3334'), from: ana.account }),
      await chain.send({ to: token, data: callData(stranger, '333.3334'), from: ana.account }),
      await chain.send({ to: token, data: callData(treasury, '333.3333'), from: ana.account }),
      await chain.send({ to: token, data: callData(treasury, '999999'), from: ana.account }),
    ]
    await chain.mine(deep)
    for (const hash of wrong)
      expect(await ana.report(quote.paymentId, hash)).toMatchObject({
        status: 400,
        body: { code: 'payment.token-failed', message: 'Failed to process the token payment' },
      })
    for (const text of ['', '0x', '0x12', `0x${'g'.repeat(64)}`, `${'a'.repeat(66)}`]) expect((await ana.report(quote.paymentId, text)).status, text).toBe(400)
    expect(await ana.report(quote.paymentId, `0x${'0'.repeat(64)}`)).toMatchObject({ status: 409, body: { code: 'payment.unconfirmed' } })
    expect([await ana.credits(), await ana.status(quote.paymentId)]).toEqual([0, 'pending'])
  })

  it('takes a transfer from the wallet of the account only, and names the mismatch [ST-170]', async () => {
    const { app } = await aShop()
    const [ana, bob] = [await aWallet(app), await aWallet(app)]
    const quote = await ana.quote(10)
    const hash = await chain.send({ to: token, data: callData(treasury, quote.aizAmount), from: bob.account })
    await chain.mine(deep)
    expect(await ana.report(quote.paymentId, hash)).toMatchObject({
      status: 400,
      body: { code: 'payment.wrong-account', message: 'The connected wallet does not match your account.' },
    })
    expect((await bob.report(quote.paymentId, hash)).status).toBe(404)
    expect([await ana.credits(), await bob.credits()]).toEqual([0, 0])
  })

  it('lets a transfer pay one payment, also when it is named for two at once', async () => {
    const { app, ledger } = await aShop()
    const ana = await aWallet(app)
    const quotes = [await ana.quote(10), await ana.quote(10), await ana.quote(10)]
    const hash = await chain.send({ to: token, data: callData(treasury, '333.3334'), from: ana.account })
    await chain.mine(deep)
    const answers = await Promise.all(quotes.flatMap(({ paymentId }) => [ana.report(paymentId, hash), ana.report(paymentId, hash)]))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400, 400])
    expect(await ana.credits()).toBe(10)
    expect((await ledger.check()).findings).toEqual([])
  })

  it('takes no transfer from before the quote, and none from after its end', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aWallet(app)
    const early = await chain.send({ to: token, data: callData(treasury, '333.3334'), from: ana.account })
    await chain.mine(deep)
    now += 10 * 60_000
    const quote = await ana.quote(10)
    expect(await ana.report(quote.paymentId, early)).toMatchObject({ status: 400, body: { code: 'payment.token-failed' } })
    now = Date.now()
    const [id, hour] = [uuidv7(), 60 * 60_000]
    const terms = { chainId: chain.chainId, token: token.toLowerCase(), treasury, aizAmount: '333.3334' }
    const asked = parseUnits(terms.aizAmount, 18)
    const times = { createdAt: new Date(now - hour), updatedAt: new Date(now - hour), askedAt: new Date(now - hour), expiresAt: new Date(now - hour / 2) }
    const old = { id, userId: ana.userId, amount: dollars(10), method: 'token', status: 'pending', asked, currency: 'aiz', terms, ...times } as const
    await app.db.insert(payments).values(old)
    expect(await ana.report(id, early)).toMatchObject({ status: 410, body: { code: 'payment.expired' } })
    await sweep()
    expect(await ana.status(id)).toBe('expired')
    expect(await ana.credits()).toBe(0)
  })

  it('grants by itself what was reported too early, when the blocks have come', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aWallet(app)
    const quote = await ana.quote(10)
    const hash = await chain.send({ to: token, data: callData(treasury, quote.aizAmount), from: ana.account })
    expect((await ana.report(quote.paymentId, hash)).status).toBe(409)
    await chain.mine(deep)
    now += 2 * limits.payments.askAgainMs
    await sweep()
    expect([await ana.status(quote.paymentId), await ana.credits()]).toEqual(['completed', 10])
  })

  it('forgets a transfer whose block the chain dropped', async () => {
    const { app } = await aShop()
    const ana = await aWallet(app)
    const quote = await ana.quote(10)
    const point = await chain.remember()
    const hash = await chain.send({ to: token, data: callData(treasury, quote.aizAmount), from: ana.account })
    expect((await ana.report(quote.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    await chain.restore(point)
    await chain.mine(2 * deep)
    expect((await ana.report(quote.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    expect(await ana.credits()).toBe(0)
  })

  it('lets people without a wallet account pay from any wallet, by a transfer that names their payment', async () => {
    const { app } = await aShop()
    const [ana, bob] = [buyer(await aPerson(app, 'ana@example.org')), buyer(await aPerson(app, 'bob@example.org'))]
    const [hers, his] = [await ana.quote(10), await bob.quote(10)]
    const unnamed = await chain.send({ to: token, data: callData(treasury, hers.aizAmount) })
    const named = await chain.send({ to: token, data: hers.data as Hex })
    await chain.mine(deep)
    expect((await ana.report(hers.paymentId, unnamed)).body).toMatchObject({ code: 'payment.token-failed' })
    // The chain is public: what Ana sent is there for everybody to see.
    expect((await bob.report(his.paymentId, named)).body).toMatchObject({ code: 'payment.token-failed' })
    expect((await ana.report(hers.paymentId, named)).body).toMatchObject({ status: 'completed' })
    expect([await ana.credits(), await bob.credits()]).toEqual([10, 0])
  })

  it('sells nothing for the token while the node is away or is one of another chain', async () => {
    const other = await aShop({ env: { BASE_CHAIN_ID: '8453' } })
    const client = await aPerson(other.app, 'ana@example.org')
    const wish = { amount: 10, method: 'token' }
    expect(await client.post('/api/billing/payment', wish)).toMatchObject({ status: 502, body: { code: 'payment.token-unavailable' } })
    expect(other.app.logs()).toContain('another chain than BASE_CHAIN_ID')
    const away = await aShop({ env: { BASE_RPC_URL: 'http://127.0.0.1:1/key-of-the-operator' } })
    const again = await aPerson(away.app, 'ana@example.org')
    expect((await again.post('/api/billing/payment', wish)).body).toMatchObject({ code: 'payment.token-unavailable' })
    expect(away.app.logs()).not.toContain('key-of-the-operator')
  })
})
