import type { ChatSettingsChange } from '@parley/contract/chat-settings'
import { and, count, eq, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels } from '../../db/schema/channels'
import { type ChannelRow, isOwnedChannel, type OwnedChannel } from './public/channel-row-store'

/** The unique key that another row already has. */
export type Conflict = 'id' | 'client-id' | 'name' | 'topic'

/** The channel that the client created, or tried to create, with this id. */
export async function findByClientId(db: Db, userId: string, clientId: string): Promise<ChannelRow | undefined> {
  const rows = await db
    .select()
    .from(channels)
    .where(and(eq(channels.userId, userId), or(eq(channels.clientId, clientId), eq(channels.id, clientId))))
  return rows.find((row) => row.clientId === clientId) ?? rows[0]
}

/** Undefined when the row was inserted. */
export async function insertChannel(db: Db, row: typeof channels.$inferInsert): Promise<Conflict | undefined> {
  return conflictOf(() => db.insert(channels).values(row))
}

/** `currentName`: rename only a channel that has this name; undefined where it has another one or does not exist. */
export async function updateName(
  db: Db,
  which: OwnedChannel,
  name: Pick<ChannelRow, 'channelName' | 'nameKey'>,
  currentName?: string,
): Promise<ChannelRow | Conflict | undefined> {
  let row: ChannelRow | undefined
  const hasCurrentName = currentName === undefined ? undefined : eq(channels.channelName, currentName)
  const conflict = await conflictOf(async () => {
    ;[row] = await db
      .update(channels)
      .set(name)
      .where(and(isOwnedChannel(which), hasCurrentName))
      .returning()
  })
  return conflict ?? row
}

/**
 * Changes some settings and keeps the others, those of a later version too. Undefined where there is no such channel.
 */
export async function updateSettings(
  db: Db,
  which: OwnedChannel,
  change: ChatSettingsChange,
): Promise<ChannelRow | undefined> {
  const changed = sql<
    ChannelRow['settings']
  >`jsonb_strip_nulls(${channels.settings} || ${JSON.stringify(change)}::jsonb)`
  const [row] = await db.update(channels).set({ settings: changed }).where(isOwnedChannel(which)).returning()
  return row
}

/** The names that this owner's channels of one agent have. */
export async function namesOf(db: Db, userId: string, assistantId: string | null): Promise<string[]> {
  const rows = await db
    .select({ channelName: channels.channelName })
    .from(channels)
    .where(and(eq(channels.userId, userId), sql`coalesce(${channels.assistantId}, '') = ${assistantId ?? ''}`))
  return rows.map(({ channelName }) => channelName)
}

export async function deleteChannel(tx: Db, which: OwnedChannel): Promise<void> {
  await tx.delete(channels).where(isOwnedChannel(which))
}

/** Returns the ids of the deleted channels. */
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

const conflicts: Record<string, Conflict> = {
  channels_pkey: 'id',
  channels_client_id: 'client-id',
  channels_name: 'name',
  channels_topic: 'topic',
}

/** The unique indexes decide races: the later writer gets the conflict. */
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
