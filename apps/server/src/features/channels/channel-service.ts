import { assertCanClear, assertCanDelete, type Channel, cleanChannelName, defaultChannelName } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { channelRoutes, MessagesPage } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { compareVersions } from '@parley/contract/message-versions'
import { uuidv7 } from '@parley/contract/uuid'
import type * as z from 'zod/mini'
import type { Db } from '../../db/client'
import { type Asker, lockForWriting, requireAccess, requireOwner } from './access-service'
import type { ChannelNews } from './channel-news-service'
import {
  type ChannelRow,
  countChannels,
  deleteChannel,
  deleteMessages,
  deleteUnlocked,
  findByClientId,
  findSeen,
  insertChannel,
  listChannels,
  lockChannel,
  namesOf,
  type Own,
  type Running,
  runningIn,
  type SeenRow,
  updateName,
} from './channel-store'
import { lockExchange, updateExchange } from './exchange-store'
import { nameOf } from './member-service'
import { membersOf } from './member-store'
import { type AskedMessage, requireMessage } from './message-access'
import { messagesFor } from './message-authors'
import { messagesPage } from './message-page'
import { importedRow, messageOf } from './message-row'
import { searchMessages } from './message-search'
import { appendMessages, countMessages, deleteMessage, findMessage, knownIds } from './message-store'
import { isStorable, toStored } from './stored-text'

type Deps = {
  db: Db
  news: ChannelNews
  /** Ends answers that are being written; what they were written for is gone. */
  stopAnswers: (running: readonly Running[]) => Promise<void>
  now: () => number
}

type NewChannel = z.infer<(typeof channelRoutes.create)['body']>
type Seen = z.infer<(typeof channelRoutes.remove)['query']>
type Imported = z.infer<(typeof channelRoutes.importMessages)['body']>

/** A name that is free when it is looked up may be taken when it is written. */
const maxNameAttempts = 20

/**
 * The cloud's home of channels. A channel that this person is not in does not exist: channel.not-found, or not-found for a message. What only its owner may do is
 * channel.owner-only for its members.
 */
export class ChannelService {
  constructor(private readonly deps: Deps) {}

  async list(userId: string, { page = 0, size = limits.cloud.maxChannelPage }: { page?: number | undefined; size?: number | undefined }): Promise<Channel[]> {
    return (await listChannels(this.deps.db, userId, { page, size })).map(seenChannelOf)
  }

  async get(which: Asker): Promise<Channel> {
    const row = isStorable(which.channelId) ? await findSeen(this.deps.db, which) : undefined
    if (!row) throw new AppError('channel.not-found')
    return seenChannelOf(row)
  }

  /** A repeated call with the same id answers the channel of the first one. Throws channel.name-taken. */
  async create(userId: string, wanted: NewChannel): Promise<Channel> {
    const { db } = this.deps
    if (wanted.id !== undefined) {
      requireStorable(wanted.id)
      const known = await findByClientId(db, userId, wanted.id)
      if (known) return channelOf(known)
    }
    const row = this.rowOf(userId, wanted)
    const chosen = wanted.channelName === undefined ? undefined : requireName(wanted.channelName)
    for (let attempt = 0; attempt < maxNameAttempts; attempt++) {
      const channelName = chosen ?? defaultChannelName(new Date(this.deps.now()), await namesOf(db, userId, row.assistantId))
      const named = { ...row, channelName, nameKey: channelName.toLowerCase() }
      const conflict = await insertChannel(db, named)
      if (!conflict) return channelOf(named)
      const known = wanted.id === undefined ? undefined : await findByClientId(db, userId, wanted.id)
      if (known) return channelOf(known)
      // The id is somebody else's: the channel gets one of its own.
      if (conflict === 'id') row.id = uuidv7()
      else if (chosen !== undefined) throw new AppError('channel.name-taken')
    }
    throw new AppError('conflict')
  }

  /** `instead`: only while it is called so. Answers the channel as it is then. Throws validation, channel.not-found, channel.name-taken. */
  async rename(which: Asker, name: string, instead?: string): Promise<Channel> {
    const { db, news } = this.deps
    const channelName = requireName(name)
    const owned = await requireOwner(db, which)
    const renamed = await updateName(db, owned, { channelName, nameKey: channelName.toLowerCase() }, instead)
    if (typeof renamed === 'string') throw new AppError('channel.name-taken')
    if (renamed) await news.changed(owned, which.actorId)
    return this.get(which)
  }

