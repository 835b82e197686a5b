import { and, count, desc, eq, inArray, isNotNull, isNull, lt, ne, or } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import type { ChannelRow } from './public/channel-row-store'

const isTopic = (userId: string) => and(eq(channels.userId, userId), isNotNull(channels.topicId))

/** `id` is the topic's or its channel's. */
export async function findTopic(db: Db, userId: string, id: string): Promise<ChannelRow | undefined> {
  const rows = await db
    .select()
    .from(channels)
    .where(and(isTopic(userId), or(eq(channels.topicId, id), eq(channels.id, id))))
  return rows.find((row) => row.topicId === id) ?? rows[0]
}

/** Topics of one agent, or of none, apart from one channel. */
type TopicFilter = { assistantId: string | null; exceptId: string | undefined }

const matches = (userId: string, { assistantId, exceptId }: TopicFilter) =>
  and(
    isTopic(userId),
    assistantId === null ? isNull(channels.assistantId) : eq(channels.assistantId, assistantId),
    exceptId === undefined ? undefined : ne(channels.id, exceptId),
  )

/** Newest first. */
export async function listTopics(
  db: Db,
  userId: string,
  filter: TopicFilter,
  { page, size }: { page: number; size: number },
): Promise<ChannelRow[]> {
  return db
    .select()
    .from(channels)
    .where(matches(userId, filter))
    .orderBy(desc(channels.createdAt), desc(channels.id))
    .limit(size)
    .offset(page * size)
}

export async function countTopics(db: Db, userId: string, filter: TopicFilter): Promise<number> {
  const [row] = await db.select({ all: count() }).from(channels).where(matches(userId, filter))
  return row?.all ?? 0
}

export type FirstMessage = { question: string; answer: string }

/** The first message of each of these channels of one owner, by channel id. */
export async function firstMessages(
  db: Db,
  userId: string,
  channelIds: readonly string[],
): Promise<Map<string, FirstMessage>> {
  if (channelIds.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([messages.channelId], {
      channelId: messages.channelId,
      question: messages.question,
      answer: messages.answer,
    })
    .from(messages)
    .where(and(inArray(messages.channelId, [...channelIds]), eq(messages.ownerId, userId), lt(messages.position, 2)))
    .orderBy(messages.channelId, desc(messages.position))
  return new Map(rows.map(({ channelId, question, answer }) => [channelId, { question, answer }]))
}
