import {
  assertCanClear,
  assertCanDelete,
  type Channel,
  cleanChannelName,
  defaultChannelName,
} from '@parley/contract/channels'
import { type ChatSettingsChange, changedSettings, cleanSettingsChange } from '@parley/contract/chat-settings'
import type { channelRoutes } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import type * as z from 'zod/mini'
import type { Db } from '../../db/client'
import { displayName } from '../auth/public/display-name'
import { clearHeads } from '../messages/public/head-store'
import { countMessages, countRuns, countStanding, deleteMessages } from '../messages/public/message-store'
import { type RunningAnswer, runningAnswersIn } from '../messages/public/running-answer-store'
import { isStorable } from '../messages/public/stored-text'
import { seenSourcesOf } from '../sources/public/seen-sources-store'
import {
  countChannels,
  deleteChannel,
  deleteUnlocked,
  findByClientId,
  insertChannel,
  namesOf,
  updateName,
  updateSettings,
} from './channel-store'
import { type AccessRequest, requireOwner } from './public/channel-access'
import type { ChannelEvents } from './public/channel-events'
import { membersInEach } from './public/channel-people-store'
import { type ChannelRow, lockChannel, type OwnedChannel } from './public/channel-row-store'
import { findVisibleChannel, listChannels, type VisibleChannelRow } from './public/visible-channel-store'

type Deps = {
  db: Db
  events: ChannelEvents
  /** Aborts answers whose channel or messages were deleted. */
  stopAnswers: (running: readonly RunningAnswer[]) => Promise<void>
  now: () => number
}

type NewChannel = z.infer<(typeof channelRoutes.create)['body']>
/** The state of a channel at which the client copied it. */
type CopiedState = z.infer<(typeof channelRoutes.remove)['query']>

/** Another request may take a free name between its lookup and the insert. */
const maxNameAttempts = 20

/**
 * Channels in the cloud. Every method throws channel.not-found for a person who is not in the channel, and those for
 * owners throw channel.owner-only for its members.
 */
export class ChannelService {
  constructor(private readonly deps: Deps) {}

  async list(
    userId: string,
    { page = 0, size = limits.cloud.maxChannelPage }: { page?: number | undefined; size?: number | undefined },
  ): Promise<Channel[]> {
    return (await listChannels(this.deps.db, userId, { page, size })).map(visibleChannelOf)
  }

  async get(request: AccessRequest): Promise<Channel> {
    const row = isStorable(request.channelId) ? await findVisibleChannel(this.deps.db, request) : undefined
    if (!row) throw new AppError('channel.not-found')
    return visibleChannelOf(row)
  }

  /** Idempotent: a repeated call with the same id returns the first call's channel. Throws channel.name-taken. */
  async create(userId: string, request: NewChannel): Promise<Channel> {
    const { db } = this.deps
    if (request.id !== undefined) {
      requireStorable(request.id)
      const existing = await findByClientId(db, userId, request.id)
      if (existing) return channelOf(existing)
    }
    const row = this.rowOf(userId, request)
    const requestedName = request.channelName === undefined ? undefined : requireName(request.channelName)
    for (let attempt = 0; attempt < maxNameAttempts; attempt++) {
      const channelName =
        requestedName ?? defaultChannelName(new Date(this.deps.now()), await namesOf(db, userId, row.assistantId))
      const named = { ...row, channelName, nameKey: channelName.toLowerCase() }
      const conflict = await insertChannel(db, named)
      if (!conflict) return channelOf(named)
      const existing = request.id === undefined ? undefined : await findByClientId(db, userId, request.id)
      if (existing) return channelOf(existing)
      // Another person's channel has this id, so the new one gets a fresh id.
      if (conflict === 'id') row.id = uuidv7()
      else if (requestedName !== undefined) throw new AppError('channel.name-taken')
    }
    throw new AppError('conflict')
  }

  /** Of the person's channels with this agent, among which names are unique. */
  namesFor(userId: string, assistantId: string | null): Promise<string[]> {
    return namesOf(this.deps.db, userId, assistantId)
  }

  /**
   * `currentName`: renames only a channel that still has this name. Returns the channel whether or not it was renamed.
   * Throws validation, channel.not-found, channel.name-taken.
   */
  async rename(request: AccessRequest, name: string, currentName?: string): Promise<Channel> {
    const { db, events } = this.deps
    const channelName = requireName(name)
    const owned = await requireOwner(db, request)
    const renamed = await updateName(db, owned, { channelName, nameKey: channelName.toLowerCase() }, currentName)
    if (typeof renamed === 'string') throw new AppError('channel.name-taken')
    if (renamed) await events.channelChanged(owned, request.actorId, { kind: 'channel' })
    return this.get(request)
  }

  /** How the answers of the channel are asked for, and paid for by each person who asks. */
  async configure(request: AccessRequest, change: ChatSettingsChange): Promise<Channel> {
    const { db, events } = this.deps
    const owned = await requireOwner(db, request)
    const row = await updateSettings(db, owned, cleanSettingsChange(change))
    if (!row) throw new AppError('channel.not-found')
    await events.channelChanged(owned, request.actorId, { kind: 'channel' })
    return this.get(request)
  }