  /** `seen`: only if the channel is still as whoever copied it has seen it, and nothing is being written in it. Throws channel.copy-differs, channel.answering. */
  async remove(which: Asker, seen: Seen = {}): Promise<void> {
    const owned = await requireOwner(this.deps.db, which)
    const tellMembers = await this.deps.news.leaving(owned)
    await this.change(owned, async (tx, channel) => {
      assertCanDelete(channel)
      await assertAsSeen(tx, channel, seen)
      await deleteChannel(tx, owned)
      return runningIn(tx, [which.channelId])
    })
    await tellMembers()
  }

  /** The channel stays as it is, its place in the list too. */
  async clear(which: Asker): Promise<void> {
    const owned = await requireOwner(this.deps.db, which)
    await this.change(owned, async (tx, channel) => {
      assertCanClear(channel)
      await deleteMessages(tx, owned)
      return runningIn(tx, [which.channelId])
    })
    await this.deps.news.changed(owned, which.actorId)
  }

  /** Those of others stay: whoever wants to leave one says so. */
  async removeAll(userId: string): Promise<{ deleted: number; skipped: number }> {
    const { db, news, stopAnswers } = this.deps
    const members = await membersOf(db, userId)
    const { deleted, running, skipped } = await db.transaction(async (tx) => {
      const deleted = await deleteUnlocked(tx, userId)
      return { deleted, running: await runningIn(tx, deleted), skipped: await countChannels(tx, userId) }
    })
    await stopAnswers(running)
    for (const [channelId, userIds] of members) if (deleted.includes(channelId)) await news.left(channelId, userIds)
    return { deleted: deleted.length, skipped }
  }

  /** Page 0 is the newest; a cursor, or a message to be around, goes before the number. */
  messages(asker: Asker, wanted: Parameters<typeof messagesPage>[2]): Promise<MessagesPage> {
    return messagesPage(this.deps.db, asker, wanted)
  }

  async message({ mId, ...asker }: Asker & { mId: string }): Promise<Message> {
    const { db } = this.deps
    const which = await requireAccess(db, asker)
    const row = isStorable(mId) ? await findMessage(db, { ...which, mId }) : undefined
    const [message] = await messagesFor(db, asker.actorId, row ? [row] : [])
    if (!message) throw new AppError('not-found')
    return message
  }

  /** Any message of one's own channel, in others those that one wrote. Throws not-found, channel.not-author. */
  async removeMessage(asked: AskedMessage): Promise<void> {
    const { db, news, stopAnswers } = this.deps
    const { access, row } = await requireMessage(db, asked)
    const isOwner = access.role === 'owner'
    if (!isOwner && row.authorUserId !== asked.actorId) throw new AppError('channel.not-author')
    if (!(await deleteMessage(db, { ...access, mId: row.mId }, isOwner ? undefined : asked.actorId))) throw new AppError('not-found')
    await stopAnswers(await runningIn(db, [access.channelId], row.mId))
    await news.changed(access, asked.actorId)
  }

  /**
   * All or none of them; those that the channel has already stay as they are, unless `takesNewer` lets the state that
   * was written later take the place of the other. The channel's last activity stays too: nothing was said now.
   */
  async importMessages(asker: Asker, { messages: given, takesNewer = false }: Imported): Promise<{ added: number; existing: number; total: number }> {
    const { db, news, now } = this.deps
    for (const { mId } of given) requireStorable(mId)
    const { which, replaced, ...result } = await db.transaction(async (tx) => {
      const which = await lockForWriting(tx, asker)
      const isOwner = which.role === 'owner'
      // What answers in another person's channel say is written by the server alone.
      if (!isOwner && given.some(({ chat_response }) => chat_response.content !== '')) throw new AppError('channel.owner-only')
      const mIds = given.map(({ mId }) => mId)
      const known = await knownIds(tx, which, mIds)
      const added = given
        .filter(({ mId }, index) => !known.has(mId) && mIds.indexOf(mId) === index)
        .map((message) => ({ ...importedRow(message, which.channelId, new Date(now())), ...authorOf(message, asker.actorId, isOwner) }))
      await appendMessages(tx, which, which.lastPosition, added)
      const replaced =
        takesNewer && isOwner
          ? await this.replaceOlder(
              tx,
              which,
              given.filter(({ mId }) => known.has(mId)),
            )
          : 0
      return { which, replaced, added: added.length, existing: given.length - added.length, total: await countMessages(tx, which) }
    })
    if (result.added + replaced > 0) await news.changed(which, asker.actorId)
    return result
  }

