import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { backfills } from '../../db/schema/jobs'

const name = 'messages.runs'

/** Of the last message that is done. Messages are gone through by channel and position. */
type Cursor = { channelId: string; position: number }
type Key = Cursor & { mId: string }

/** `rows`: how many messages are done now; 0 while others hold the next ones. */
export type Batch = { rows: number; isFinished: boolean }

/**
 * Stores the runs of the next messages, and which runs these follow, in a transaction of its own. Messages that a
 * transaction is writing are not waited for: the batch ends before them. Of all nodes one works at a time.
 */
export async function backfillBatch(db: Db, size: number, now: Date): Promise<Batch> {
  await db.insert(backfills).values({ name }).onConflictDoNothing()
  return db.transaction(async (tx) => {
    const [progress] = await tx.select().from(backfills).where(eq(backfills.name, name)).for('update')
    if (!progress || progress.finishedAt) return { rows: 0, isFinished: progress !== undefined }
    const cursor = progress.cursor as Cursor | null
    const limit = cursor ? size + 1 : size
    const keys = await nextKeys(tx, cursor, limit)
    const done = await lockUpTo(tx, keys)
    const isFirst = ({ channelId, position }: Key) => cursor?.channelId === channelId && cursor.position === position
    const added = done.filter((key) => !isFirst(key))
    await place(tx, added)
    await mirror(tx, added)
    const last = done.at(-1)
    const isFinished = keys.length < limit && done.length === keys.length
    await tx
      .update(backfills)
      .set({
        ...(last ? { cursor: { channelId: last.channelId, position: last.position } } : {}),
        ...(isFinished ? { finishedAt: now } : {}),
        doneRows: progress.doneRows + added.length,
      })
      .where(eq(backfills.name, name))
    return { rows: added.length, isFinished }
  })
}

/** From the last done one on, so that it is locked while its follower is linked to what it shows. */
async function nextKeys(tx: Db, cursor: Cursor | null, limit: number): Promise<Key[]> {
  const isNext = cursor
    ? sql`(channel_id, position) >= (${cursor.channelId}::text, ${cursor.position}::bigint)`
    : sql`true`
  const { rows } = await tx.execute<{ channelId: string; mId: string; position: string }>(sql`
    select channel_id as "channelId", m_id as "mId", position from messages
    where ${isNext} order by channel_id, position limit ${limit}::int`)
  return rows.map(({ position, ...key }) => ({ ...key, position: Number(position) }))
}

/** Locks these messages in their order, up to the first that somebody else has locked or deleted. */
async function lockUpTo(tx: Db, keys: readonly Key[]): Promise<Key[]> {
  if (keys.length === 0) return []
  const { rows } = await tx.execute<{ mId: string; channelId: string }>(sql`
    select channel_id as "channelId", m_id as "mId" from messages where ${isOneOf(keys)} for no key update skip locked`)
  const locked = new Set(rows.map(({ channelId, mId }) => JSON.stringify([channelId, mId])))
  const end = keys.findIndex(({ channelId, mId }) => !locked.has(JSON.stringify([channelId, mId])))
  return end === -1 ? [...keys] : keys.slice(0, end)
}

async function place(tx: Db, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  await tx.execute(sql`
    update messages m set after_run_id = (
      select coalesce(b.run_message_id::text, b.m_id) from messages b
      where b.channel_id = m.channel_id and b.position < m.position order by b.position desc limit 1)
    where m.after_run_id = '' and ${isOneOf(keys)}`)
}

async function mirror(tx: Db, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  await tx.execute(sql`select mirror_message(m) from messages m where ${isOneOf(keys)}`)
}

const isOneOf = (keys: readonly Key[]) => {
  const column = (values: string[]) => sql`${sql.param(values)}::text[]`
  const [channelIds, mIds] = [keys.map(({ channelId }) => channelId), keys.map(({ mId }) => mId)]
  return sql`(channel_id, m_id) in (select * from unnest(${column(channelIds)}, ${column(mIds)}))`
}
