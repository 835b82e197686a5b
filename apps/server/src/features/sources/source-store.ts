import type { SourceProgress } from '@parley/contract/sources'
import { and, asc, count, eq, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels } from '../../db/schema/channels'
import { sourcePassages, sources } from '../../db/schema/sources'
import type { OwnedChannel } from '../channels/public/channel-row-store'

/** What is read: a source of a channel, or a file of an agent's knowledge. */
export type ReadingRow = typeof sources.$inferSelect
/** A source of a channel. */
export type SourceRow = ReadingRow & { channelId: string }
/** The key of a source together with its owner, whom each query names. */
export type OwnedSource = { ownerId: string; sourceId: string }

const isOwned = ({ ownerId, sourceId }: OwnedSource) => and(eq(sources.id, sourceId), eq(sources.ownerId, ownerId))
const isIn = ({ userId, channelId }: OwnedChannel) => and(eq(sources.channelId, channelId), eq(sources.ownerId, userId))
const isOfChannel = (row: ReadingRow): row is SourceRow => row.channelId !== null
export const oldestFirst = [asc(sources.createdAt), asc(sources.id)]

export async function insertSource(tx: Db, row: typeof sources.$inferInsert): Promise<void> {
  await tx.insert(sources).values(row)
}

export async function listSources(db: Db, channel: OwnedChannel): Promise<SourceRow[]> {
  const rows = await db
    .select()
    .from(sources)
    .where(isIn(channel))
    .orderBy(...oldestFirst)
  return rows.filter(isOfChannel)
}

/** Of all channels of a person. */
export async function listSourcesOf(db: Db, ownerId: string): Promise<SourceRow[]> {
  const rows = await db
    .select()
    .from(sources)
    .where(and(eq(sources.ownerId, ownerId), isNotNull(sources.channelId)))
    .orderBy(...oldestFirst)
  return rows.filter(isOfChannel)
}

/** Those of these sources that this person may see: in their own channels, and in those that they are a member of. */
export async function findVisibleSources(db: Db, actorId: string, ids: string[]): Promise<SourceRow[]> {
  const rows = await db
    .select({ source: sources })
    .from(sources)
    .innerJoin(channels, and(eq(channels.id, sources.channelId), eq(channels.userId, sources.ownerId)))
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))
    .where(and(inArray(sources.id, ids), or(eq(sources.ownerId, actorId), isNotNull(channelMembers.userId))))
  return rows.map(({ source }) => source).filter(isOfChannel)
}

export async function findByContent(db: Db, channel: OwnedChannel, sha256: string): Promise<SourceRow | undefined> {
  const rows = await db
    .select()
    .from(sources)
    .where(and(isIn(channel), eq(sources.sha256, sha256)))
  return rows.find(isOfChannel)
}

export async function countSources(db: Db, channel: OwnedChannel): Promise<number> {
  const [row] = await db.select({ count: count() }).from(sources).where(isIn(channel))
  return row?.count ?? 0
}

export async function bytesOfSources(db: Db, ownerId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<string>`coalesce(sum(${sources.bytes}), 0)` })
    .from(sources)
    .where(eq(sources.ownerId, ownerId))
  return Number(row?.bytes ?? 0)
}

/** The addresses of what is read. */
export async function listUrls(db: Db, channel: OwnedChannel): Promise<string[]> {
  const rows = await db
    .select({ url: sources.url })
    .from(sources)
    .where(and(isIn(channel), isNotNull(sources.url), eq(sources.status, 'processed')))
    .orderBy(...oldestFirst)
  return rows.flatMap(({ url }) => url ?? [])
}

/** Locks the rows until the transaction ends. */
export async function lockSources(tx: Db, ownerId: string, ids: string[]): Promise<ReadingRow[]> {
  return tx
    .select()
    .from(sources)
    .where(and(inArray(sources.id, ids), eq(sources.ownerId, ownerId)))
    .orderBy(asc(sources.id))
    .for('update')
}

export async function switchSource(
  tx: Db,
  which: OwnedSource,
  { isActive, at }: { isActive: boolean; at: Date },
): Promise<void> {
  await tx.update(sources).set({ isActive, updatedAt: at }).where(isOwned(which))
}

/** Its files follow by a trigger, its passages with the row. */
export async function deleteSource(tx: Db, which: OwnedSource): Promise<boolean> {
  const rows = await tx.delete(sources).where(isOwned(which)).returning({ id: sources.id })
  return rows.length > 0
}

