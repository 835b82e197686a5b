import { creditRoutes } from '@parley/contract/credits'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { toNumber } from '@parley/contract/money'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { handle } from '../../plugins/handle'
import { runningSubscription } from '../auth/public/subscription'
import { creditHistory } from './history-service'
import type { HoldService } from './hold-service'
import type { LedgerService } from './public/ledger'
import { spendingOf } from './spending-service'

type Deps = { db: Db; ledger: LedgerService; holds: HoldService; scheduler: Scheduler; now: () => number }

/** Mounts the routes of a person's credits, and schedules the sweep of orphaned holds. */
export function registerCreditRoutes(app: FastifyInstance, { db, ledger, holds, scheduler, now }: Deps): void {
  const person = { permission: 'person' } as const

  handle(app, creditRoutes.credit, person, async ({ person: { userId } }) => ({
    amount: toNumber(await ledger.balance(userId)),
  }))
  handle(app, creditRoutes.history, person, ({ person: { userId }, query }) => creditHistory(db, userId, query))
  handle(app, creditRoutes.spending, person, ({ person: { userId }, query }) =>
    spendingOf(db, userId, { ...query, now: new Date(now()) }),
  )
  handle(app, creditRoutes.subscription, person, async ({ person: { userId } }) => {
    const subscription = await runningSubscription(db, userId, new Date(now()))
    if (!subscription) throw new AppError('not-found')
    return subscription
  })

  scheduler.every('credits.sweep', {
    everyMs: serverLimits.credits.sweepEveryMs,
    isDueAtStart: true,
    run: async () => {
      const count = await holds.sweep()
      if (count > 0) app.log.warn({ count }, 'ended holds of answers that nobody writes any more')
    },
  })
}
