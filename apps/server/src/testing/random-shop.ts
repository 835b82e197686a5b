import { randomUUID } from 'node:crypto'
import { limits } from '@parley/contract/limits'
import type { Payment } from '@parley/contract/payments'
import { expect } from 'vitest'
import type { DatabaseKind } from '../db/client'
import { readEnv } from '../env'
import { CreditNews } from '../features/billing/credit-news-service'
import { LedgerService } from '../features/billing/ledger-service'
import { PaymentService } from '../features/billing/payment-service'
import { paymentWays } from '../features/billing/payment-ways'
import { createEgress } from '../providers/egress'
import { MemoryBus } from '../providers/memory-bus'
import { buildTestApp } from './build-test-app'
import { redisUrl } from './chat-setups'
import type { PaymentLife, Shop } from './payment-life'
import type { PaymentProviders } from './payment-providers'
import { chainTime, type TokenSale } from './token-sale'

type Options = {
  kind: DatabaseKind
  providers: PaymentProviders
  sale?: TokenSale
  /** Which of several nodes a call goes to; without it there is one. */
  pick?: () => number
}
type RandomShop = Shop & { nodes: number; logs(): string }

/** A server for random payments: on PostgreSQL, and with Redis, two nodes of it that share both. */
export async function aRandomShop({ kind, providers, sale, pick }: Options): Promise<RandomShop> {
  const clock = { now: Math.max(Date.now(), sale ? (await chainTime(sale.chain)) * 1_000 : 0) }
  const now = (): number => clock.now
  const hasTwo = pick !== undefined && kind === 'postgresql' && redisUrl !== undefined
  const shared = hasTwo ? { REDIS_URL: redisUrl ?? '', AUTH_SECRET: `a secret that both nodes share ${randomUUID()}`, PUBLIC_URL: 'http://shop.example' } : {}
  const env = { ...providers.env, ...sale?.env, ...shared }
  const app = await buildTestApp({ kind, env, now })
  const nodes = [app, ...(hasTwo ? [await buildTestApp({ kind, env, now, keepTables: true })] : [])]
  const services = nodes.map(({ db, log }) => {
    const ledger = new LedgerService({ db, now })
    const ways = paymentWays(readEnv({ ...env, DATA_DIR: '.' }), createEgress(), now)
    return { ledger, payments: new PaymentService({ db, ledger, news: new CreditNews({ bus: new MemoryBus(), log }), ways, log, now }) }
  })
  return {
    ...{ app, providers, sale, clock, nodes: nodes.length, tally: new Map() },
    ledger: services[0]?.ledger ?? new LedgerService({ db: app.db, now }),
    place: { url: app.url, call: (path, init) => (nodes[(pick?.() ?? 0) % nodes.length] ?? app).call(path, init) },
    sweep: async () => void (await Promise.all(services.map(({ payments }) => payments.sweep()))),
    logs: () => nodes.map((node) => node.logs()).join(''),
  }
}

export async function boughtBy({ buyer }: PaymentLife): Promise<Payment[]> {
  return ((await buyer.send('GET', '/api/billing/payment/user')).body as { data: Payment[] }).data
}

/** By payment. */
export async function statusesOf(life: PaymentLife): Promise<Map<string, Payment['status']>> {
  return new Map((await boughtBy(life)).map(({ id, status }) => [id, status]))
}

/** What each node does by itself, until no payment is open. */
export async function sweepAll({ clock, sale, sweep }: Shop, life: PaymentLife): Promise<void> {
  await life.later(26 * 3_600_000)
  await sale?.chain.reach(clock.now)
  for (let sweeps = 0; [...(await statusesOf(life)).values()].includes('pending'); sweeps++) {
    expect(sweeps).toBeLessThan(10)
    clock.now += limits.payments.askAgainMs
    await sweep()
  }
}