  /**
   * An answer that is being written is left alone: its run may be the later one. Answers how many messages were
   * replaced.
   */
  private async replaceOlder(tx: Db, which: Own, given: readonly Message[]): Promise<number> {
    let replaced = 0
    for (const message of given) {
      const row = await lockExchange(tx, { ...which, mId: message.mId })
      if (!row || row.status === 'streaming' || !((compareVersions(message, messageOf(row)) ?? 0) > 0)) continue
      const { channelId: _channel, mId, ...change } = importedRow(message, which.channelId, new Date(this.deps.now()))
      await updateExchange(tx, { ...which, mId }, change)
      replaced++
    }
    return replaced
  }

  search(userId: string, wanted: Parameters<typeof searchMessages>[2]): ReturnType<typeof searchMessages> {
    return searchMessages(this.deps.db, userId, wanted)
  }

  /** Deletes first and stops afterwards: an answer under way finds its message gone and brings nothing back. */
  private async change(which: Own, act: (tx: Db, channel: ChannelRow) => Promise<Running[]>): Promise<void> {
    const { db, stopAnswers } = this.deps
    const running = await db.transaction(async (tx) => {
      const channel = await lockChannel(tx, which)
      if (!channel) throw new AppError('channel.not-found')
      return act(tx, channel)
    })
    await stopAnswers(running)
  }

  private rowOf(userId: string, wanted: NewChannel): Omit<ChannelRow, 'channelName' | 'nameKey'> {
    const { id, isDocument = false, isImage = false, isYoutube = false, isLocked = false } = wanted
    const assistantId = wanted.assistantId || null
    if (assistantId !== null) requireStorable(assistantId)
    const createdAt = this.moment(wanted.created_at)
    const updatedAt = this.moment(wanted.updated_at ?? wanted.created_at)
    const flags = { isDocument, isImage, isYoutube, isLocked }
    return { id: id ?? uuidv7(), userId, clientId: id ?? null, assistantId, topicId: null, subject: null, ...flags, lastPosition: 0, createdAt, updatedAt }
  }

  private moment(iso: string | undefined): Date {
    const date = new Date(iso ?? this.deps.now())
    if (!(date.getTime() >= 0)) throw new AppError('validation')
    return date
  }
}

function channelOf(row: ChannelRow): Channel {
  const { id, userId, channelName, assistantId, isDocument, isImage, isYoutube, isLocked, createdAt, updatedAt } = row
  return {
    id,
    _id: id,
    userId,
    channelName,
    assistantId,
    isDocument,
    isImage,
    isYoutube,
    isLocked,
    deviceInfo: '',
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    isLocalChannel: false,
    source: 'postgresql',
  }
}

function seenChannelOf({ role, ownerName, ownerEmail, memberCount, ...row }: SeenRow): Channel {
  const shared = role === null ? {} : { role, ownerName: nameOf({ name: ownerName, email: ownerEmail }) }
  return { ...channelOf(row), ...shared, ...(memberCount === 0 ? {} : { memberCount }) }
}

/** Whose words an imported message has: one's own, unless one's own channel brings those of others along. */
function authorOf({ author }: Message, actorId: string, isOwner: boolean): { authorUserId: string | null; authorName: string | null } {
  return author && isOwner ? { authorUserId: null, authorName: toStored(author.name) } : { authorUserId: actorId, authorName: null }
}

/** What was said since would be deleted without having been copied. */
async function assertAsSeen(tx: Db, { id: channelId, userId, updatedAt }: ChannelRow, seen: Seen): Promise<void> {
  if (seen.total === undefined && seen.updatedAt === undefined) return
  if ((await runningIn(tx, [channelId])).length > 0) throw new AppError('channel.answering')
  const isSameTime = seen.updatedAt === undefined || Date.parse(seen.updatedAt) === updatedAt.getTime()
  const isSameTotal = seen.total === undefined || seen.total === (await countMessages(tx, { userId, channelId }))
  if (!isSameTime || !isSameTotal) throw new AppError('channel.copy-differs')
}

function requireName(name: string): string {
  const clean = cleanChannelName(name).replace(/\p{Cs}/gu, '\uFFFD')
  if (clean === '') throw new AppError('validation')
  return clean
}

function requireStorable(id: string): void {
  if (!isStorable(id)) throw new AppError('validation')
}
