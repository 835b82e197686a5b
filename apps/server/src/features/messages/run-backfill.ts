import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { backfillBatch } from './run-backfill-store'

const everyMs = 60_000
/** Well before the job counts as late. */
const maxRunMs = 300_000
/** Writers of these messages wait for at most one batch. */
const batchSize = 100
/** Until the writer of the next message, which holds it, has committed. */
const busyMs = 200

type Deps = { db: Db; scheduler: Scheduler; now: () => number }

/**
 * Fills `runs` and `after_run_id` from messages that were stored before these existed. Once it is done each run of the
 * job ends at once. Nodes of the version before may write meanwhile and later: the triggers do the same for them.
 */
export function registerRunBackfill({ db, scheduler, now }: Deps): void {
  scheduler.every('messages.backfill-runs', {
    everyMs,
    isDueAtStart: true,
    run: (signal) => backfillRuns(db, { now, signal }),
  })
}

type Options = { now: () => number; signal: AbortSignal; size?: number }

/** Returns when all is done, or it has run for long. Throws, after the batch that runs, where `signal` was aborted. */
export async function backfillRuns(db: Db, { now, signal, size = batchSize }: Options): Promise<void> {
  for (const endAt = now() + maxRunMs; now() < endAt; ) {
    const { rows, isFinished } = await backfillBatch(db, size, new Date(now()))
    if (isFinished) return
    signal.throwIfAborted()
    if (rows === 0) await delay(busyMs, undefined, { signal })
  }
}