/** Undefined unless it had failed. */
export async function queueAgain(tx: Db, which: OwnedSource, at: Date): Promise<ReadingRow | undefined> {
  const [row] = await tx
    .update(sources)
    .set({ status: 'queued', reason: null, progress: null, readingId: null, updatedAt: at })
    .where(and(isOwned(which), eq(sources.status, 'failed')))
    .returning()
  return row
}

type Reading = OwnedSource & { readingId: string }

/** From now on only this attempt writes. Undefined where the source is gone, or read or given up already. */
export async function beginReading(
  db: Db,
  { readingId, ...which }: Reading,
  at: Date,
): Promise<ReadingRow | undefined> {
  const [row] = await db
    .update(sources)
    .set({ status: 'processing', readingId, progress: null, updatedAt: at })
    .where(and(isOwned(which), inArray(sources.status, ['queued', 'processing'])))
    .returning()
  return row
}

const isReading = ({ readingId, ...which }: Reading) =>
  and(isOwned(which), eq(sources.readingId, readingId), eq(sources.status, 'processing'))

/** False: the source is gone, or another attempt has begun. */
export async function noteProgress(db: Db, reading: Reading, progress: SourceProgress | undefined): Promise<boolean> {
  const rows = await db
    .update(sources)
    .set(progress === undefined ? { id: reading.sourceId } : { progress })
    .where(isReading(reading))
    .returning({ id: sources.id })
  return rows.length > 0
}

type Outcome = Pick<
  ReadingRow,
  'mediaType' | 'characters' | 'passages' | 'pages' | 'notices' | 'excerpt' | 'updatedAt'
> &
  Partial<Pick<SourceRow, 'name' | 'fetchedAt'>>

/** The passages of attempts before it go. False as above. */
export async function finishReading(tx: Db, reading: Reading, outcome: Outcome): Promise<boolean> {
  const rows = await tx
    .update(sources)
    .set({ ...outcome, status: 'processed', reason: null, progress: null, vectorsKey: null })
    .where(isReading(reading))
    .returning({ id: sources.id })
  if (rows.length === 0) return false
  await deletePassages(tx, reading, ne(sourcePassages.readingId, reading.readingId))
  return true
}

/** `reason` undefined: it is to be tried again. False as above. */
export async function endReading(
  tx: Db,
  reading: Reading,
  { reason, at }: { reason: string | undefined; at: Date },
): Promise<boolean> {
  const change =
    reason === undefined ? { status: 'queued' as const, reason: null } : { status: 'failed' as const, reason }
  const rows = await tx
    .update(sources)
    .set({ ...change, progress: null, updatedAt: at })
    .where(isReading(reading))
    .returning({ id: sources.id })
  if (rows.length > 0) await deletePassages(tx, reading)
  return rows.length > 0
}

/** Whoever reads it has no say any more. False unless it was being read, or waited for that. */
export async function cancelReading(tx: Db, which: OwnedSource, at: Date): Promise<boolean> {
  const rows = await tx
    .update(sources)
    .set({ status: 'failed', reason: 'source.cancelled', progress: null, updatedAt: at })
    .where(and(isOwned(which), inArray(sources.status, ['queued', 'processing'])))
    .returning({ id: sources.id })
  if (rows.length > 0) await deletePassages(tx, which)
  return rows.length > 0
}

/** Whether it is this attempt whose text the source has. */
export async function isFinished(tx: Db, { readingId, ...which }: Reading): Promise<boolean> {
  const rows = await tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(isOwned(which), eq(sources.readingId, readingId), eq(sources.status, 'processed')))
  return rows.length > 0
}

async function deletePassages(tx: Db, { ownerId, sourceId }: OwnedSource, which?: SQL): Promise<void> {
  await tx
    .delete(sourcePassages)
    .where(and(eq(sourcePassages.sourceId, sourceId), eq(sourcePassages.ownerId, ownerId), which))
}

/** Which of these exist: for the sweep of the store. */
export async function findReadings(
  db: Db,
  ownerId: string,
  ids: string[],
): Promise<{ id: string; readingId: string | null }[]> {
  return db
    .select({ id: sources.id, readingId: sources.readingId })
    .from(sources)
    .where(and(inArray(sources.id, ids), eq(sources.ownerId, ownerId)))
}
