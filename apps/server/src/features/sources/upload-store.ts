import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { fileRemovals, sources, type UploadPart, uploads } from '../../db/schema/sources'
import type { OwnedChannel } from '../channels/public/channel-row-store'

export type UploadRow = typeof uploads.$inferSelect
export type OwnedUpload = { ownerId: string; uploadId: string }

const isOwned = ({ ownerId, uploadId }: OwnedUpload) => and(eq(uploads.id, uploadId), eq(uploads.ownerId, ownerId))

export async function insertUpload(tx: Db, row: typeof uploads.$inferInsert): Promise<void> {
  await tx.insert(uploads).values(row)
}

export async function findUpload(db: Db, which: OwnedUpload): Promise<UploadRow | undefined> {
  const [row] = await db.select().from(uploads).where(isOwned(which))
  return row
}

export async function findUploadOf(
  db: Db,
  { userId, channelId }: OwnedChannel,
  sha256: string,
): Promise<UploadRow | undefined> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.channelId, channelId), eq(uploads.ownerId, userId), eq(uploads.sha256, sha256)))
  return row
}

/** As it is then; undefined when the upload is gone, or somebody else has added to it since `offset`. */
export async function addPart(
  db: Db,
  which: OwnedUpload,
  { part, offset, at }: { part: UploadPart; offset: number; at: Date },
): Promise<UploadRow | undefined> {
  const [row] = await db
    .update(uploads)
    .set({
      received: offset + part.bytes,
      parts: sql`${uploads.parts} || ${JSON.stringify([part])}::jsonb`,
      updatedAt: at,
    })
    .where(and(isOwned(which), eq(uploads.received, offset)))
    .returning()
  return row
}

/** Its parts follow by a trigger. */
export async function deleteUpload(tx: Db, which: OwnedUpload): Promise<void> {
  await tx.delete(uploads).where(isOwned(which))
}

export async function bytesOfUploads(db: Db, ownerId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<string>`coalesce(sum(${uploads.bytes}), 0)` })
    .from(uploads)
    .where(eq(uploads.ownerId, ownerId))
  return Number(row?.bytes ?? 0)
}

/** Names no owner: those of everybody that nobody has continued since this time. */
export async function deleteAbandonedUploads(db: Db, before: Date): Promise<void> {
  await db.delete(uploads).where(lt(uploads.updatedAt, before))
}

/** Which of these exist: for the sweep of the store. */
export async function findUploadIds(db: Db, ownerId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(inArray(uploads.id, ids), eq(uploads.ownerId, ownerId)))
  return rows.map(({ id }) => id)
}

/**
 * Whether a source of this account may get an id: nobody's source has it, and nothing under it waits to be taken out of
 * the store.
 */
export async function isFreeId(db: Db, { ownerId, sourceId }: { ownerId: string; sourceId: string }): Promise<boolean> {
  const [taken] = await db.select({ id: sources.id }).from(sources).where(eq(sources.id, sourceId))
  if (taken) return false
  const [removal] = await db
    .select({ id: fileRemovals.id })
    .from(fileRemovals)
    .where(eq(fileRemovals.prefix, `${ownerId}/${sourceId}/`))
    .limit(1)
  return removal === undefined
}

/** Whether another upload of the account is going to have this id, or has it. */
export async function isPromisedId(
  db: Db,
  { ownerId, sourceId }: { ownerId: string; sourceId: string },
): Promise<boolean> {
  const [upload] = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), or(eq(uploads.id, sourceId), sql`${uploads.source}->>'id' = ${sourceId}`)))
    .limit(1)
  return upload !== undefined
}
