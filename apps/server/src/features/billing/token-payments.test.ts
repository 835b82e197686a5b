import { limits } from '@parley/contract/limits'
import { dollars } from '@parley/contract/money'
import type { Payment } from '@parley/contract/payments'
import { uuidv7 } from '@parley/contract/uuid'
import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { payments } from '../../db/payments-schema'
import { readEnv } from '../../env'
import { createEgress } from '../../providers/egress'
import { MemoryBus } from '../../providers/memory-bus'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { type FaultyWay, startFaultyWay } from '../../testing/faulty-way'
import { type LocalChain, startLocalChain } from '../../testing/local-chain'
import { aPerson, aWalletPerson, Client } from '../../testing/person'
import { CreditNews } from './credit-news-service'
import { LedgerService } from './ledger-service'
import { PaymentService } from './payment-service'
import { paymentWays } from './payment-ways'
import { ReconciliationService } from './reconciliation-service'

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
// Each test begins with a chain whose clock is its server's: going back takes the clock back as well.
beforeEach(async () => {
  await chain.reach(Date.now())
  const point = await chain.remember()
  return () => chain.restore(point)
})

/** After the end of a quote, when no transfer can come in time any more. */
const over = limits.payments.tokenMinutes * 60_000 + 2 * limits.payments.chainClockMs

/** Between the server and the chain's node. */
async function aWay(): Promise<FaultyWay> {
  const way = await startFaultyWay(chain.url)
  onTestFinished(() => way.close())
  return way
}
const methodOf = ({ body }: { body: string }): string => (JSON.parse(body) as { method: string }).method

type Quote = NonNullable<Payment['token']>

const callData = (to: Address, amount: string): Hex => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseUnits(amount, 18)] })

