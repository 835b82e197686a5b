import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dollars } from '@parley/contract/money'
import type { Payment } from '@parley/contract/payments'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../db/client'
import { readEnv } from '../../env'
import { createLogger } from '../../plugins/logging'
import { createEgress } from '../../providers/egress'
import { MemoryBus } from '../../providers/memory-bus'
import { buildTestApp } from '../../testing/build-test-app'
import type { StandInCall } from '../../testing/http-stand-in'
import { aPersonWith } from '../../testing/ledger-people'
import type { PaymentDeath } from '../../testing/payment-deaths'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { createDatabase } from '../../testing/postgresql'
import { ended, outputUntil, processTimeout, runSource } from '../../testing/run-source'
import { isDeep } from '../../testing/seeded'
import { databases } from '../../testing/test-databases'
import { CreditNews } from './credit-news-service'
import { LedgerService } from './ledger-service'
import { PaymentService } from './payment-service'
import { paymentWays } from './payment-ways'

type Death = PaymentDeath | 'before asking the provider' | 'after asking the provider'
type AtProvider = Extract<Death, `${string} asking the provider`>

/** Where a process that completes a payment dies, and what is there then. */
const everyDeath: readonly (readonly [Death, string])[] = [
  ['before storing the notice', 'pending'],
  ['after storing the notice', 'pending'],
  ['before asking the provider', 'pending'],
  ['after asking the provider', 'pending'],
  ['before locking the payment', 'pending'],
  ['after booking the transaction', 'pending'],
  ['after changing the balance', 'pending'],
  ['after booking the entries', 'pending'],
  ['after changing the payment', 'pending'],
  ['during the commit', 'pending or completed'],
  ['after the commit', 'completed'],
  ['after closing the notice', 'completed'],
]
/** Each process takes a second to begin, and with the embedded database several: `npm run test:deep` has every death. */
const mainDeaths: readonly Death[] = [
  'after storing the notice',
  'after asking the provider',
  'after booking the entries',
  'during the commit',
  'after the commit',
]

/** Where one that starts a purchase dies, and whether the provider has heard of it. */
const everyDeathOfStarts: readonly (readonly [Death, boolean])[] = [
  ['before storing the payment', false],
  ['after storing the payment', false],
  ['before asking the provider', false],
  ['after asking the provider', true],
  ['before changing the payment', true],
  ['after changing the payment', true],
]
const mainDeathsOfStarts: readonly Death[] = ['after storing the payment', 'after asking the provider', 'after changing the payment']

const sides: Record<AtProvider, 'before' | 'after'> = { 'before asking the provider': 'before', 'after asking the provider': 'after' }
const isAtProvider = (death: Death): death is AtProvider => death in sides

const log = createLogger({ level: 'fatal' })
const news = new CreditNews({ bus: new MemoryBus(), log })
const onCrash = (error: Error): void => {
  throw error
}

let providers: PaymentProviders
beforeAll(async () => {
  providers = await startPaymentProviders()
})
afterAll(() => providers.close())

