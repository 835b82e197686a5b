import type { Readable } from 'node:stream'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { SourceJob } from '@parley/contract/sources'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { type AccessRequest, requireAccess } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import { isStorable } from '../messages/public/stored-text'
import type { AccountFiles } from './account-files'
import { usedBytes } from './admission'
import type { FileRemoval } from './file-removal'
import { readKind } from './reading-kind'
import { jobOf } from './source-json'
import {
  cancelReading,
  deleteSource,
  findVisibleSources,
  listSources,
  listSourcesOf,
  listUrls,
  lockSources,
  queueAgain,
  type SourceRow,
  switchSource,
} from './source-store'

type Deps = {
  db: Db
  files: AccountFiles
  removal: FileRemoval
  scheduler: Scheduler
  events: ChannelEvents
  now: () => number
}

type SourceRequest = { actorId: string; sourceId: string }
type Download = { name: string; bytes: number; content: Readable }

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/**
 * Sources of cloud channels. Whoever is in a channel sees them, its owner changes them. Every method throws
 * source.not-found, or channel.not-found, for a person who is not in the channel, and those that change something
 * channel.owner-only for its members.
 */
export class SourceService {
  constructor(private readonly deps: Deps) {}

  async ofChannel(request: AccessRequest): Promise<SourceJob[]> {
    return (await listSources(this.deps.db, await requireAccess(this.deps.db, request))).map(jobOf)
  }

  async ofPerson(userId: string): Promise<SourceJob[]> {
    return (await listSourcesOf(this.deps.db, userId)).map(jobOf)
  }

  async get(request: SourceRequest): Promise<SourceJob> {
    return jobOf(await this.visible(request))
  }

  async urls(request: AccessRequest): Promise<string[]> {
    return listUrls(this.deps.db, await requireAccess(this.deps.db, request))
  }

  /** All or none: throws source.busy where one that is to change is not read. Returns the sources of their channels. */
  async switch(actorId: string, wanted: readonly { sourceId: string; isActive: boolean }[]): Promise<SourceJob[]> {
    const { db, events, now } = this.deps
    const ids = [...new Set(wanted.map(({ sourceId }) => sourceId))]
    const visible = await this.allVisible(actorId, ids)
    for (const row of visible) requireOwn(row, actorId)
    const channelIds = [...new Set(visible.map(({ channelId }) => channelId))].sort()
    await db.transaction(async (tx) => {
      const rows = new Map((await lockSources(tx, actorId, ids)).map((row) => [row.id, row]))
      for (const { sourceId, isActive } of wanted) {
        const row = rows.get(sourceId)
        if (!row) throw new AppError('source.not-found')
        if (row.isActive === isActive) continue
        if (row.status !== 'processed') throw new AppError('source.busy')
        await switchSource(tx, { ownerId: actorId, sourceId }, { isActive, at: new Date(now()) })
        rows.set(sourceId, { ...row, isActive })
      }
    })
    const channels = channelIds.map((channelId) => ({ userId: actorId, channelId }))
    for (const channel of channels) await events.sourcesChanged(channel)
    return (await Promise.all(channels.map((channel) => listSources(db, channel)))).flat().map(jobOf)
  }

  /** With its file, text and passages. One that is being read is cancelled. */
  async remove(request: SourceRequest): Promise<void> {
    const { db, events, removal, scheduler } = this.deps
    const { ownerId, channelId } = await this.own(request)
    await db.transaction(async (tx) => {
      await deleteSource(tx, { ownerId, sourceId: request.sourceId })
      await scheduler.cancel({ kind: readKind, key: request.sourceId }, tx)
    })
    await events.sourcesChanged({ userId: ownerId, channelId }, { sourceId: request.sourceId })
    await removal.removeSoon()
  }

  /** Ends its reading. One that is read, or could not be, stays as it is. */
  async cancel(request: SourceRequest): Promise<SourceJob> {
    const { db, scheduler, events, now } = this.deps
    const { id: sourceId, ownerId, channelId } = await this.own(request)
    await db.transaction(async (tx) => {
      if (await cancelReading(tx, { ownerId, sourceId }, new Date(now())))
        await scheduler.cancel({ kind: readKind, key: sourceId }, tx)
    })
    await events.sourcesChanged({ userId: ownerId, channelId }, { sourceId })
    return this.get(request)
  }

  /** One that is read already stays as it is. Throws source.busy. */
  async retry(request: SourceRequest): Promise<SourceJob> {
    const { db, scheduler, events, now } = this.deps
    const { ownerId, channelId, status } = await this.own(request)
    if (status === 'queued' || status === 'processing') throw new AppError('source.busy')
    await db.transaction(async (tx) => {
      const row = await queueAgain(tx, { ownerId, sourceId: request.sourceId }, new Date(now()))
      if (row) await scheduler.enqueue({ kind: readKind, key: row.id, payload: { ownerId } }, tx)
    })
    scheduler.wake()
    await events.sourcesChanged({ userId: ownerId, channelId }, { sourceId: request.sourceId })
    return this.get(request)
  }

  /**
   * The text as JSON, deflated as gzip does. Throws source.busy while it is read, source.not-found where it cannot be.
   */
  async document(request: SourceRequest): Promise<Readable> {
    const { id: folder, ownerId, readingId, status } = await this.visible(request)
    if (status === 'failed') throw new AppError('source.not-found')
    if (status !== 'processed' || readingId === null) throw new AppError('source.busy')
    return this.deps.files.read({ ownerId, folder, name: `document.${readingId}` })
  }

  /** The bytes as they were uploaded. Throws source.not-found for a website. */
  async file(request: SourceRequest): Promise<Download> {
    const { id: folder, ownerId, type, name, bytes } = await this.visible(request)
    if (type !== 'document') throw new AppError('source.not-found')
    return { name, bytes, content: await this.deps.files.read({ ownerId, folder, name: 'file' }) }
  }

  async quota(userId: string): Promise<{ usedBytes: number; maxBytes: number }> {
    return { usedBytes: await usedBytes(this.deps.db, userId), maxBytes: serverLimits.sources.quotaBytes }
  }

  private async visible({ actorId, sourceId }: SourceRequest): Promise<SourceRow> {
    const [row] = await this.allVisible(actorId, [sourceId])
    if (!row) throw new AppError('source.not-found')
    return row
  }

  private async allVisible(actorId: string, ids: string[]): Promise<SourceRow[]> {
    const areIds = ids.every((id) => isStorable(id) && isUuid(id))
    const rows = areIds ? await findVisibleSources(this.deps.db, actorId, ids) : []
    if (rows.length < ids.length) throw new AppError('source.not-found')
    return rows
  }

  private async own(request: SourceRequest): Promise<SourceRow> {
    const row = await this.visible(request)
    requireOwn(row, request.actorId)
    return row
  }
}

function requireOwn({ ownerId }: SourceRow, actorId: string): void {
  if (ownerId !== actorId) throw new AppError('channel.owner-only')
}
