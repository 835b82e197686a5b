import { cleanChannelName, freeName } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { noId, type TopicChannel } from '@parley/contract/topics'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { requireAccess } from './access-service'
import { type ChannelRow, insertChannel, lockChannel, namesOf } from './channel-store'
import { importedRow } from './message-row'
import { appendMessages } from './message-store'
import { fromStored, isStorable, toStored } from './stored-text'
import { countTopics, type FirstMessage, findTopic, firstMessages, listTopics } from './topic-store'

type Deps = {
  db: Db
  /** What an agent says first; undefined where it says nothing. */
  greetingOf?: ((assistantId: string | null, userId: string) => Promise<string | undefined>) | undefined
  now: () => number
}

type Opened = { subject: string; topicId: string; assistantId?: string | null | undefined }

const maxNameAttempts = 20

/** Topics: cloud channels about an open subject under an agent. They are their owner's; in all else they are channels like any other. */
export class TopicService {
  constructor(private readonly deps: Deps) {}

  /** The channel of a topic, made when there is none, with the agent's greeting as its first message. */
  async open(userId: string, { subject, topicId, assistantId = null }: Opened): Promise<TopicChannel> {
    const { db } = this.deps
    const name = cleanChannelName(subject).replace(/\p{Cs}/gu, '\uFFFD')
    if (name === '' || !isStorable(topicId) || (assistantId !== null && !isStorable(assistantId))) throw new AppError('validation')
    const known = await findTopic(db, userId, topicId)
    if (known) return this.topicOf(known)
    const greeting = await this.deps.greetingOf?.(assistantId, userId)
    for (let attempt = 0; attempt < maxNameAttempts; attempt++) {
      const row = this.rowOf(userId, freeName(name, await namesOf(db, userId, assistantId)), { subject, topicId, assistantId })
      // Both or neither: whoever asks again gets the channel as it is, so a greeting that is missing would never come.
      const conflict = await db.transaction(async (tx) => {
        const found = await insertChannel(tx, row)
        if (!found && greeting) await this.greet(tx, row, greeting)
        return found
      })
      if (!conflict) return this.topicOf(row)
      const made = await findTopic(db, userId, topicId)
      if (made) return this.topicOf(made)
    }
    throw new AppError('conflict')
  }

  /** Throws channel.not-found. */
  async get(userId: string, id: string): Promise<TopicChannel> {
    const row = isStorable(id) ? await findTopic(this.deps.db, userId, id) : undefined
    if (!row) throw new AppError('channel.not-found')
    return this.topicOf(row)
  }

  /** Throws channel.not-found for an open channel that this person is not in. */
  async list(userId: string, { page, size, assistantId, channelId }: { page: number; size: number; assistantId: string; channelId: string }) {
    const { db } = this.deps
    if (!isStorable(assistantId)) throw new AppError('validation')
    if (channelId !== noId) await requireAccess(db, { actorId: userId, channelId })
    const which = { assistantId: assistantId === noId ? null : assistantId, exceptId: channelId === noId ? undefined : channelId }
    const rows = await listTopics(db, userId, which, { page, size })
    const firsts = await firstMessages(
      db,
      userId,
      rows.map(({ id }) => id),
    )
    return { content: rows.map((row) => topicOf(row, firsts.get(row.id))), page, size, total: await countTopics(db, userId, which) }
  }

  private rowOf(userId: string, channelName: string, { subject, topicId, assistantId }: Opened): ChannelRow {
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
    if (channel) await appendMessages(tx, { userId, channelId }, channel.lastPosition, [{ ...importedRow(message, channelId, now), authorUserId: userId }])
  }

  private async topicOf(row: ChannelRow): Promise<TopicChannel> {
    return topicOf(row, (await firstMessages(this.deps.db, row.userId, [row.id])).get(row.id))
  }
}

/** The greeting is the first message, while it is still there: one that answers no question. */
function topicOf({ id, userId, topicId, subject, channelName, assistantId, createdAt }: ChannelRow, first: FirstMessage | undefined): TopicChannel {
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