describe.each(databases)('payments with the token on %s', (kind) => {
  async function aShop({ takesToken = true, ...more }: { now?: () => number; env?: Record<string, string>; keepTables?: boolean; takesToken?: boolean } = {}) {
    const sale = {
      BASE_RPC_URL: chain.url,
      BASE_CHAIN_ID: String(chain.chainId),
      AIZ_TOKEN_ADDRESS: token,
      AIZ_TREASURY_ADDRESS: treasury.toUpperCase().replace('0X', '0x'),
      AIZ_USD_PRICE: '0.03',
    }
    const env = {
      ALLOW_PAYMENTS_ON_PGLITE: 'true',
      ...(takesToken ? sale : {}),
      SIGNUP_CREDITS: '0',
      RATE_LIMIT_SCALE: '0',
      ...more.env,
    }
    const app = await buildTestApp({ ...more, kind, env })
    const ledger = new LedgerService({ db: app.db, now: Date.now })
    const now = more.now ?? Date.now
    const ways = paymentWays(readEnv({ ...env, DATA_DIR: '.' }), createEgress(), now)
    const deps = { db: app.db, ledger, news: new CreditNews({ bus: new MemoryBus(), log: app.log }), ways, log: app.log, now }
    const payments = new PaymentService(deps)
    const sweep = () => payments.sweep()
    const reconcile = () => new ReconciliationService({ ...deps, payments }).run()
    return { app, ledger, sweep, reconcile }
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
    const client = await aWalletPerson(app, account)
    return { ...buyer(client), account, userId: client.answer.user.id }
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

  it('grants what was sent in time when its last blocks come after the end of the quote, though nobody asks again', async () => {
    let now = Date.now()
    const { app, sweep, ledger } = await aShop({ now: () => now })
    const ana = await aWallet(app)
    const [mined, late] = [await ana.quote(10), await ana.quote(20)]
    const hash = await chain.send({ to: token, data: callData(treasury, mined.aizAmount), from: ana.account })
    expect((await ana.report(mined.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    // Sent as well, but the node that the server asks has not heard of its block yet.
    const before = await chain.remember()
    const unseen = await chain.send({ to: token, data: callData(treasury, late.aizAmount), from: ana.account })
    await chain.restore(before)
    expect((await ana.report(late.paymentId, unseen)).body).toMatchObject({ code: 'payment.unconfirmed' })
    const states = async () => {
      const rows = await app.db.select({ id: payments.id, status: payments.status }).from(payments)
      return [mined, late].map(({ paymentId }) => rows.find(({ id }) => id === paymentId)?.status)
    }
    now = Date.parse(late.expires_at) + 1_000
    await chain.reach(now)
    await sweep()
    expect(await states()).toEqual(['pending', 'pending'])
    await chain.mine(deep)
    now += limits.payments.chainClockMs
    await chain.reach(now)
    await sweep()
    expect(await states()).toEqual(['completed', 'expired'])
    expect(await ledger.balance(ana.userId)).toBe(dollars(10))
  })

  it('grants what was sent in time and is named after the end of the quote, while the server ends it or later, though nobody asks again', async () => {
    let now = Date.now()
    const way = await aWay()
    const { app, sweep } = await aShop({ now: () => now, env: { BASE_RPC_URL: way.url } })
    const ana = await aWallet(app)
    const quotes = [await ana.quote(10), await ana.quote(20)] as const
    const [meanwhile, later] = quotes
    const hashes: Hex[] = []
    for (const { aizAmount } of quotes) hashes.push(await chain.send({ to: token, data: callData(treasury, aizAmount), from: ana.account }))
    const [sentMeanwhile = '0x', sentLater = '0x'] = hashes
    const nothing = `0x${'0'.repeat(64)}`
    expect((await ana.report(meanwhile.paymentId, nothing)).body).toMatchObject({ code: 'payment.unconfirmed' })
    now += over
    await ana.client.renew()
    // What was named first is found to be nothing: by then the right one has been named.
    way.before = async ({ body }) => {
      if (!body.includes(nothing)) return undefined
      way.mend()
      expect((await ana.report(meanwhile.paymentId, sentMeanwhile)).body).toMatchObject({ code: 'payment.unconfirmed' })
      return undefined
    }
    const states = () => Promise.all(quotes.map(({ paymentId }) => ana.status(paymentId)))
    await chain.reach(now)
    await sweep()
    expect(await states()).toEqual(['pending', 'expired'])
    expect((await ana.report(later.paymentId, sentLater)).body).toMatchObject({ code: 'payment.unconfirmed' })
    expect(await states()).toEqual(['pending', 'pending'])
    await chain.mine(deep)
    now += limits.payments.askAgainMs
    await sweep()
    expect(await states()).toEqual(['completed', 'completed'])
    expect(await ana.credits()).toBe(30)
  })

  it('finds by itself what nobody named, and what came in the place of what was named, by the payment that it names', async () => {
    let now = Date.now()
    const { app, sweep, ledger } = await aShop({ now: () => now })
    const [ana, bob] = [await aWallet(app), buyer(await aPerson(app, 'bob@example.org'))]
    const [left, replaced, his] = [await ana.quote(10), await ana.quote(20), await bob.quote(30)]
    const other = await chain.send({ to: token, data: left.data as Hex, from: ana.account })
    const nothing = `0x${'0'.repeat(64)}`
    expect((await ana.report(replaced.paymentId, nothing)).body).toMatchObject({ code: 'payment.unconfirmed' })
    const sent = await chain.send({ to: token, data: replaced.data as Hex, from: ana.account })
    await chain.send({ to: token, data: his.data as Hex })
    now += 2 * limits.payments.askAgainMs
    await sweep()
    expect(await Promise.all([ana.status(left.paymentId), ana.status(replaced.paymentId), bob.status(his.paymentId)])).toEqual(Array(3).fill('pending'))
    await chain.mine(deep)
    now += over
    await sweep()
    await Promise.all([ana.client.renew(), bob.client.renew()])
    expect([await ana.credits(), await bob.credits()]).toEqual([30, 30])
    expect(await Promise.all([ana.status(left.paymentId), ana.status(replaced.paymentId), bob.status(his.paymentId)])).toEqual(Array(3).fill('completed'))
    // Whose page still asks for what it named first hears that the money came, but not of money that paid something else.
    expect(await ana.report(replaced.paymentId, nothing)).toMatchObject({ status: 200, body: { status: 'completed', transaction_id: sent } })
    expect(await ana.report(replaced.paymentId, other)).toMatchObject({ status: 400, body: { code: 'payment.token-failed' } })
    expect((await ledger.check()).findings).toEqual([])
  })

  it('finds nothing in what names a payment and pays it too little, from another wallet than its account’s, or too late', async () => {
    let now = Date.now() - over
    const { app, sweep } = await aShop({ now: () => now })
    const [ana, bob] = [await aWallet(app), buyer(await aPerson(app, 'bob@example.org'))]
    const late = await bob.quote(30)
    now += over
    await Promise.all([ana.client.renew(), bob.client.renew()])
    const [others, less] = [await ana.quote(10), await bob.quote(20)]
    const markOf = ({ data }: Quote): Hex => `0x${data.slice(2 + 8 + 128)}`
    await chain.send({ to: token, data: others.data as Hex })
    await chain.send({ to: token, data: concatHex([callData(treasury, '1'), markOf(less)]) })
    await chain.send({ to: token, data: late.data as Hex })
    await chain.mine(deep)
    now += over
    await chain.reach(now)
    await sweep()
    await Promise.all([ana.client.renew(), bob.client.renew()])
    expect(await Promise.all([ana.status(others.paymentId), bob.status(less.paymentId), bob.status(late.paymentId)])).toEqual(Array(3).fill('expired'))
    expect([await ana.credits(), await bob.credits()]).toEqual([0, 0])
  })

  it('keeps a payment open for the transfer that was named, whatever else names the payment on the chain', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aWallet(app)
    const quote = await ana.quote(10)
    const hers = await chain.send({ to: token, data: callData(treasury, quote.aizAmount), from: ana.account })
    expect((await ana.report(quote.paymentId, hers)).body).toMatchObject({ code: 'payment.unconfirmed' })
    // From another wallet than hers.
    await chain.send({ to: token, data: quote.data as Hex })
    now += over
    await chain.reach(now)
    await sweep()
    await ana.client.renew()
    expect(await ana.status(quote.paymentId)).toBe('pending')
    await chain.mine(deep)
    now += limits.payments.askAgainMs
    await sweep()
    expect([await ana.status(quote.paymentId), await ana.credits()]).toEqual(['completed', 10])
  })

  it('keeps the transfer that was named in place of one that was found, and the one that was found where none was named', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aWallet(app)
    const noteOf = async (id: string) => ((await ana.client.send('GET', `/api/billing/payment/${id}`)).body as Payment).transaction_id
    const quotes = [await ana.quote(10), await ana.quote(10)] as const
    const hashOfHers = await chain.send({ to: token, data: callData(treasury, quotes[0].aizAmount), from: ana.account })
    expect((await ana.report(quotes[0].paymentId, hashOfHers)).status).toBe(409)
    const marked = [
      await chain.send({ to: token, data: quotes[0].data as Hex, from: ana.account }),
      await chain.send({ to: token, data: quotes[1].data as Hex, from: ana.account }),
    ]
    now += 2 * limits.payments.askAgainMs
    await sweep()
    expect([await noteOf(quotes[0].paymentId), await noteOf(quotes[1].paymentId)]).toEqual([hashOfHers, marked[1]])
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

  it('ends a payment for which a transfer was named that paid another one', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aWallet(app)
    const quotes = [await ana.quote(10), await ana.quote(10)]
    const hash = await chain.send({ to: token, data: callData(treasury, '333.3334'), from: ana.account })
    for (const { paymentId } of quotes) expect((await ana.report(paymentId, hash)).status).toBe(409)
    await chain.mine(deep)
    now += over
    await chain.reach(now)
    await sweep()
    await ana.client.renew()
    const statuses = await Promise.all(quotes.map(({ paymentId }) => ana.status(paymentId)))
    expect(statuses.sort()).toEqual(['completed', 'expired'])
    expect(await ana.credits()).toBe(10)
  })

  it('ends no payment while the node of the chain is behind, and grants what was sent in time once it has caught up', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const ana = await aWallet(app)
    const quotes = [await ana.quote(10), await ana.quote(20), await ana.quote(40)] as const
    const [named, unnamed] = quotes
    const states = () => Promise.all(quotes.map(({ paymentId }) => ana.status(paymentId)))
    const send = ({ data }: Quote): Promise<Hex> => chain.send({ to: token, data: data as Hex, from: ana.account })
    const before = await chain.remember()
    const hash = await send(named)
    // From here on the node has only the blocks from before the transfers.
    await chain.restore(before)
    expect((await ana.report(named.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    now += over
    await ana.client.renew()
    expect((await ana.report(named.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    await sweep()
    expect(await states()).toEqual(['pending', 'pending', 'pending'])
    expect(await send(named)).toBe(hash)
    await send(unnamed)
    await chain.mine(deep)
    now += limits.payments.askAgainMs
    await sweep()
    expect(await states()).toEqual(['completed', 'completed', 'pending'])
    await chain.reach(now)
    now += limits.payments.askAgainMs
    await sweep()
    expect(await states()).toEqual(['completed', 'completed', 'expired'])
    expect(await ana.credits()).toBe(30)
  })

  it('leaves a payment to the nodes that take the token, whichever looks first, and tells no person on another one that there is none', async () => {
    let now = Date.now()
    const env = { AUTH_SECRET: 'a secret of both nodes, of 32 characters or more' }
    const { app, sweep } = await aShop({ now: () => now, env })
    const other = await aShop({ now: () => now, env, keepTables: true, takesToken: false })
    const ana = await aWallet(app)
    const quote = await ana.quote(10)
    const hash = await chain.send({ to: token, data: quote.data as Hex, from: ana.account })
    const elsewhere = new Client(other.app, null)
    elsewhere.tokens = ana.client.tokens
    const path = `/api/billing/payment/${quote.paymentId}/transaction`
    expect(await elsewhere.post(path, { hash })).toMatchObject({ status: 502, body: { code: 'payment.token-unavailable' } })
    expect((await elsewhere.post(path.replace(quote.paymentId, uuidv7()), { hash })).status).toBe(404)
    await chain.mine(deep)
    now += over
    await chain.reach(now)
    await other.sweep()
    await ana.client.renew()
    expect(await ana.status(quote.paymentId)).toBe('pending')
    // Nor is it this one's turn only later.
    await sweep()
    expect([await ana.status(quote.paymentId), await ana.credits()]).toEqual(['completed', 10])
  })

  it('keeps a payment open while the node of the chain refuses to tell of its transfer', async () => {
    let now = Date.now()
    const way = await aWay()
    const { app, sweep } = await aShop({ now: () => now, env: { BASE_RPC_URL: way.url } })
    const ana = await aWallet(app)
    const quote = await ana.quote(10)
    const hash = await chain.send({ to: token, data: callData(treasury, quote.aizAmount), from: ana.account })
    expect((await ana.report(quote.paymentId, hash)).status).toBe(409)
    await chain.mine(deep)
    way.before = (call) => (methodOf(call) === 'eth_getTransactionReceipt' ? 429 : undefined)
    now += over
    await chain.reach(now)
    await sweep()
    await ana.client.renew()
    expect(await ana.status(quote.paymentId)).toBe('pending')
    way.mend()
    now += limits.payments.askAgainMs
    await sweep()
    expect([await ana.status(quote.paymentId), await ana.credits()]).toEqual(['completed', 10])
  })

  it('counts no blocks that came after the transfer’s own was dropped while it was read', async () => {
    const way = await aWay()
    const { app } = await aShop({ env: { BASE_RPC_URL: way.url } })
    const ana = await aWallet(app)
    const quote = await ana.quote(10)
    const point = await chain.remember()
    const hash = await chain.send({ to: token, data: callData(treasury, quote.aizAmount), from: ana.account })
    let [isRead, answers] = [false, 0]
    let drop = (): void => undefined
    const isDropped = new Promise<undefined>((resolve) => {
      drop = () => resolve(undefined)
    })
    way.before = (call) => {
      isRead ||= methodOf(call) === 'eth_getTransactionReceipt'
      return isRead && (methodOf(call) === 'eth_blockNumber' || call.body.includes('latest')) ? isDropped : undefined
    }
    way.after = async (call) => {
      if (isRead && ['eth_getBlockByNumber', 'eth_getTransactionByHash'].includes(methodOf(call))) answers += 1
      if (answers !== 2) return undefined
      answers += 1
      await chain.restore(point)
      await chain.mine(deep)
      drop()
      return undefined
    }
    expect((await ana.report(quote.paymentId, hash)).body).toMatchObject({ code: 'payment.unconfirmed' })
    await isDropped
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

  it('lets a wallet that is a contract pay, which wraps the transfer, and takes no transfer for whoever only stands beside it', async () => {
    let now = Date.now()
    const { app, sweep } = await aShop({ now: () => now })
    const [ana, bob] = [buyer(await aPerson(app, 'ana@example.org')), buyer(await aPerson(app, 'bob@example.org'))]
    const wallet = (await chain.deployWallet('0x0000000000000000000000000000000000000001')) as Address
    await chain.send({ to: token, data: callData(wallet, '100000') })
    const execute = (data: Hex): Hex =>
      encodeFunctionData({ abi: parseAbi(['function execute(address to, bytes data)']), functionName: 'execute', args: [token, data] })
    const [hers, found, wished, his] = [await ana.quote(10), await ana.quote(10), await ana.quote(10), await bob.quote(10)]
    const named = await chain.send({ to: wallet, data: execute(hers.data as Hex) })
    await chain.send({ to: wallet, data: execute(concatHex([found.data as Hex, '0x8021'])) })
    // Whoever passes her transfer on writes what is his own behind it, as a mark or as another call.
    const mark: Hex = `0x${his.data.slice(2 + 8 + 128)}`
    const marked = await chain.send({ to: wallet, data: concatHex([execute(wished.data as Hex), mark]) })
    const both = await chain.send({ to: wallet, data: concatHex([execute(wished.data as Hex), his.data as Hex]) })
    await chain.mine(deep)
    expect((await ana.report(hers.paymentId, named)).body).toMatchObject({ status: 'completed' })
    for (const hash of [marked, both]) expect((await bob.report(his.paymentId, hash)).body).toMatchObject({ code: 'payment.token-failed' })
    expect((await ana.report(wished.paymentId, both)).body).toMatchObject({ code: 'payment.token-failed' })
    expect((await ana.report(wished.paymentId, marked)).body).toMatchObject({ status: 'completed' })
    now += 2 * limits.payments.askAgainMs
    await sweep()
    expect([await ana.status(found.paymentId), await bob.status(his.paymentId)]).toEqual(['completed', 'pending'])
    expect([await ana.credits(), await bob.credits()]).toEqual([30, 0])
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
