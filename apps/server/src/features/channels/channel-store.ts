import { and, asc, count, desc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/client'
import { channelMembers, channels, generations, messages, users } from '../../db/schema'
import { subjectOf } from '../../plugins/people'

export type ChannelRow = typeof channels.$inferSelect
/** A channel of a person. */
export type Own = { userId: string; channelId: string }
/** What took the row's place, or its name, already. */
export type Conflict = 'id' | 'client-id' | 'name' | 'topic'

const own = ({ userId, channelId }: Own) => and(eq(channels.id, channelId), eq(channels.userId, userId))

/** A channel as somebody in it sees it; `role` is null for its owner. */
export type SeenRow = ChannelRow & { role: 'read' | 'write' | null; ownerName: string; ownerEmail: string; memberCount: number }

const seenBy = (db: Db, actorId: string) =>
  db
    .select({
      ...getTableColumns(channels),
      role: channelMembers.role,
      ownerName: users.name,
      ownerEmail: users.email,
      memberCount: sql<number>`(select count(*)::int from ${channelMembers} as everybody where everybody.channel_id = ${channels.id})`,
    })
    .from(channels)
    .innerJoin(users, eq(users.id, channels.userId))
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))

const place = { id: channels.id, updatedAt: channels.updatedAt, channelName: channels.channelName }
const byActivity = [desc(channels.updatedAt), desc(channels.channelName), asc(channels.id)]

/** One's own and those that others share with one. */
export async function listChannels(db: Db, actorId: string, { page, size }: { page: number; size: number }): Promise<SeenRow[]> {
  // In two parts, because each has an index and both together have none; what a page skips is not joined with anything.
  const own = db
    .select(place)
    .from(channels)
    .where(eq(channels.userId, actorId))
    .orderBy(...byActivity)
    .limit((page + 1) * size)
  const shared = db
    .select(place)
    .from(channels)
    .innerJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))
  const all = unionAll(own, shared).as('all')
  const places = db
    .select({ id: all.id })
    .from(all)
    .orderBy(desc(all.updatedAt), desc(all.channelName), asc(all.id))
    .limit(size)
    .offset(page * size)
  return seenBy(db, actorId)
    .where(inArray(channels.id, places))
    .orderBy(...byActivity)
}

export async function findSeen(db: Db, { actorId, channelId }: { actorId: string; channelId: string }): Promise<SeenRow | undefined> {
  const [row] = await seenBy(db, actorId).where(and(eq(channels.id, channelId), or(eq(channels.userId, actorId), eq(channelMembers.userId, actorId))))
  return row
}

/** The channel that the client made, or wished to make, with this id. */
export async function findByClientId(db: Db, userId: string, clientId: string): Promise<ChannelRow | undefined> {
  const rows = await db
    .select()
    .from(channels)
    .where(and(eq(channels.userId, userId), or(eq(channels.clientId, clientId), eq(channels.id, clientId))))
  return rows.find((row) => row.clientId === clientId) ?? rows[0]
}

/** Undefined when it is made. */
export async function insertChannel(db: Db, row: typeof channels.$inferInsert): Promise<Conflict | undefined> {
  return conflictOf(() => db.insert(channels).values(row))
}

/** `instead`: only while it is called so. */
export async function updateName(
  db: Db,
  which: Own,
  name: Pick<ChannelRow, 'channelName' | 'nameKey'>,
  instead?: string,
): Promise<ChannelRow | Conflict | undefined> {
  let row: ChannelRow | undefined
  const isCalledSo = instead === undefined ? undefined : eq(channels.channelName, instead)
  const conflict = await conflictOf(async () => {
    ;[row] = await db
      .update(channels)
      .set(name)
      .where(and(own(which), isCalledSo))
      .returning()
  })
  return conflict ?? row
}

export async function namesOf(db: Db, userId: string, assistantId: string | null): Promise<string[]> {
  const rows = await db
    .select({ channelName: channels.channelName })
    .from(channels)
    .where(and(eq(channels.userId, userId), sql`coalesce(${channels.assistantId}, '') = ${assistantId ?? ''}`))
  return rows.map(({ channelName }) => channelName)
}

/** Nobody else changes the channel until the transaction ends. */
export async function lockChannel(tx: Db, which: Own): Promise<ChannelRow | undefined> {
  const [row] = await tx.select().from(channels).where(own(which)).for('update')
  return row
}

export async function deleteChannel(tx: Db, which: Own): Promise<void> {
  await tx.delete(channels).where(own(which))
}

/** Answers the ids of what is gone. */
export async function deleteUnlocked(tx: Db, userId: string): Promise<string[]> {
  const rows = await tx
    .delete(channels)
    .where(and(eq(channels.userId, userId), eq(channels.isLocked, false)))
    .returning({ id: channels.id })
  return rows.map(({ id }) => id)
}

export async function countChannels(db: Db, userId: string): Promise<number> {
  const [row] = await db.select({ all: count() }).from(channels).where(eq(channels.userId, userId))
  return row?.all ?? 0
}

export async function deleteMessages(tx: Db, { userId, channelId }: Own): Promise<void> {
  await tx.delete(messages).where(and(eq(messages.channelId, channelId), eq(messages.ownerId, userId)))
}

/** An answer that is being written, and for whom. */
export type Running = { messageId: string; subject: string }
const running = { messageId: generations.messageId, subject: generations.subject }

/** Answers that are being written for this person in this channel. */
export async function runningOf(db: Db, userId: string, channelId: string): Promise<Running[]> {
  return db
    .select(running)
    .from(generations)
    .where(and(eq(generations.channelId, channelId), eq(generations.status, 'running'), eq(generations.subject, subjectOf({ userId }))))
}

/** Answers that are being written in these channels, or of this one message in them. */
export async function runningIn(db: Db, channelIds: readonly string[], mId?: string): Promise<Running[]> {
  const found: Running[] = []
  // In pieces: a statement takes no more than 65,535 parameters.
  for (let from = 0; from < channelIds.length; from += pieceSize) {
    const rows = await db
      .select(running)
      .from(generations)
      .where(
        and(
          inArray(generations.channelId, channelIds.slice(from, from + pieceSize)),
          eq(generations.status, 'running'),
          mId === undefined ? undefined : eq(generations.mId, mId),
        ),
      )
    found.push(...rows)
  }
  return found
}

const pieceSize = 10_000

const conflicts: Record<string, Conflict> = { channels_pkey: 'id', channels_client_id: 'client-id', channels_name: 'name', channels_topic: 'topic' }

/** The unique indexes decide races: whoever comes second is told what was first. */
async function conflictOf(write: () => Promise<unknown>): Promise<Conflict | undefined> {
  try {
    await write()
    return undefined
  } catch (error) {
    const conflict = conflicts[violatedConstraint(error) ?? '']
    if (conflict === undefined) throw error
    return conflict
  }
}

/** The driver's error is the cause of Drizzle's. */
function violatedConstraint(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const isUnique = cause instanceof Error && 'code' in cause && cause.code === '23505' && 'constraint' in cause
  return isUnique ? String(cause.constraint) : undefined
}
