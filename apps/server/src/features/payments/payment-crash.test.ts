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
import { MemoryBus } from '../../providers/bus/memory-bus'
import { createEgress } from '../../providers/egress'
import { buildTestApp } from '../../testing/build-test-app'
import type { StandInCall } from '../../testing/http-stand-in'
import { aPersonWith } from '../../testing/ledger-people'
import type { CrashPoint } from '../../testing/payment-crash-points'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { createDatabase } from '../../testing/postgresql'
import { ended, outputUntil, processTimeout, runSource } from '../../testing/run-source'
import { isDeep } from '../../testing/seeded'
import { databases } from '../../testing/test-databases'
import { CreditEvents } from '../credits/public/credit-events'
import { LedgerService } from '../credits/public/ledger'
import { createPaymentMethods } from './payment-methods'
import { PaymentService } from './payment-service'

type Crash = CrashPoint | 'before asking the provider' | 'after asking the provider'
type AtProvider = Extract<Crash, `${string} asking the provider`>

/** Where a process dies that completes a payment, and the status of the payment then. */
const completionCrashes: readonly (readonly [Crash, string])[] = [
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
/** The crashes of a normal run: a process takes a second to start, or several. `npm run test:deep` runs all of them. */
const mainCompletionCrashes: readonly Crash[] = [
  'after storing the notice',
  'after asking the provider',
  'after booking the entries',
  'during the commit',
  'after the commit',
]

/** Where a process dies that starts a payment, and whether the provider has created it then. */
const startCrashes: readonly (readonly [Crash, boolean])[] = [
  ['before storing the payment', false],
  ['after storing the payment', false],
  ['before asking the provider', false],
  ['after asking the provider', true],
  ['before changing the payment', true],
  ['after changing the payment', true],
]
const mainStartCrashes: readonly Crash[] = [
  'after storing the payment',
  'after asking the provider',
  'after changing the payment',
]

const sides: Record<AtProvider, 'before' | 'after'> = {
  'before asking the provider': 'before',
  'after asking the provider': 'after',
}
const isAtProvider = (crash: Crash): crash is AtProvider => crash in sides

const log = createLogger({ level: 'fatal' })
const creditEvents = new CreditEvents({ bus: new MemoryBus(), log })
const onCrash = (error: Error): void => {
  throw error
}

let providers: PaymentProviders
beforeAll(async () => {
  providers = await startPaymentProviders()
})
afterAll(() => providers.close())

describe.each(databases)('a process that sells credits and is killed, on %s', { timeout: processTimeout }, (kind) => {
  const crashes = completionCrashes.filter(([crash]) => isDeep || mainCompletionCrashes.includes(crash))
  const crashesOfStarts = startCrashes.filter(([crash]) => isDeep || mainStartCrashes.includes(crash))

  async function anEnvironment() {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-payments-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const server = kind === 'postgresql' ? await createDatabase() : undefined
    if (server) onTestFinished(server.drop)
    const env = { ...providers.env, AUTH_SECRET: randomUUID(), DATA_DIR: dataDir }
    const open = () => openDatabase({ databaseUrl: server?.url, dataDir, log, onCrash })
    /**
     * Starts a server process that dies at this crash point. `post` resolves to the status, or `nothing` if it dies.
     */
    const start = async (dieAt: string) => {
      const child = runSource('testing/payment-node.ts', [], {
        ...env,
        PORT: '0',
        DIE_AT: dieAt,
        ...(server ? { DATABASE_URL: server.url } : {}),
      })
      const url = (await outputUntil(child, /http\S+\n/)).trim()
      const kill = () => child.kill('SIGKILL')
      const post = (path: string, init: RequestInit) =>
        fetch(`${url}${path}`, { method: 'POST', ...init }).then(
          ({ status }) => status,
          () => 'nothing' as const,
        )
      return { post, kill, isDead: () => ended(child) }
    }
    return { env, open, start }
  }

  /** Pays a payment at its provider and returns the webhook about it. Even payments are by card, odd ones by Pix. */
  const webhookOf = (id: string, n: number) => {
    const { stripe, mercadoPago } = providers
    if (n % 2 === 0) {
      const session = stripe.change(id, { status: 'complete', isPaid: true })
      return {
        at: session.id,
        path: '/api/billing/webhooks/stripe',
        ...stripe.event('checkout.session.completed', session),
      }
    }
    const payment = mercadoPago.change(id, { status: 'approved' })
    const { query, ...webhook } = mercadoPago.notification(payment.id)
    return { at: String(payment.id), path: `/api/billing/webhooks/mercadopago${query}`, ...webhook }
  }

  /** Delays these calls to a provider forever; resolves at the first one. */
  function delayCalls(n: number, side: 'before' | 'after', isIt: (call: StandInCall) => boolean): Promise<void> {
    const proxy = n % 2 === 0 ? providers.proxies.card : providers.proxies.pix
    return new Promise((resolve) => {
      proxy[side] = (call) => {
        if (!isIt(call)) return undefined
        resolve()
        return new Promise(() => undefined)
      }
    })
  }

  it('at each step of completing a payment has granted it or not, and the notice repeated or the next look grants it once', async () => {
    const { env, open, start } = await anEnvironment()
    const first = await open()
    const serviceOn = (db: typeof first.db, now = Date.now) => {
      const ledger = new LedgerService({ db, now })
      return {
        ledger,
        payments: new PaymentService({
          db,
          creditEvents,
          ledger,
          log,
          now,
          methods: createPaymentMethods(readEnv(env), createEgress(), now),
        }),
      }
    }
    const before = serviceOn(first.db)
    const userId = await aPersonWith(first.db, before.ledger, '0')
    const webhooks: ({ id: string } & ReturnType<typeof webhookOf>)[] = []
    for (const n of crashes.keys()) {
      const { id } = await before.payments.start(userId, {
        amount: n + 1,
        method: n % 2 === 0 ? 'card' : 'pix',
        key: undefined,
      })
      webhooks.push({ id, ...webhookOf(id, n) })
    }
    await first.close()

    const dieAt = async (n: number): Promise<void> => {
      const crash = crashes[n]?.[0]
      if (crash === undefined) throw new Error(`there is no crash ${n}`)
      const { path, body, headers, at } = webhooks[n] ?? webhookOf('', n)
      const side = isAtProvider(crash) ? sides[crash] : undefined
      const { post, kill, isDead } = await start(side === undefined ? crash : '')
      const isDelayed =
        side === undefined ? undefined : delayCalls(n, side, ({ url }) => url.pathname.endsWith(`/${at}`))
      const answer = post(path, { body, headers })
      if (isDelayed) {
        await isDelayed
        kill()
      }
      expect(await answer, crash).toBe('nothing')
      expect(await isDead(), crash).toBe(null)
      providers.proxies[n % 2 === 0 ? 'card' : 'pix'].mend()
    }
    // The embedded database allows one process at a time; on PostgreSQL two die concurrently, on the same balance.
    const lanes = kind === 'pglite' ? [0] : [0, 1]
    await Promise.all(
      lanes.map(async (lane) => {
        for (let n = lane; n < crashes.length; n += lanes.length) await dieAt(n)
      }),
    )

    const database = await open()
    onTestFinished(database.close)
    const later = () => Date.now() + 120_000
    const app = await buildTestApp({ database, keepTables: true, env, now: Date.now })
    const { ledger, payments } = serviceOn(app.db, later)
    const statusOf = async (n: number): Promise<Payment['status']> =>
      (await payments.get(userId, webhooks[n]?.id ?? '')).status
    const repeat = async (n: number): Promise<number[]> => {
      const { path, body, headers } = webhooks[n] ?? webhookOf('', n)
      const call = () => app.call(path, { method: 'POST', body, headers })
      return (await Promise.all([call(), call()])).map(({ status }) => status)
    }
    expect((await ledger.check()).findings).toEqual([])
    let granted = 0
    for (const [n, [crash, status]] of crashes.entries()) {
      expect(status.split(' or '), crash).toContain(await statusOf(n))
      if ((await statusOf(n)) === 'completed') granted += n + 1
    }
    expect(await ledger.balance(userId)).toBe(dollars(granted))

    // The webhooks of one half are repeated; the sweep finds the other half.
    for (const n of crashes.keys()) if (n % 4 < 2) expect(await repeat(n)).toEqual([200, 200])
    const repeated = [...crashes.keys()].filter((n) => n % 4 < 2)
    for (const n of repeated) expect(await statusOf(n)).toBe('completed')
    await payments.sweep()
    for (const n of crashes.keys()) {
      expect(await statusOf(n)).toBe('completed')
      expect(await repeat(n)).toEqual([200, 200])
    }
    expect(await ledger.balance(userId)).toBe(dollars((crashes.length * (crashes.length + 1)) / 2))
    expect((await ledger.check()).findings).toEqual([])
  })

  it('at each step of starting a purchase has started one at most, which the same key goes on with', async () => {
    const { env, open, start } = await anEnvironment()
    const first = await open()
    const userId = await aPersonWith(first.db, new LedgerService({ db: first.db, now: Date.now }), '0')
    await first.close()
    const order = (n: number) => ({
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${userId}`,
        'idempotency-key': `click-${n}`,
      },
      body: JSON.stringify({ amount: n + 1, method: n % 2 === 0 ? 'card' : 'pix' }),
    })
    const path = '/api/billing/payment'
    const countCreated = (): number => providers.stripe.sessions.length + providers.mercadoPago.payments.length
    const before = countCreated()
    for (const [n, [crash]] of crashesOfStarts.entries()) {
      const side = isAtProvider(crash) ? sides[crash] : undefined
      const { post, kill, isDead } = await start(side === undefined ? crash : '')
      const isDelayed = side === undefined ? undefined : delayCalls(n, side, ({ method }) => method === 'POST')
      const answer = post(path, order(n))
      if (isDelayed) {
        await isDelayed
        kill()
      }
      expect(await answer, crash).toBe('nothing')
      expect(await isDead(), crash).toBe(null)
      providers.proxies[n % 2 === 0 ? 'card' : 'pix'].mend()
    }
    expect(countCreated() - before).toBe(crashesOfStarts.filter(([, isCreated]) => isCreated).length)

    const database = await open()
    onTestFinished(database.close)
    const ledger = new LedgerService({ db: database.db, now: Date.now })
    const methods = createPaymentMethods(readEnv(env), createEgress(), Date.now)
    const payments = new PaymentService({ db: database.db, creditEvents, ledger, log, now: Date.now, methods })
    expect(await payments.list(userId)).toHaveLength(
      crashesOfStarts.filter(([crash]) => crash !== 'before storing the payment').length,
    )
    for (const n of crashesOfStarts.keys()) {
      const again = () =>
        payments.start(userId, { amount: n + 1, method: n % 2 === 0 ? 'card' : 'pix', key: `click-${n}` })
      const [one, other] = await Promise.all([again(), again()])
      expect(one).toEqual(other)
      expect(one.status).toBe('pending')
      expect(one.payment_url ?? one.pix?.qr_code).toBeDefined()
      webhookOf(one.id, n)
      await payments[n % 2 === 0 ? 'get' : 'checkPix'](userId, one.id)
    }
    expect(countCreated() - before).toBe(crashesOfStarts.length)
    expect(await payments.list(userId)).toHaveLength(crashesOfStarts.length)
    await new PaymentService({
      db: database.db,
      creditEvents,
      ledger,
      log,
      now: () => Date.now() + 120_000,
      methods,
    }).sweep()
    expect((await payments.list(userId)).map(({ status }) => status)).toEqual(crashesOfStarts.map(() => 'completed'))
    expect(await ledger.balance(userId)).toBe(dollars((crashesOfStarts.length * (crashesOfStarts.length + 1)) / 2))
    expect((await ledger.check()).findings).toEqual([])
  })
})
