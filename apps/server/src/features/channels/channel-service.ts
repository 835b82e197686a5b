import { assertCanClear, assertCanDelete, type Channel, cleanChannelName, defaultChannelName } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { channelRoutes, MessageHit, MessagesPage } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import type * as z from 'zod/mini'
import type { Db } from '../../db/client'
import {
  type ChannelRow,
  countChannels,
  deleteChannel,
  deleteMessages,
  deleteUnlocked,
  findByClientId,
  findChannel,
  insertChannel,
  listChannels,
  lockChannel,
  namesOf,
  type Own,
  runningIn,
  updateName,
} from './channel-store'
import { importedRow, messageOf } from './message-row'
import { appendMessages, channelsWith, countMessages, deleteMessage, findMessage, findMessages, knownIds, newestMessages } from './message-store'
import { passageOf, searchWords } from './search-text'
import { fromStored, isStorable } from './stored-text'

type Deps = {
  db: Db
  /** Ends answers that are being written for this person; what they were written for is gone. */
  stopAnswers: (userId: string, messageIds: readonly string[]) => Promise<void>
  now: () => number
}

type NewChannel = z.infer<(typeof channelRoutes.create)['body']>

/** A name that is free when it is looked up may be taken when it is written. */
const maxNameAttempts = 20

/** The cloud's home of channels. Whatever is not this person's does not exist: channel.not-found, or not-found for a message. */
export class ChannelService {
  constructor(private readonly deps: Deps) {}

  async list(userId: string, { page = 0, size = limits.cloud.maxChannelPage }: { page?: number | undefined; size?: number | undefined }): Promise<Channel[]> {
    return (await listChannels(this.deps.db, userId, { page, size })).map(channelOf)
  }

