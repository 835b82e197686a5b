import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { flagChannel } from '../channels/public/channel-flags-store'
import { lockChannel, type OwnedChannel } from '../channels/public/channel-row-store'
import { toStored } from '../messages/public/stored-text'
import { lockFilesOf } from './file-key-store'
import { readKind } from './reading-kind'
import { bytesOfSources, countSources, findByContent, insertSource, type SourceRow } from './source-store'
import { bytesOfUploads } from './upload-store'

type Given = Pick<SourceRow, 'id' | 'type' | 'name' | 'mediaType' | 'bytes' | 'sha256'> &
  Partial<Pick<SourceRow, 'isActive' | 'createdAt' | 'fetchedAt'>> & { url?: string }

/**
 * Adds a source in a transaction, with the job that reads it; the file is in the store already. The same content twice
 * is one source: then the one that is there is returned. Throws channel.not-found, source.too-many, source.quota.
 */
export async function admitSource(
  tx: Db,
  { channel, source, scheduler, at }: { channel: OwnedChannel; source: Given; scheduler: Scheduler; at: Date },
): Promise<SourceRow> {
  await lockFilesOf(tx, channel.userId)
  if (!(await lockChannel(tx, channel))) throw new AppError('channel.not-found')
  const existing = await findByContent(tx, channel, source.sha256)
  if (existing) return existing
  await requireRoom(tx, channel, source.bytes)
  await insertSource(tx, {
    createdAt: at,
    ...source,
    name: toStored(source.name),
    url: source.url ?? null,
    channelId: channel.channelId,
    ownerId: channel.userId,
    status: 'queued',
    updatedAt: at,
  })
  await flagChannel(tx, channel, flagOf(source))
  await scheduler.enqueue({ kind: readKind, key: source.id, payload: { ownerId: channel.userId } }, tx)
  const row = await findByContent(tx, channel, source.sha256)
  if (!row) throw new AppError('server-error')
  return row
}

/** For one more source of so many bytes. Throws source.too-many, source.quota. */
export async function requireRoom(db: Db, channel: OwnedChannel, bytes: number): Promise<void> {
  if ((await countSources(db, channel)) >= limits.sources.maxPerChannel) throw new AppError('source.too-many')
  await requireQuota(db, channel.userId, bytes)
}

/** For so many bytes more of the account. Throws source.quota. */
export async function requireQuota(db: Db, ownerId: string, bytes: number): Promise<void> {
  if ((await usedBytes(db, ownerId)) + bytes > serverLimits.sources.quotaBytes) throw new AppError('source.quota')
}

/** Uploads count with what they are going to have. */
export async function usedBytes(db: Db, ownerId: string): Promise<number> {
  return (await bytesOfSources(db, ownerId)) + (await bytesOfUploads(db, ownerId))
}

export function flagOf({ type, mediaType }: Pick<Given, 'type' | 'mediaType'>) {
  if (type === 'video') return { isYoutube: true } as const
  return mediaType.startsWith('image/') ? ({ isImage: true } as const) : ({ isDocument: true } as const)
}
