import { billingRoutes } from '@parley/contract/billing'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { toNumber } from '@parley/contract/money'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import { handle } from '../../plugins/handle'
import { runningSubscription } from '../auth/subscription-service'
import type { LedgerService } from './ledger-service'
import { spendingOf } from './spending-service'

type Deps = { db: Db; ledger: LedgerService; now: () => number }

/** Mounts what people ask about their credits, and ends holds whose answers nobody writes any more. */
export function registerBilling(app: FastifyInstance, { db, ledger, now }: Deps): void {
  const person = { permission: 'person' } as const

  handle(app, billingRoutes.credit, person, async ({ person: { userId } }) => ({ amount: toNumber(await ledger.balance(userId)) }))
  handle(app, billingRoutes.history, person, ({ person: { userId }, query }) => ledger.history(userId, query))
  handle(app, billingRoutes.spending, person, ({ person: { userId }, query }) => spendingOf(db, userId, { ...query, now: new Date(now()) }))
  handle(app, billingRoutes.subscription, person, async ({ person: { userId } }) => {
    const subscription = await runningSubscription(db, userId, new Date(now()))
    if (!subscription) throw new AppError('not-found')
    return subscription
  })

  const stopSweeper = startSweeper(app, ledger)
  app.addHook('onClose', () => stopSweeper())
}

/** Every node sweeps; the database shares the holds out among them. Returns the end of it, which waits for the sweep under way. */
function startSweeper(app: FastifyInstance, ledger: LedgerService): () => Promise<void> {
  let sweeping: Promise<void> | undefined
  const sweep = async (): Promise<void> => {
    try {
      const swept = await ledger.sweep()
      if (swept > 0) app.log.warn({ count: swept }, 'ended holds of answers that nobody writes any more')
    } catch (error) {
      app.log.warn({ err: error }, 'sweeping holds failed')
    }
  }
  const sweepOnce = (): void => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined
    })
  }
  sweepOnce()
  const timer = setInterval(sweepOnce, limits.credits.sweepEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await sweeping
  }
}
