import type { SourceJob } from '@parley/contract/sources'
import { fromStored } from '../messages/public/stored-text'
import type { SourceRow } from './source-store'

/** As it goes over the wire. */
export function jobOf(row: SourceRow): SourceJob {
  const { id, channelId, ownerId, type, status, isActive, bytes, mediaType, sha256, notices, excerpt } = row
  return {
    ...{ _id: id, id, channel_id: channelId, user_id: ownerId, type, filename: fromStored(row.name) },
    ...{ status, processed: status === 'processed', active: isActive },
    ...{ mediaType, bytes, sha256, notices },
    document:
      status === 'processed'
        ? { postgresId: `${channelId}_${ownerId}_${id}`, content: fromStored(excerpt ?? '') }
        : null,
    ...(row.url === null ? {} : { url: row.url }),
    ...(row.progress === null ? {} : { progress: row.progress }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.pages === null ? {} : { pages: row.pages }),
    ...(row.characters === null ? {} : { characters: row.characters }),
    ...(row.passages === null ? {} : { passages: row.passages }),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...(row.fetchedAt === null ? {} : { fetched_at: row.fetchedAt.toISOString() }),
  }
}
