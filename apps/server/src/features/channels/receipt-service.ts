import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { ConversationMessage, MessageMeta, Reader } from '@parley/contract/receipts'
import { foldedMessage } from '@parley/contract/search-text'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { subjectOf } from '../../plugins/people'
import { type Asker, lockForWriting, requireAccess } from './access-service'
import { peopleIn, peopleOf } from './access-store'
import type { ChannelNews } from './channel-news-service'
import { listChannels, type Own, type Running, runningIn } from './channel-store'
import { nameOf } from './member-service'
import { nameParts } from './member-store'
import { type AskedMessage, requireMessage } from './message-access'
import { type MessageRow, messageOf } from './message-row'
import { appendMessages, newestOfEach } from './message-store'
import {
  authorsOf,
  countDirectMessages,
  deleteWritten,
  directMessages,
  noteRead,
  noteReceived,
  type Receipt,
  receiptsFor,
  receiptsOfAll,
} from './receipt-store'
import { fromStored, isStorable } from './stored-text'

type Deps = { db: Db; news: ChannelNews; stopAnswers: (running: readonly Running[]) => Promise<void>; now: () => number }
type Paging = { page?: number | undefined; size?: number | undefined }

/** Receipts and forwarding: the message paths of document 3, for cloud channels. Throws channel.not-found, or not-found for a message. */
export class ReceiptService {
  constructor(private readonly deps: Deps) {}

  async receive(asked: AskedMessage): Promise<void> {
    const { db, news, now } = this.deps
    const { access, row } = await requireMessage(db, asked)
    if ((await noteReceived(db, access, asked.actorId, new Date(now()), row.mId)) > 0) await news.received(access, asked.actorId)
  }

  async read(asked: AskedMessage): Promise<void> {
    const { db, news, now } = this.deps
    const { access, row } = await requireMessage(db, asked)
    if ((await noteRead(db, access, asked.actorId, new Date(now()), row.mId)) > 0) await news.received(access, asked.actorId)
  }

  /** Answers how many messages had not been read before. */
  async readConversation(asker: Asker): Promise<number> {
    const { db, news, now } = this.deps
    const access = await requireAccess(db, asker)
    const read = await noteRead(db, access, asker.actorId, new Date(now()))
    if (read > 0) await news.received(access, asker.actorId)
    return read
  }

  /** Of those of these messages that are there: everybody in the channel now, but the author. */
  async readers(asker: Asker, mIds: readonly string[]): Promise<{ mId: string; readers: Reader[] }[]> {
    const { db } = this.deps
    const access = await requireAccess(db, asker)
    const possible = mIds.filter(isStorable)
    if (possible.length === 0) return []
    const people = await peopleIn(db, access)
    const names = await nameParts(db, people)
    const receipts = await receiptsFor(db, access, possible)
    return (await authorsOf(db, access, possible)).map(({ mId, authorUserId }) => ({
      mId,
      readers: people
        .filter((userId) => userId !== authorUserId)
        .map((userId) => {
          const parts = names.get(userId)
          const receipt = receipts.find((each) => each.mId === mId && each.userId === userId)
          const [received, read] = [receipt?.receivedAt.toISOString() ?? null, receipt?.readAt?.toISOString() ?? null]
          return { userId, name: parts ? nameOf(parts) : '', received, read }
        }),
    }))
  }

  async conversations(actorId: string, { page = 0, size = limits.sharing.conversationPage }: Paging): Promise<Record<string, ConversationMessage[]>> {
    const { db } = this.deps
    const listed = await listChannels(db, actorId, { page, size })
    const owned = listed.map(({ id, userId }) => ({ userId, channelId: id }))
    const said = await this.withMeta(actorId, await newestOfEach(db, owned, limits.sharing.conversationPage))
    return Object.fromEntries(
      listed.map(({ id, assistantId }) => [
        `${id}_${assistantId ?? ''}`,
        said.filter(({ channelId, chat_response }) => channelId === id && chat_response.content.trim() !== ''),
      ]),
    )
  }

  async directMessages(actorId: string, { page = 0, size = limits.sharing.conversationPage }: Paging) {
    const { db } = this.deps
    const rows = await directMessages(db, actorId, { page, size })
    return { content: await this.withMeta(actorId, rows), page, size, total: await countDirectMessages(db, actorId) }
  }

