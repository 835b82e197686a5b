import { and, asc, count, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels, generations, messages } from '../../db/schema'

export type ChannelRow = typeof channels.$inferSelect
/** A channel of a person. */
export type Own = { userId: string; channelId: string }
/** What took the row's place, or its name, already. */
export type Conflict = 'id' | 'client-id' | 'name'

const own = ({ userId, channelId }: Own) => and(eq(channels.id, channelId), eq(channels.userId, userId))

export async function listChannels(db: Db, userId: string, { page, size }: { page: number; size: number }): Promise<ChannelRow[]> {
  return db
    .select()
    .from(channels)
    .where(eq(channels.userId, userId))
    .orderBy(desc(channels.updatedAt), desc(channels.channelName), asc(channels.id))
    .limit(size)
    .offset(page * size)
}

export async function findChannel(db: Db, which: Own): Promise<ChannelRow | undefined> {
  const [row] = await db.select().from(channels).where(own(which))
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

export async function updateName(db: Db, which: Own, name: Pick<ChannelRow, 'channelName' | 'nameKey'>): Promise<ChannelRow | Conflict | undefined> {
  let row: ChannelRow | undefined
  const conflict = await conflictOf(async () => {
    ;[row] = await db.update(channels).set(name).where(own(which)).returning()
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

/** Answers that are being written in these channels, or of this one message in them. */
export async function runningIn(db: Db, channelIds: readonly string[], mId?: string): Promise<string[]> {
  const found: string[] = []
  // In pieces: a statement takes no more than 65,535 parameters.
  for (let from = 0; from < channelIds.length; from += pieceSize) {
    const rows = await db
      .select({ messageId: generations.messageId })
      .from(generations)
      .where(
        and(
          inArray(generations.channelId, channelIds.slice(from, from + pieceSize)),
          eq(generations.status, 'running'),
          mId === undefined ? undefined : eq(generations.mId, mId),
        ),
      )
    found.push(...rows.map(({ messageId }) => messageId))
  }
  return found
}

const pieceSize = 10_000

const conflicts: Record<string, Conflict> = { channels_pkey: 'id', channels_client_id: 'client-id', channels_name: 'name' }

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