  /**
   * `copied`: deletes only if the channel has not changed since the client copied it and no answer is being written.
   * Throws channel.copy-differs, channel.answering.
   */
  async remove(request: AccessRequest, copied: CopiedState = {}): Promise<void> {
    const owned = await requireOwner(this.deps.db, request)
    const publishDeletion = await this.deps.events.prepareDeletion(owned)
    await this.change(owned, async (tx, channel) => {
      assertCanDelete(channel)
      await assertUnchanged(tx, channel, copied)
      await deleteChannel(tx, owned)
      return runningAnswersIn(tx, [request.channelId])
    })
    await publishDeletion()
  }

  /** Deletes the messages. The channel's name and its position in the list stay as they are. */
  async clear(request: AccessRequest): Promise<void> {
    const owned = await requireOwner(this.deps.db, request)
    await this.change(owned, async (tx, channel) => {
      assertCanClear(channel)
      await deleteMessages(tx, owned)
      await clearHeads(tx, owned)
      return runningAnswersIn(tx, [request.channelId])
    })
    await this.deps.events.channelChanged(owned, request.actorId)
  }

  /** Deletes the person's own unlocked channels; leaving other people's channels is a separate request. */
  async removeAll(userId: string): Promise<{ deleted: number; skipped: number }> {
    const { db, events, stopAnswers } = this.deps
    const members = await membersInEach(db, userId)
    const { deleted, running, skipped } = await db.transaction(async (tx) => {
      const deleted = await deleteUnlocked(tx, userId)
      return { deleted, running: await runningAnswersIn(tx, deleted), skipped: await countChannels(tx, userId) }
    })
    await stopAnswers(running)
    for (const [channelId, userIds] of members)
      if (deleted.includes(channelId)) await events.membersLeft(channelId, userIds)
    return { deleted: deleted.length, skipped }
  }

  /** Deletes before it aborts: a running answer then finds its message gone and cannot store it again. */
  private async change(
    which: OwnedChannel,
    deleteRows: (tx: Db, channel: ChannelRow) => Promise<RunningAnswer[]>,
  ): Promise<void> {
    const { db, stopAnswers } = this.deps
    const running = await db.transaction(async (tx) => {
      const channel = await lockChannel(tx, which)
      if (!channel) throw new AppError('channel.not-found')
      return deleteRows(tx, channel)
    })
    await stopAnswers(running)
  }

  private rowOf(userId: string, request: NewChannel): Omit<ChannelRow, 'channelName' | 'nameKey'> {
    const { id, isDocument = false, isImage = false, isYoutube = false, isLocked = false } = request
    const assistantId = request.assistantId || null
    if (assistantId !== null) requireStorable(assistantId)
    const createdAt = this.dateOf(request.created_at)
    const updatedAt = this.dateOf(request.updated_at ?? request.created_at)
    const flags = { isDocument, isImage, isYoutube, isLocked }
    return {
      id: id ?? uuidv7(),
      userId,
      clientId: id ?? null,
      assistantId,
      topicId: null,
      subject: null,
      headRunId: null,
      settings: changedSettings(undefined, cleanSettingsChange(request.settings ?? {})) ?? {},
      ...flags,
      lastPosition: 0,
      createdAt,
      updatedAt,
    }
  }

  private dateOf(iso: string | undefined): Date {
    const date = new Date(iso ?? this.deps.now())
    if (!(date.getTime() >= 0)) throw new AppError('validation')
    return date
  }
}

function channelOf(row: ChannelRow): Channel {
  const { id, userId, channelName, assistantId, isDocument, isImage, isYoutube, isLocked, createdAt, updatedAt } = row
  const { settings } = row
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
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

function visibleChannelOf({ role, ownerName, ownerEmail, memberCount, ...row }: VisibleChannelRow): Channel {
  const shared = role === null ? {} : { role, ownerName: displayName({ name: ownerName, email: ownerEmail }) }
  return { ...channelOf(row), ...shared, ...(memberCount === 0 ? {} : { memberCount }) }
}

/** Otherwise messages that the copy does not contain would be deleted. */
async function assertUnchanged(
  tx: Db,
  { id: channelId, userId, updatedAt, headRunId }: ChannelRow,
  copied: CopiedState,
): Promise<void> {
  const { total, runs, sources } = copied
  if (Object.values(copied).every((seen) => seen === undefined)) return
  if ((await runningAnswersIn(tx, [channelId])).length > 0) throw new AppError('channel.answering')
  const isSameTime = copied.updatedAt === undefined || Date.parse(copied.updatedAt) === updatedAt.getTime()
  const which = { userId, channelId }
  const countAll = headRunId === null ? countMessages : countStanding
  const isSameTotal = total === undefined || total === (await countAll(tx, which))
  const hasSameRuns = runs === undefined || runs === (await countRuns(tx, which))
  const hasSameSources = sources === undefined || sources === (await seenSourcesOf(tx, which))
  if (!isSameTime || !isSameTotal || !hasSameRuns || !hasSameSources) throw new AppError('channel.copy-differs')
}

function requireName(name: string): string {
  const clean = cleanChannelName(name).replace(/\p{Cs}/gu, '\uFFFD')
  if (clean === '') throw new AppError('validation')
  return clean
}

function requireStorable(id: string): void {
  if (!isStorable(id)) throw new AppError('validation')
}