  /** The copies have the person who forwards as their author. Throws for a target that does not exist or cannot be written in; then nothing is forwarded. */
  async forward(asked: AskedMessage, channelIds: readonly string[]): Promise<{ channelId: string; mId: string }[]> {
    const { db, news } = this.deps
    const now = new Date(this.deps.now())
    const { row } = await requireMessage(db, asked)
    if (row.status === 'streaming') throw new AppError('channel.answering')
    // In one order for all, so that two who forward at once do not wait for each other.
    const targets = [...new Set(channelIds)].sort()
    const written = await db.transaction(async (tx) => {
      const copies: (Own & { mId: string })[] = []
      for (const channelId of targets) {
        const { userId, lastPosition } = await lockForWriting(tx, { actorId: asked.actorId, channelId })
        const mId = uuidv7()
        await appendMessages(tx, { userId, channelId }, lastPosition, [copyOf(row, { channelId, mId, actorId: asked.actorId, now })])
        copies.push({ userId, channelId, mId })
      }
      return copies
    })
    for (const copy of written) await news.changed(copy, asked.actorId)
    return written.map(({ channelId, mId }) => ({ channelId, mId }))
  }

  /** Everything that this person wrote, but what is in locked channels. */
  async removeMine(actorId: string): Promise<number> {
    const { db, news, stopAnswers } = this.deps
    const { places, running } = await db.transaction(async (tx) => {
      const places = await deleteWritten(tx, actorId)
      const written = await runningIn(tx, [...new Set(places.map(({ channelId }) => channelId))])
      return { places, running: written.filter(({ subject }) => subject === subjectOf({ userId: actorId })) }
    })
    await stopAnswers(running)
    for (const place of new Map(places.map((each) => [each.channelId, each])).values()) await news.changed(place, actorId)
    return places.length
  }

  /** Of messages of any channels that the person is in: as many queries for all as for one. */
  private async withMeta(actorId: string, rows: readonly MessageRow[]): Promise<ConversationMessage[]> {
    const { db } = this.deps
    const owned = [...new Map(rows.map(({ ownerId, channelId }) => [channelId, { userId: ownerId, channelId }])).values()]
    const [people, receipts] = [await peopleOf(db, owned), await receiptsOfAll(db, rows)]
    return rows.map((row) => {
      const { mId, channelId, chat_request, chat_response, datetime } = messageOf(row)
      const of = receipts.filter((receipt) => receipt.channelId === channelId && receipt.mId === mId)
      return {
        mId,
        channelId,
        chat_request,
        chat_response: { content: chat_response.content },
        time: datetime,
        meta: metaOf(row, datetime, { actorId, people: people.get(channelId) ?? [], of }),
      }
    })
  }
}

/** Of what was said, not of what it cost and which run wrote it. */
function copyOf(row: MessageRow, { channelId, mId, actorId, now }: { channelId: string; mId: string; actorId: string; now: Date }) {
  const { ownerId: _owner, position: _position, cost: _cost, runMessageId: _run, runSeq: _seq, runBase: _base, runQuestion: _question, ...said } = row
  return {
    ...said,
    channelId,
    mId,
    authorUserId: actorId,
    authorName: null,
    isForwarded: true,
    askedAt: now.toISOString(),
    updatedAt: now,
    folded: foldedMessage(fromStored(row.question), fromStored(row.answer)),
  }
}

/** To the reader their own receipt; to the sender when the last of the others had it. */
function metaOf(row: MessageRow, sent: string, { actorId, people, of }: { actorId: string; people: readonly string[]; of: readonly Receipt[] }): MessageMeta {
  const sender = row.authorUserId
  if (sender !== actorId) {
    const mine = of.find(({ userId }) => userId === actorId)
    return { sender, receiver: actorId, sent, received: mine?.receivedAt.toISOString() ?? null, read: mine?.readAt?.toISOString() ?? null }
  }
  const others = people.filter((id) => id !== sender)
  const theirs = others.map((id) => of.find(({ userId }) => userId === id))
  const [only, ...more] = others
  return {
    sender,
    receiver: more.length === 0 ? (only ?? null) : null,
    sent,
    received: latest(theirs.map((receipt) => receipt?.receivedAt)),
    read: latest(theirs.map((receipt) => receipt?.readAt ?? undefined)),
  }
}

/** null where there is nobody, or somebody had it not yet. */
function latest(times: readonly (Date | undefined)[]): string | null {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 || known.length < times.length ? null : new Date(Math.max(...known.map(Number))).toISOString()
}
