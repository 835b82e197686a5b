import { serverLimits } from '@parley/contract/limits/server'
import type { Payment } from '@parley/contract/payments'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import type { DatabaseKind } from '../db/client'
import { readEnv } from '../env'
import { CreditEvents } from '../features/credits/public/credit-events'
import { LedgerService } from '../features/credits/public/ledger'
import { createPaymentMethods } from '../features/payments/payment-methods'
import { PaymentService } from '../features/payments/payment-service'
import { MemoryBus } from '../providers/bus/memory-bus'
import { createEgress } from '../providers/egress'
import { buildTestApp, type TestApp } from './build-test-app'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy'
import { type LocalChain, startLocalChain } from './local-chain'
import { aWalletPerson, type Client } from './person'

export type Quote = NonNullable<Payment['token']>
type ServerOptions = {
  now?: () => number
  env?: Record<string, string>
  keepTables?: boolean
  acceptsToken?: boolean
}

export const treasury: Address = '0x7ea5000000000000000000000000000000000001'
export const { confirmations } = serverLimits.payments
/** So long after its quote, a payment cannot be paid in time any more. */
export const quoteLifeMs = serverLimits.payments.tokenMinutes * 60_000 + 2 * serverLimits.payments.chainClockMs

export const transferData = (to: Address, amount: string): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseUnits(amount, 18)] })
export const methodOf = ({ body }: { body: string }): string => (JSON.parse(body) as { method: string }).method

/** A person's calls to buy with the token. */
export const tokenBuyer = (client: Client) => ({
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

/**
 * Starts a chain with two tokens for all tests of a file. Each test begins with a chain whose clock is that of its
 * server; the chain is restored after the test, its clock with it.
 */
export function useTokenNetwork() {
  let started: { chain: LocalChain; token: Address; otherToken: Address } | undefined
  const running = () => {
    if (!started) throw new Error('the chain runs only during tests')
    return started
  }
  beforeAll(async () => {
    const chain = await startLocalChain()
    started = { chain, token: await chain.deployToken(18), otherToken: await chain.deployToken(18) }
  })
  afterAll(() => started?.chain.close())
  beforeEach(async () => {
    const { chain } = running()
    await chain.reach(Date.now())
    const point = await chain.remember()
    return () => chain.restore(point)
  })
  return {
    get chain() {
      return running().chain
    },
    get token() {
      return running().token
    },
    get otherToken() {
      return running().otherToken
    },

    /** A server that accepts the first token, and the services of one more node on its database. */
    async aServer(kind: DatabaseKind, { acceptsToken = true, ...more }: ServerOptions = {}) {
      const { chain, token } = running()
      const sale = {
        BASE_RPC_URL: chain.url,
        BASE_CHAIN_ID: String(chain.chainId),
        AIZ_TOKEN_ADDRESS: token,
        AIZ_TREASURY_ADDRESS: treasury.toUpperCase().replace('0X', '0x'),
        AIZ_USD_PRICE: '0.03',
      }
      const env = {
        ALLOW_PAYMENTS_ON_PGLITE: 'true',
        ...(acceptsToken ? sale : {}),
        SIGNUP_CREDITS: '0',
        RATE_LIMIT_SCALE: '0',
        ...more.env,
      }
      const app = await buildTestApp({ ...more, kind, env })
      const now = more.now ?? Date.now
      const ledger = new LedgerService({ db: app.db, now: Date.now })
      const methods = createPaymentMethods(readEnv({ ...env, DATA_DIR: '.' }), createEgress(), now)
      const creditEvents = new CreditEvents({ bus: new MemoryBus(), log: app.log })
      const payments = new PaymentService({ db: app.db, ledger, creditEvents, methods, log: app.log, now })
      return { app, ledger, sweep: () => payments.sweep() }
    },

    /** A person who signed in with a wallet that has coins for fees and tokens. */
    async aWallet(app: TestApp) {
      const { chain, token } = running()
      const account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())
      await chain.fund(account.address)
      await chain.send({ to: token, data: transferData(account.address, '100000') })
      const client = await aWalletPerson(app, account)
      return { ...tokenBuyer(client), account, userId: client.answer.user.id }
    },

    /** A proxy between the server and the chain's node. */
    async aProxy(): Promise<FaultyProxy> {
      const proxy = await startFaultyProxy(running().chain.url)
      onTestFinished(() => proxy.close())
      return proxy
    },
  }
}
