import { cleanChannelName, freeName } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { noId, type TopicChannel } from '@parley/contract/topics'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { importedRow } from '../messages/public/message-row'
import { appendMessages } from '../messages/public/message-store'
import { fromStored, isStorable, toStored } from '../messages/public/stored-text'
import { insertChannel, namesOf } from './channel-store'
import { requireAccess } from './public/channel-access'
import { type ChannelRow, lockChannel } from './public/channel-row-store'
import { countTopics, type FirstMessage, findTopic, firstMessages, listTopics } from './topic-store'

type Deps = {
  db: Db
  /** The agent's greeting; undefined where it has none. */
  greetingOf?: ((assistantId: string | null, userId: string) => Promise<string | undefined>) | undefined
  now: () => number
}

type TopicRequest = { subject: string; topicId: string; assistantId?: string | null | undefined }

const maxNameAttempts = 20

/** Topics: cloud channels about a subject, found by the caller's own id. Only their owner finds them as topics. */
export class TopicService {
  constructor(private readonly deps: Deps) {}

  /** Returns the topic's channel. Creates it, with the agent's greeting as its first message, where there is none. */
  async open(userId: string, { subject, topicId, assistantId = null }: TopicRequest): Promise<TopicChannel> {
    const { db } = this.deps
    const name = cleanChannelName(subject).replace(/\p{Cs}/gu, '\uFFFD')
    if (name === '' || !isStorable(topicId) || (assistantId !== null && !isStorable(assistantId)))
      throw new AppError('validation')
    const existing = await findTopic(db, userId, topicId)
    if (existing) return this.topicOf(existing)
    const greeting = await this.deps.greetingOf?.(assistantId, userId)
    for (let attempt = 0; attempt < maxNameAttempts; attempt++) {
      const row = this.rowOf(userId, freeName(name, await namesOf(db, userId, assistantId)), {
        subject,
        topicId,
        assistantId,
      })
      // One transaction: a repeated call returns the existing channel, so a missing greeting would never be added.
      const conflict = await db.transaction(async (tx) => {
        const taken = await insertChannel(tx, row)
        if (!taken && greeting) await this.greet(tx, row, greeting)
        return taken
      })
      if (!conflict) return this.topicOf(row)
      const concurrent = await findTopic(db, userId, topicId)
      if (concurrent) return this.topicOf(concurrent)
    }
    throw new AppError('conflict')
  }

  /** Throws channel.not-found. */
  async get(userId: string, id: string): Promise<TopicChannel> {
    const row = isStorable(id) ? await findTopic(this.deps.db, userId, id) : undefined
    if (!row) throw new AppError('channel.not-found')
    return this.topicOf(row)
  }

  /** `channelId` is the open channel, which is left out. Throws channel.not-found where the person is not in it. */
  async list(
    userId: string,
    { page, size, assistantId, channelId }: { page: number; size: number; assistantId: string; channelId: string },
  ) {
    const { db } = this.deps
    if (!isStorable(assistantId)) throw new AppError('validation')
    if (channelId !== noId) await requireAccess(db, { actorId: userId, channelId })
    const filter = {
      assistantId: assistantId === noId ? null : assistantId,
      exceptId: channelId === noId ? undefined : channelId,
    }
    const rows = await listTopics(db, userId, filter, { page, size })
    const firsts = await firstMessages(
      db,
      userId,
      rows.map(({ id }) => id),
    )
    return {
      content: rows.map((row) => topicOf(row, firsts.get(row.id))),
      page,
      size,
      total: await countTopics(db, userId, filter),
    }
  }

  private rowOf(userId: string, channelName: string, { subject, topicId, assistantId }: TopicRequest): ChannelRow {
    const now = new Date(this.deps.now())
    return {
      id: uuidv7(),
      userId,
      clientId: null,
      channelName,
      nameKey: channelName.toLowerCase(),
      assistantId: assistantId ?? null,
      topicId,
      subject: toStored(subject),
      headRunId: null,
      settings: {},
      isDocument: false,
      isImage: false,
      isYoutube: false,
      isLocked: false,
      lastPosition: 0,
      createdAt: now,
      updatedAt: now,
    }
  }

  private async greet(tx: Db, { id: channelId, userId, assistantId }: ChannelRow, greeting: string): Promise<void> {
    const now = new Date(this.deps.now())
    const message = {
      mId: uuidv7(),
      channelId,
      chat_request: '',
      chat_response: { role: 'assistant' as const, content: greeting },
      datetime: now.toISOString(),
      status: 'completed' as const,
      assistantId,
    }
    const channel = await lockChannel(tx, { userId, channelId })
    if (channel)
      await appendMessages(tx, { userId, channelId }, channel.lastPosition, [
        { ...importedRow(message, channelId, now), authorUserId: userId },
      ])
  }

  private async topicOf(row: ChannelRow): Promise<TopicChannel> {
    return topicOf(row, (await firstMessages(this.deps.db, row.userId, [row.id])).get(row.id))
  }
}

/** A first message without a question is the greeting; it may have been deleted. */
function topicOf(
  { id, userId, topicId, subject, channelName, assistantId, createdAt }: ChannelRow,
  first: FirstMessage | undefined,
): TopicChannel {
  return {
    channelId: id,
    topicId: topicId ?? '',
    subject: subject === null ? channelName : fromStored(subject),
    user: userId,
    assistantId,
    chat_response: { content: first && first.question === '' ? fromStored(first.answer) : '' },
    datetime: createdAt.toISOString(),
  }
}
