import { and, asc, count, desc, eq, inArray, isNull, ne, or } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import type { MessageRow } from '../messages/public/message-row'
import { messageColumns } from '../messages/public/message-store'

/** Channels with members, of which this person is the owner or a member. */
const sharedChannels = (db: Db, readerId: string) =>
  db
    .select({ channelId: channelMembers.channelId })
    .from(channelMembers)
    .innerJoin(channels, eq(channels.id, channelMembers.channelId))
    .where(or(eq(channelMembers.userId, readerId), eq(channels.userId, readerId)))

const isDirectMessage = (db: Db, readerId: string) =>
  and(
    inArray(messages.channelId, sharedChannels(db, readerId)),
    isNull(messages.removedAt),
    or(isNull(messages.authorUserId), ne(messages.authorUserId, readerId)),
  )

/** Newest first. */
export async function directMessages(
  db: Db,
  readerId: string,
  { page, size }: { page: number; size: number },
): Promise<MessageRow[]> {
  return db
    .select(messageColumns)
    .from(messages)
    .where(isDirectMessage(db, readerId))
    .orderBy(desc(messages.updatedAt), asc(messages.channelId), desc(messages.position))
    .limit(size)
    .offset(page * size)
}

export async function countDirectMessages(db: Db, readerId: string): Promise<number> {
  const [row] = await db.select({ all: count() }).from(messages).where(isDirectMessage(db, readerId))
  return row?.all ?? 0
}