describe.each(databases)('a process that sells credits and is killed, on %s', { timeout: processTimeout }, (kind) => {
  const steps = everyDeath.filter(([death]) => isDeep || mainDeaths.includes(death))
  const stepsOfStarts = everyDeathOfStarts.filter(([death]) => isDeep || mainDeathsOfStarts.includes(death))

  async function aPlace() {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-payments-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const server = kind === 'postgresql' ? await createDatabase() : undefined
    if (server) onTestFinished(server.drop)
    const env = { ...providers.env, AUTH_SECRET: randomUUID(), DATA_DIR: dataDir }
    const open = () => openDatabase({ databaseUrl: server?.url, dataDir, log, onCrash })
    /** A process of its own, and what it is told while it lives. */
    const start = async (dieAt: string) => {
      const child = runSource('testing/payment-node.ts', [], { ...env, PORT: '0', DIE_AT: dieAt, ...(server ? { DATABASE_URL: server.url } : {}) })
      const url = (await outputUntil(child, /http\S+\n/)).trim()
      const kill = () => child.kill('SIGKILL')
      const tell = (path: string, init: RequestInit) =>
        fetch(`${url}${path}`, { method: 'POST', ...init }).then(
          ({ status }) => status,
          () => 'nothing' as const,
        )
      return { tell, kill, isDead: () => ended(child) }
    }
    return { env, open, start }
  }

  /** The payment of a person, by one provider and the other in turn, and the provider's notice of it. */
  const noticeOf = (id: string, n: number) => {
    const { stripe, mercadoPago } = providers
    if (n % 2 === 0) {
      const session = stripe.change(id, { status: 'complete', isPaid: true })
      return { at: session.id, path: '/api/billing/webhooks/stripe', ...stripe.event('checkout.session.completed', session) }
    }
    const payment = mercadoPago.change(id, { status: 'approved' })
    const { query, ...notice } = mercadoPago.notification(payment.id)
    return { at: String(payment.id), path: `/api/billing/webhooks/mercadopago${query}`, ...notice }
  }

  /** Holds calls about one thing up for ever; resolves when one has come so far. */
  function holdUp(n: number, side: 'before' | 'after', isIt: (call: StandInCall) => boolean): Promise<void> {
    const way = n % 2 === 0 ? providers.ways.card : providers.ways.pix
    return new Promise((resolve) => {
      way[side] = (call) => {
        if (!isIt(call)) return undefined
        resolve()
        return new Promise(() => undefined)
      }
    })
  }

  it('at each step of completing a payment has granted it or not, and the notice repeated or the next look grants it once', async () => {
    const { env, open, start } = await aPlace()
    const first = await open()
    const serviceOn = (db: typeof first.db, now = Date.now) => {
      const ledger = new LedgerService({ db, now })
      return { ledger, payments: new PaymentService({ db, news, ledger, log, now, ways: paymentWays(readEnv(env), createEgress(), now) }) }
    }
    const before = serviceOn(first.db)
    const userId = await aPersonWith(first.db, before.ledger, '0')
    const notices: ({ id: string } & ReturnType<typeof noticeOf>)[] = []
    for (const n of steps.keys()) {
      const { id } = await before.payments.start(userId, { amount: n + 1, method: n % 2 === 0 ? 'card' : 'pix', key: undefined })
      notices.push({ id, ...noticeOf(id, n) })
    }
    await first.close()

    const dieAt = async (n: number): Promise<void> => {
      const death = steps[n]?.[0]
      if (death === undefined) throw new Error(`there is no death ${n}`)
      const { path, body, headers, at } = notices[n] ?? noticeOf('', n)
      const side = isAtProvider(death) ? sides[death] : undefined
      const { tell, kill, isDead } = await start(side === undefined ? death : '')
      const isHeld = side === undefined ? undefined : holdUp(n, side, ({ url }) => url.pathname.endsWith(`/${at}`))
      const told = tell(path, { body, headers })
      if (isHeld) {
        await isHeld
        kill()
      }
      expect(await told, death).toBe('nothing')
      expect(await isDead(), death).toBe(null)
      providers.ways[n % 2 === 0 ? 'card' : 'pix'].mend()
    }
    // One process at a time has the embedded database; elsewhere two die beside each other, on the same balance.
    const lanes = kind === 'pglite' ? [0] : [0, 1]
    await Promise.all(
      lanes.map(async (lane) => {
        for (let n = lane; n < steps.length; n += lanes.length) await dieAt(n)
      }),
    )

    const database = await open()
    onTestFinished(database.close)
    const later = () => Date.now() + 120_000
    const app = await buildTestApp({ database, keepTables: true, env, now: Date.now })
    const { ledger, payments } = serviceOn(app.db, later)
    const statusOf = async (n: number): Promise<Payment['status']> => (await payments.get(userId, notices[n]?.id ?? '')).status
    const repeat = async (n: number): Promise<number[]> => {
      const { path, body, headers } = notices[n] ?? noticeOf('', n)
      const call = () => app.call(path, { method: 'POST', body, headers })
      return (await Promise.all([call(), call()])).map(({ status }) => status)
    }
    expect((await ledger.check()).findings).toEqual([])
    let granted = 0
    for (const [n, [death, status]] of steps.entries()) {
      expect(status.split(' or '), death).toContain(await statusOf(n))
      if ((await statusOf(n)) === 'completed') granted += n + 1
    }
    expect(await ledger.balance(userId)).toBe(dollars(granted))

    // Of each provider and each step some are told again, and some are found.
    for (const n of steps.keys()) if (n % 4 < 2) expect(await repeat(n)).toEqual([200, 200])
    const told = [...steps.keys()].filter((n) => n % 4 < 2)
    for (const n of told) expect(await statusOf(n)).toBe('completed')
    await payments.sweep()
    for (const n of steps.keys()) {
      expect(await statusOf(n)).toBe('completed')
      expect(await repeat(n)).toEqual([200, 200])
    }
    expect(await ledger.balance(userId)).toBe(dollars((steps.length * (steps.length + 1)) / 2))
    expect((await ledger.check()).findings).toEqual([])
  })

  it('at each step of starting a purchase has started one at most, which the same key goes on with', async () => {
    const { env, open, start } = await aPlace()
    const first = await open()
    const userId = await aPersonWith(first.db, new LedgerService({ db: first.db, now: Date.now }), '0')
    await first.close()
    const wish = (n: number) => ({
      headers: { 'content-type': 'application/json', authorization: `Bearer ${userId}`, 'idempotency-key': `click-${n}` },
      body: JSON.stringify({ amount: n + 1, method: n % 2 === 0 ? 'card' : 'pix' }),
    })
    const path = '/api/billing/payment'
    const made = (): number => providers.stripe.sessions.length + providers.mercadoPago.payments.length
    const before = made()
    for (const [n, [death]] of stepsOfStarts.entries()) {
      const side = isAtProvider(death) ? sides[death] : undefined
      const { tell, kill, isDead } = await start(side === undefined ? death : '')
      const isHeld = side === undefined ? undefined : holdUp(n, side, ({ method }) => method === 'POST')
      const told = tell(path, wish(n))
      if (isHeld) {
        await isHeld
        kill()
      }
      expect(await told, death).toBe('nothing')
      expect(await isDead(), death).toBe(null)
      providers.ways[n % 2 === 0 ? 'card' : 'pix'].mend()
    }
    expect(made() - before).toBe(stepsOfStarts.filter(([, isHeard]) => isHeard).length)

    const database = await open()
    onTestFinished(database.close)
    const ledger = new LedgerService({ db: database.db, now: Date.now })
    const ways = paymentWays(readEnv(env), createEgress(), Date.now)
    const payments = new PaymentService({ db: database.db, news, ledger, log, now: Date.now, ways })
    expect(await payments.list(userId)).toHaveLength(stepsOfStarts.filter(([death]) => death !== 'before storing the payment').length)
    for (const n of stepsOfStarts.keys()) {
      const again = () => payments.start(userId, { amount: n + 1, method: n % 2 === 0 ? 'card' : 'pix', key: `click-${n}` })
      const [one, other] = await Promise.all([again(), again()])
      expect(one).toEqual(other)
      expect(one.status).toBe('pending')
      expect(one.payment_url ?? one.pix?.qr_code).toBeDefined()
      noticeOf(one.id, n)
      await payments[n % 2 === 0 ? 'get' : 'checkPix'](userId, one.id)
    }
    expect(made() - before).toBe(stepsOfStarts.length)
    expect(await payments.list(userId)).toHaveLength(stepsOfStarts.length)
    await new PaymentService({ db: database.db, news, ledger, log, now: () => Date.now() + 120_000, ways }).sweep()
    expect((await payments.list(userId)).map(({ status }) => status)).toEqual(stepsOfStarts.map(() => 'completed'))
    expect(await ledger.balance(userId)).toBe(dollars((stepsOfStarts.length * (stepsOfStarts.length + 1)) / 2))
    expect((await ledger.check()).findings).toEqual([])
  })
})
