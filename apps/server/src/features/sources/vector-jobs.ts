import { serverLimits } from '@parley/contract/limits/server'
import * as z from 'zod/mini'
import type { Db } from '../../db/client'
import type { Job } from '../../db/jobs'
import type { Scheduler } from '../../db/scheduler'
import type { Embedder } from '../../providers/embeddings/embedder'
import type { OwnedSource } from './source-store'
import { findTarget, markVectors, passagesWithout, sourcesWithout, writeVectors } from './vector-store'

type Deps = { db: Db; scheduler: Scheduler; embedder: Embedder }

/** The job that makes vectors of a source: its key is the source's id, its payload `{ ownerId }`. */
const vectorKind = 'sources.vectors'
const Payload = z.object({ ownerId: z.string() })
const limits = serverLimits.embeddings

/**
 * Makes vectors of passages that are read. While the service is away the jobs wait for it, and words alone are
 * searched. A job that begins again goes on where the one before had come to.
 */
export class VectorJobs {
  constructor(private readonly deps: Deps) {}

  schedule(): void {
    const { scheduler } = this.deps
    scheduler.handle(vectorKind, {
      concurrency: limits.jobsPerNode,
      retryMs: (attempts) => Math.min(limits.maxRetryMs, limits.firstRetryMs * 2 ** Math.min(attempts - 1, 20)),
      run: (job, signal) => this.run(job, signal),
    })
    scheduler.every('sources.vectors-missing', {
      everyMs: limits.backfillEveryMs,
      isDueAtStart: true,
      run: () => this.backfill(),
    })
  }

  /** In the transaction that ends a reading. */
  async enqueue({ ownerId, sourceId }: OwnedSource, tx: Db): Promise<void> {
    await this.deps.scheduler.enqueue({ kind: vectorKind, key: sourceId, payload: { ownerId } }, tx)
  }

  /** What was read before there were vectors, or has those of another model. */
  private async backfill(): Promise<void> {
    const { db, embedder } = this.deps
    for (const source of await sourcesWithout(db, await embedder.key(), limits.backfillSources))
      await this.enqueue(source, db)
  }

  private async run({ key: sourceId, payload }: Job, signal: AbortSignal): Promise<void> {
    const { db, embedder } = this.deps
    const { ownerId } = z.parse(Payload, payload)
    const target = await findTarget(db, { ownerId, sourceId })
    if (!target) return
    const key = await embedder.key()
    for (let after = -1; ; ) {
      const passages = await passagesWithout(db, target, { key, after, limit: limits.writePassages })
      const last = passages.at(-1)
      if (!last) break
      const texts = passages.map(({ text, headings }) => [headings.slice(-2).join(' › '), text].join('\n').trim())
      const made = await embedder.embed(texts, signal)
      const vectors = passages.flatMap(({ index }, at) => {
        const vector = made[at]
        return vector ? [{ index, vector }] : []
      })
      const now = await findTarget(db, target)
      if (!now) return
      // This job stands for the one that the new reading asked for.
      if (now.readingId !== target.readingId) throw new Error('the source was read again meanwhile')
      await writeVectors(db, target, { key, vectors })
      after = last.index
    }
    await markVectors(db, target, key)
  }
}
