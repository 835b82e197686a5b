import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import type { Db } from './client'
import { deleteFailedJobs, jobStates } from './jobs'
import type { Scheduler } from './scheduler'
import { backfills } from './schema/jobs'

type Deps = { db: Db; scheduler: Scheduler; now: () => number }

/** How long the operator finds a job that was given up. */
const keepFailedMs = 30 * 86_400_000

/** What the nodes share of the jobs, asked of the database when the metrics are read; while it is away, nothing. */
export function registerJobMetrics(app: FastifyInstance, { db, scheduler, now }: Deps): void {
  scheduler.every('jobs.forget-failed', {
    everyMs: 86_400_000,
    run: () => deleteFailedJobs(db, new Date(now() - keepFailedMs)),
  })
  const gauge = gaugesOf(
    app,
    'kind',
    () => jobStates(db),
    (state) => state.kind,
  )
  gauge('jobs_waiting', 'Jobs that are due or will be', ({ waiting }) => waiting)
  gauge('jobs_retrying', 'Of those, tried in vain at least once', ({ retrying }) => retrying)
  gauge('jobs_failed', 'Jobs that were given up in the last 30 days', ({ failed }) => failed)
  gauge('job_late_seconds', 'How long the oldest job has been due', ({ oldestDueAt }) =>
    oldestDueAt ? Math.max(0, (now() - oldestDueAt.getTime()) / 1_000) : 0,
  )
  gauge('job_success_timestamp_seconds', 'When repeated work succeeded last', ({ succeededAt }) =>
    succeededAt ? succeededAt.getTime() / 1_000 : undefined,
  )
  const backfillGauge = gaugesOf(
    app,
    'name',
    () => db.select().from(backfills),
    ({ name }) => name,
  )
  backfillGauge('backfill_rows', 'Rows of earlier versions that are filled', ({ doneRows }) => doneRows)
  backfillGauge('backfill_finished', 'Whether all of them are', ({ finishedAt }) => Number(finishedAt !== null))
}

type AddGauge<S> = (metric: string, help: string, valueIn: (state: S) => number | undefined) => void

/** Adds gauges with one value for each state, which `read` reads once for all gauges of a reading. */
function gaugesOf<S, L extends string>(
  app: FastifyInstance,
  label: L,
  read: () => Promise<S[]>,
  labelOf: (state: S) => string,
): AddGauge<S> {
  let reading: Promise<S[]> | undefined
  const readStates = (): Promise<S[]> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return (metric, help, valueIn) => {
    const collect = async function (this: Gauge<L>): Promise<void> {
      this.reset()
      try {
        for (const state of await readStates()) {
          const value = valueIn(state)
          if (value !== undefined) this.set({ [label]: labelOf(state) } as Record<L, string>, value)
        }
      } catch (error) {
        app.log.warn({ err: error, metric }, 'a metric could not be read')
      }
    }
    app.metrics.registerMetric(new Gauge<L>({ name: metric, help, labelNames: [label], registers: [], collect }))
  }
}
