import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import type { FileStore, StoredFile } from '../../providers/files/file-store'
import { forgetRemovals, oldestRemovals } from './file-removal-store'
import { findReadings } from './source-store'
import { deleteAbandonedUploads, findUploadIds } from './upload-store'

type Deps = { db: Db; store: FileStore; log: FastifyBaseLogger; now: () => number }

const hourMs = 3_600_000
const batch = 100
const ownKey = /^([0-9a-f-]{36})\/[0-9a-f-]{36}\/[^/]+$/

/** Takes out of the store what no row speaks of any more. */
export class FileRemoval {
  private running: Promise<void> | undefined

  constructor(private readonly deps: Deps) {}

  schedule(scheduler: Scheduler): void {
    scheduler.every('sources.remove-files', {
      everyMs: serverLimits.sources.removeEveryMs,
      isDueAtStart: true,
      run: () => this.remove(),
    })
    scheduler.every('sources.forget-uploads', { everyMs: hourMs, run: () => this.forgetUploads() })
    scheduler.every('sources.sweep-files', { everyMs: 24 * hourMs, run: () => this.sweep() })
  }

  /** Whatever was deleted is deleted; a store that is away gets its turn with the scheduler. */
  async removeSoon(): Promise<void> {
    this.running ??= this.remove().finally(() => {
      this.running = undefined
    })
    await this.running.catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'files of deleted sources stay in the store for now'),
    )
  }

  private async remove(): Promise<void> {
    const { db, store } = this.deps
    for (;;) {
      const removals = await oldestRemovals(db, batch)
      for (const { prefix } of removals) for await (const { key } of store.list(prefix)) await store.remove(key)
      if (removals.length === 0) return
      await forgetRemovals(
        db,
        removals.map(({ id }) => id),
      )
    }
  }

  private async forgetUploads(): Promise<void> {
    await deleteAbandonedUploads(this.deps.db, this.longAgo())
    await this.remove()
  }

  /** What a process put there that ended before it wrote its row. */
  private async sweep(): Promise<void> {
    let waiting: StoredFile[] = []
    for await (const file of this.deps.store.list('')) {
      if (file.modifiedAt > this.longAgo().getTime()) continue
      waiting.push(file)
      if (waiting.length < batch) continue
      await this.sweepAmong(waiting)
      waiting = []
    }
    await this.sweepAmong(waiting)
  }

  private async sweepAmong(files: readonly StoredFile[]): Promise<void> {
    const { db, store } = this.deps
    const owners = new Map<string, StoredFile[]>()
    for (const file of files) {
      const [, ownerId] = ownKey.exec(file.key) ?? []
      // Somebody else's file: it stays.
      if (ownerId !== undefined) owners.set(ownerId, [...(owners.get(ownerId) ?? []), file])
    }
    for (const [ownerId, owned] of owners) {
      const ids = [...new Set(owned.map(({ key }) => key.split('/')[1] ?? ''))]
      const readings = new Map((await findReadings(db, ownerId, ids)).map(({ id, readingId }) => [id, readingId]))
      const uploads = new Set(await findUploadIds(db, ownerId, ids))
      for (const { key } of owned) {
        const [, id = '', name = ''] = key.split('/')
        const isOfSource = readings.has(id) && (name === 'file' || name === `document.${readings.get(id)}`)
        if (!isOfSource && !uploads.has(id)) await store.remove(key)
      }
    }
  }

  private longAgo(): Date {
    return new Date(this.deps.now() - serverLimits.sources.uploadHours * hourMs)
  }
}
