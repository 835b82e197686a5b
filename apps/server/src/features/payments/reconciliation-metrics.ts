import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import type { Db } from '../../db/client'
import type { ReconciliationService } from './public/reconciliation'
import { countStrayPayments } from './stray-payment-store'

type Deps = { db: Db; reconciliation: Pick<ReconciliationService, 'lastSuccesses' | 'openFindings'>; now: () => number }

/**
 * Gauges of the state that all nodes share. They read the database when the metrics are scraped, and keep their last
 * value while it is unavailable.
 */
export function registerReconciliationMetrics(app: FastifyInstance, { db, reconciliation, now }: Deps): void {
  const startedAt = now()
  const jobs = { ledgerCheck: 'ledger_check', reconciliation: 'reconciliation' } as const
  for (const [job, name] of Object.entries(jobs) as [keyof typeof jobs, string][]) {
    const succeededAt = async (): Promise<Date | undefined> => (await reconciliation.lastSuccesses())[job]
    gauge(app, {
      name: `${name}_success_timestamp_seconds`,
      help: 'When it succeeded last; 0: never',
      read: async () => (await succeededAt())?.getTime() ?? 0,
      scale: 1_000,
    })
    const isOverdue = async (): Promise<number> => {
      const since = (await succeededAt())?.getTime() ?? startedAt
      return now() - since > serverLimits.payments.reconcileOverdueMs ? 1 : 0
    }
    gauge(app, { name: `${name}_overdue`, help: '1: it has not succeeded for two hours', read: isOverdue })
  }
  const stray = { ofDeletedAccounts: 'payments_of_deleted_accounts', unattended: 'payments_unattended' } as const
  const help = 'See npm run admin -- payments stray'
  for (const [kind, name] of Object.entries(stray) as [keyof typeof stray, string][])
    gauge(app, { name, help, read: async () => (await countStrayPayments(db, new Date(now())))[kind] })
  gauge(app, {
    name: 'reconciliation_findings_open',
    help: 'What does not fit together',
    read: async () => (await reconciliation.openFindings()).length,
  })
}

function gauge(
  app: FastifyInstance,
  { name, help, read, scale = 1 }: { name: string; help: string; read: () => Promise<number>; scale?: number },
): void {
  const collect = async function (this: Gauge): Promise<void> {
    await read().then(
      (value) => this.set(value / scale),
      (error: unknown) => app.log.warn({ err: error, metric: name }, 'a metric could not be read'),
    )
  }
  app.metrics.registerMetric(new Gauge({ name, help, registers: [], collect }))
}