  async get(which: Own): Promise<Channel> {
    return channelOf(await this.require(which))
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

  async rename(which: Own, name: string): Promise<Channel> {
    const channelName = requireName(name)
    if (!isStorable(which.channelId)) throw new AppError('channel.not-found')
    const renamed = await updateName(this.deps.db, which, { channelName, nameKey: channelName.toLowerCase() })
    if (renamed === undefined) throw new AppError('channel.not-found')
    if (typeof renamed === 'string') throw new AppError('channel.name-taken')
    return channelOf(renamed)
  }

  async remove(which: Own): Promise<void> {
    await this.change(which, async (tx, channel) => {
      assertCanDelete(channel)
      await deleteChannel(tx, which)
      return runningIn(tx, [which.channelId])
    })
  }

  /** The channel stays as it is, its place in the list too. */
  async clear(which: Own): Promise<void> {
    await this.change(which, async (tx, channel) => {
      assertCanClear(channel)
      await deleteMessages(tx, which)
      return runningIn(tx, [which.channelId])
    })
  }

  async removeAll(userId: string): Promise<{ deleted: number; skipped: number }> {
    const { db, stopAnswers } = this.deps
    const { deleted, running, skipped } = await db.transaction(async (tx) => {
      const deleted = await deleteUnlocked(tx, userId)
      return { deleted, running: await runningIn(tx, deleted), skipped: await countChannels(tx, userId) }
    })
    await stopAnswers(userId, running)
    return { deleted: deleted.length, skipped }
  }

  /** Page 0 is the newest; `before` is the cursor of the page after it and goes before the number. */
  async messages(which: Own, { page, size, before }: { page: number; size: number; before?: string | undefined }): Promise<MessagesPage> {
    const { db } = this.deps
    await this.require(which)
    const place = before === undefined ? { offset: page * size } : { before: positionOf(before) }
    // One more than asked for tells whether there are more.
    const newest = await newestMessages(db, which, { ...place, limit: size + 1 })
    const rows = newest.slice(0, size)
    const oldest = rows.at(-1)
    return {
      content: rows.reverse().map(messageOf),
      page,
      size,
      total: await countMessages(db, which),
      ...(newest.length > size && oldest ? { cursor: String(oldest.position) } : {}),
    }
  }

  async message(which: Own & { mId: string }): Promise<Message> {
    await this.require(which)
    const row = isStorable(which.mId) ? await findMessage(this.deps.db, which) : undefined
    if (!row) throw new AppError('not-found')
    return messageOf(row)
  }

  /** Without the channel the id must tell alone which message is meant. */
  async removeMessage({ userId, channelId, mId }: { userId: string; channelId: string | undefined; mId: string }): Promise<void> {
    const { db, stopAnswers } = this.deps
    if (!isStorable(mId)) throw new AppError('not-found')
    const [found, ...others] = channelId === undefined ? await channelsWith(db, userId, mId) : [channelId]
    if (others.length > 0) throw new AppError('validation')
    if (found === undefined || !isStorable(found) || !(await deleteMessage(db, { userId, channelId: found, mId }))) throw new AppError('not-found')
    await stopAnswers(userId, await runningIn(db, [found], mId))
  }

  /** All or none of them; those that the channel has already stay as they are. The channel's last activity stays too: nothing was said now. */
  async importMessages(which: Own, given: readonly Message[]): Promise<{ added: number; existing: number; total: number }> {
    const { db, now } = this.deps
    for (const { mId } of given) requireStorable(mId)
    if (!isStorable(which.channelId)) throw new AppError('channel.not-found')
    return db.transaction(async (tx) => {
      const channel = await lockChannel(tx, which)
      if (!channel) throw new AppError('channel.not-found')
      const mIds = given.map(({ mId }) => mId)
      const known = await knownIds(tx, which, mIds)
      const added = given
        .filter(({ mId }, index) => !known.has(mId) && mIds.indexOf(mId) === index)
        .map((message) => importedRow(message, which.channelId, new Date(now())))
      await appendMessages(tx, which, channel.lastPosition, added)
      return { added: added.length, existing: given.length - added.length, total: await countMessages(tx, which) }
    })
  }

  async search(userId: string, query: string): Promise<MessageHit[]> {
    const words = searchWords(query)
    if (words.terms.length === 0) return []
    const found = await findMessages(this.deps.db, userId, words.terms, limits.cloud.searchResults)
    return found.map(({ channelId, channelName, mId, askedAt, question, answer }) => ({
      channelId,
      channelName,
      mId,
      datetime: fromStored(askedAt),
      ...passageOf(fromStored(question), fromStored(answer), words),
    }))
  }

  /** Deletes first and stops afterwards: an answer under way finds its message gone and brings nothing back. */
  private async change(which: Own, act: (tx: Db, channel: ChannelRow) => Promise<string[]>): Promise<void> {
    const { db, stopAnswers } = this.deps
    if (!isStorable(which.channelId)) throw new AppError('channel.not-found')
    const running = await db.transaction(async (tx) => {
      const channel = await lockChannel(tx, which)
      if (!channel) throw new AppError('channel.not-found')
      return act(tx, channel)
    })
    await stopAnswers(which.userId, running)
  }

  private async require(which: Own): Promise<ChannelRow> {
    const row = isStorable(which.channelId) ? await findChannel(this.deps.db, which) : undefined
    if (!row) throw new AppError('channel.not-found')
    return row
  }

  private rowOf(userId: string, wanted: NewChannel): Omit<ChannelRow, 'channelName' | 'nameKey'> {
    const { id, isDocument = false, isImage = false, isYoutube = false, isLocked = false } = wanted
    const assistantId = wanted.assistantId || null
    if (assistantId !== null) requireStorable(assistantId)
    const createdAt = this.moment(wanted.created_at)
    const updatedAt = this.moment(wanted.updated_at ?? wanted.created_at)
    const flags = { isDocument, isImage, isYoutube, isLocked }
    return { id: id ?? uuidv7(), userId, clientId: id ?? null, assistantId, ...flags, lastPosition: 0, createdAt, updatedAt }
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
    userId,
    channelName,
    assistantId,
    isDocument,
    isImage,
    isYoutube,
    isLocked,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    isLocalChannel: false,
    source: 'postgresql',
  }
}

function requireName(name: string): string {
  const clean = cleanChannelName(name).replace(/\p{Cs}/gu, '\uFFFD')
  if (clean === '') throw new AppError('validation')
  return clean
}

function requireStorable(id: string): void {
  if (!isStorable(id)) throw new AppError('validation')
}

function positionOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new AppError('validation')
  return Number(cursor)
}
