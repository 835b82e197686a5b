import { randomUUID } from 'node:crypto'
import { serverLimits } from '@parley/contract/limits/server'
import { expect } from 'vitest'
import type { DatabaseKind } from '../db/client'
import { readEnv } from '../env'
import type { HoldService } from '../features/credits/hold-service'
import { CreditEvents } from '../features/credits/public/credit-events'
import { LedgerService } from '../features/credits/public/ledger'
import { createPaymentMethods } from '../features/payments/payment-methods'
import { PaymentService } from '../features/payments/payment-service'
import { MemoryBus } from '../providers/bus/memory-bus'
import { createEgress } from '../providers/egress'
import { buildTestApp, type TestApp } from './build-test-app'
import { redisUrl } from './chat-setups'
import { aHoldService } from './ledger-people'
import type { PaymentProviders } from './payment-providers'
import type { SimulatedBuyer } from './simulated-buyer'
import { chainTime, type TokenSale } from './token-sale'

type Options = {
  kind: DatabaseKind
  providers: PaymentProviders
  sale?: TokenSale
  /** Chooses the node of each call; without it there is one node. */
  pick?: () => number
}

/** A server that sells credits, with one or two nodes. */
export type SimulatedShop = {
  app: TestApp
  /** Sends each call to one of the nodes. */
  anyNode: Pick<TestApp, 'call' | 'url'>
  nodes: number
  providers: PaymentProviders
  /** Undefined where the server does not accept the token. */
  sale: TokenSale | undefined
  ledger: LedgerService
  holds: HoldService
  clock: { now: number }
  sweep(): Promise<void>
  /** How often each kind of event has happened. */
  tally: Map<string, number>
  logs(): string
}

export function count(tally: Map<string, number>, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

/** Builds a server for simulated payments; with `pick`, PostgreSQL and Redis it has two nodes. */
export async function aSimulatedShop({ kind, providers, sale, pick }: Options): Promise<SimulatedShop> {
  const clock = { now: Math.max(Date.now(), sale ? (await chainTime(sale.chain)) * 1_000 : 0) }
  const now = (): number => clock.now
  const hasTwo = pick !== undefined && kind === 'postgresql' && redisUrl !== undefined
  const shared = hasTwo
    ? {
        REDIS_URL: redisUrl ?? '',
        AUTH_SECRET: `a secret that both nodes share ${randomUUID()}`,
        PUBLIC_URL: 'http://shop.example',
      }
    : {}
  const env = { ...providers.env, ...sale?.env, ...shared }
  const app = await buildTestApp({ kind, env, now })
  const nodes = [app, ...(hasTwo ? [await buildTestApp({ kind, env, now, keepTables: true })] : [])]
  const services = nodes.map(({ db, log }) => {
    const ledger = new LedgerService({ db, now })
    const methods = createPaymentMethods(readEnv({ ...env, DATA_DIR: '.' }), createEgress(), now)
    return {
      ledger,
      payments: new PaymentService({
        db,
        ledger,
        creditEvents: new CreditEvents({ bus: new MemoryBus(), log }),
        methods,
        log,
        now,
      }),
    }
  })
  return {
    ...{ app, providers, sale, clock, nodes: nodes.length, tally: new Map() },
    ledger: services[0]?.ledger ?? new LedgerService({ db: app.db, now }),
    holds: aHoldService(app.db, now),
    anyNode: { url: app.url, call: (path, init) => (nodes[(pick?.() ?? 0) % nodes.length] ?? app).call(path, init) },
    sweep: async () => void (await Promise.all(services.map(({ payments }) => payments.sweep()))),
    logs: () => nodes.map((node) => node.logs()).join(''),
  }
}

/** Advances the clock by a day and sweeps until the person has no open payment. */
export async function sweepAll({ clock, sale, sweep }: SimulatedShop, buyer: SimulatedBuyer): Promise<void> {
  await buyer.advance(26 * 3_600_000)
  await sale?.chain.reach(clock.now)
  for (let sweeps = 0; [...(await buyer.statuses()).values()].includes('pending'); sweeps++) {
    expect(sweeps).toBeLessThan(10)
    clock.now += serverLimits.payments.askAgainMs
    await sweep()
  }
}
