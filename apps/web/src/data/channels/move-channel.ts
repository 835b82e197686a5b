import { seenSources } from '@parley/contract/brought-sources'
import { type Channel, freeName, isGuest } from '@parley/contract/channels'
import { mergedSettings, settingsChange, settingsOf } from '@parley/contract/chat-settings'
import { AppError } from '@parley/contract/errors'
import type { Source } from '@parley/contract/sources'
import { type ConversationCopy, tidied } from '@parley/contract/tree-copies'
import { announce } from '../local/changes'
import { isRecordError, orStorageError } from '../local/storage-error'
import { sourcesBeingSent } from '../sources/cloud-source-store'
import { copiesOnDevice, putOnDevice } from '../sources/device-copies'
import { removeSource } from '../sources/device-sources'
import { ReaderWorkerPort } from '../sources/reader-worker-port'
import {
  assertWhole,
  contentOf,
  noteId,
  RefusedSourceError,
  type SourceCopy,
  withSourceIds,
} from '../sources/source-copies'
import type { SourceIds } from '../sources/source-ids'
import { isUnread } from '../sources/source-state'
import { openDevice } from '../vault/open-device'
import { takenNames } from './channel-names'
import { copyOf, type WholeChannel } from './chat-records'
import { copiesInCloud, putInCloud, sourcesInCloud } from './cloud-source-copies'
import { addToCloudTree, assertNoRunWriting, readCloudTree } from './cloud-trees'
import { copySummariesTo, copySummariesToCloud } from './copy-summaries'
import { readDraft, writeDraft } from './drafts'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { removeMoveDirection, storeMoveDirection } from './move-direction'
import { moveQueue } from './move-queue'
import { trackMove } from './moves-in-progress'
import { retryWhenRateLimited } from './rate-limit-retry'
import { hasAllOf, lackingIn, withCloudIds } from './unite-copies'

type Options = {
  /** Called with the number of messages copied so far. */
  onProgress?: (done: number) => void
  /** Part of a migration, which announces the cloud's list once at its end. */
  isOneOfMany?: boolean
}

/**
 * Moves a cloud channel to this device: copies all of it with its sources, compares the copy, and only then deletes it
 * in the cloud, unless anything was added there meanwhile. Every version goes along, and so does the head of whoever
 * moves it. A channel that exists here becomes the union of both: of two states of one answer the later one stands, and
 * both where nothing tells. After any interruption nothing is missing, and the next call resumes. Throws AppError; then
 * the cloud still has everything.
 */
export function moveToDevice(given: Channel, options: Options = {}): Promise<Channel> {
  return trackMove(given.id, () => copyToDevice(given, options))
}

async function copyToDevice(given: Channel, { onProgress, isOneOfMany = false }: Options): Promise<Channel> {
  if (isGuest(given)) throw new AppError('channel.owner-only')
  // The last activity is read before the messages: a message that is added afterwards changes it.
  const found = await retryWhenRateLimited(() => cloudChannels.get(given.id))
  if (!found) throw new AppError('channel.not-found')
  const { memberCount: _members, ...channel } = found
  if (channel.isLocked) throw new AppError('channel.locked-delete')
  const [unsent] = sourcesBeingSent(channel.id)
  if (unsent) throw new RefusedSourceError(unsent.name, new AppError(isUnread(unsent) ? 'source.busy' : 'source.store'))
  const copies = await copiesInCloud(channel.id)
  const stored = await readCloudTree(channel.id, { onProgress })
  await storeMoveDirection(channel.id, 'local')
  const known = await readWholeChannel(channel.id)
  if (known) assertNoRunWriting(known.exchanges)
  const tree = withSourceIds(tidied(stored), await bringSources(channel.id, copies, { isNew: !known }))
  const local: Channel = {
    ...(known?.channel ?? channel),
    isLocalChannel: true,
    source: 'indexeddb',
    lastSyncedAt: new Date().toISOString(),
  }
  const before = known ? copyOf(known) : nothing
  if (known) {
    await localChannels.merge(channel.id, tree)
    const change = settingsChange(known.channel, mergedSettings(known.channel, channel))
    if (change) await localChannels.configure(channel.id, change)
  } else {
    const channelName = freeName(channel.channelName, await takenNames(channel.assistantId))
    const head = tree.head ?? undefined
    await localChannels.importChannel({ ...local, channelName }, tree.exchanges, { head })
  }
  const copy = await readWholeChannel(channel.id)
  if (!copy || !(await hasAllOf(copyOf(copy), tree, before))) throw new AppError('channel.copy-differs')
  const summaries = await retryWhenRateLimited(() => cloudChannels.summaries(channel.id))
  await copySummariesTo(localChannels, channel.id, summaries)
  announce({ kind: 'channels', home: 'local' })
  await retryWhenRateLimited(() =>
    cloudChannels.remove(channel.id, {
      ...numbersOf(stored),
      updatedAt: channel.updated_at,
      sources: seenSources(copies.map(({ source }) => source)),
    }),
  )
  await removeMoveDirection(channel.id)
  if (!isOneOfMany) announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId: channel.id })
  announce({ kind: 'sources', channelId: channel.id })
  return local
}

/**
 * Brings sources of the cloud to this device. Of a channel that is not here none stay where one of them fails: those of
 * an interrupted move are known to the next one. Answers the ids that they have here.
 */
async function bringSources(
  channelId: string,
  copies: readonly SourceCopy[],
  { isNew }: { isNew: boolean },
): Promise<SourceIds> {
  const ids = new Map<string, string>()
  const added: Source[] = []
  const target = { open: openDevice, reader: new ReaderWorkerPort() }
  try {
    for (const copy of copies) {
      const { source, isKnown } = await putOnDevice(target, channelId, copy)
      noteId(ids, copy.source, source.id)
      if (!isKnown) added.push(source)
    }
  } catch (error) {
    if (isNew) for (const source of added) await removeSource(openDevice, source).catch(() => undefined)
    throw error
  }
  return ids
}

const nothing: ConversationCopy = { exchanges: [], head: null }

/** What of a channel stands. */
function numbersOf({ exchanges }: ConversationCopy): { total: number; runs: number } {
  const standing = exchanges.filter(({ exchange }) => exchange.removedAt === undefined)
  const runs = standing.flatMap((each) => each.runs).filter(({ removedAt }) => removedAt === undefined)
  return { total: standing.length, runs: runs.length }
}

/**
 * Moves a channel of this device to the cloud, with the same guarantee. Where the cloud has a copy, both are united
 * there. An unreadable record keeps the channel here. The cloud may give the channel another id, which the answer has.
 */
export function moveToCloud(given: Channel, options: Options = {}): Promise<Channel> {
  return trackMove(given.id, () => copyToCloud(given, options))
}

async function copyToCloud(given: Channel, { onProgress }: Options): Promise<Channel> {
  if (given.isLocked) throw new AppError('channel.locked-delete')
  const whole = await readWholeChannel(given.id)
  if (!whole) throw new AppError('channel.not-found')
  const { channel } = whole
  if (channel.isLocked) throw new AppError('channel.locked-delete')
  assertNoRunWriting(whole.exchanges)
  const copies = await readSources(channel.id)
  for (const copy of copies) assertWhole(copy)
  await storeMoveDirection(channel.id, 'cloud')
  const moved = await withSettings(await createInCloud(channel), channel)
  const ids = await sendSources(moved.id, copies)
  const from = copyOf(whole)
  const to = await withCloudIds(withSourceIds(from, ids))
  await fillAndCompare(moved.id, to, onProgress)
  await copySummariesToCloud(moved.id, await localChannels.summaries(channel.id), { from, to })
  await assertSourcesInCloud(moved.id, copies)
  await localChannels.removeCopied(whole, { hasEveryRun: true, sources: copies.map(({ source }) => source) })
  await removeMoveDirection(channel.id)
  await moveDraft(channel.id, moved.id)
  await moveQueue(await openDevice(), channel.id, { to: moved.id, ids })
  announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId: moved.id })
  for (const channelId of new Set([channel.id, moved.id])) announce({ kind: 'sources', channelId })
  return moved
}

/** Answers the ids that they have in the cloud. */
async function sendSources(channelId: string, copies: readonly SourceCopy[]): Promise<SourceIds> {
  const ids = new Map<string, string>()
  for (const copy of copies) noteId(ids, copy.source, (await putInCloud(channelId, copy)).id)
  return ids
}

async function assertSourcesInCloud(channelId: string, copies: readonly SourceCopy[]): Promise<void> {
  if (copies.length === 0) return
  const there = new Set((await sourcesInCloud(channelId)).map(contentOf))
  if (!copies.every(({ source }) => there.has(contentOf(source)))) throw new AppError('channel.copy-differs')
}

/** Resolves when the cloud has every version. */
async function fillAndCompare(
  channelId: string,
  copy: ConversationCopy,
  onProgress?: (done: number) => void,
): Promise<void> {
  // An answer that is being written there may be the later state, or become it.
  const before = await readCloudTree(channelId)
  await addToCloudTree(channelId, await lackingIn(before, copy), { onProgress })
  if (!(await hasAllOf(await readCloudTree(channelId), copy, before))) throw new AppError('channel.copy-differs')
}

async function createInCloud({
  id,
  assistantId,
  channelName,
  isDocument,
  isImage,
  isYoutube,
  created_at,
  updated_at,
  settings,
}: Channel): Promise<Channel> {
  const flags = { isDocument, isImage, isYoutube }
  const fields = {
    id,
    assistantId,
    ...flags,
    created_at,
    updated_at,
    ...(settings ? { settings: settingsOf({ settings }) } : {}),
  }
  const create = (name: string): Promise<Channel> =>
    retryWhenRateLimited(() => cloudChannels.create({ ...fields, channelName: name }))
  try {
    return await create(channelName)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'channel.name-taken')) throw error
    const channels = await retryWhenRateLimited(() => cloudChannels.list())
    const names = channels
      .filter((other) => other.assistantId === assistantId && other.id !== id)
      .map((other) => other.channelName)
    return create(freeName(channelName, names))
  }
}

/** A channel that was in the cloud already, or a server of the version before, has not taken the settings yet. */
async function withSettings(moved: Channel, from: Channel): Promise<Channel> {
  const change = settingsChange(moved, mergedSettings(from, moved))
  return change ? retryWhenRateLimited(() => cloudChannels.configure(moved.id, change)) : moved
}

const readWholeChannel = (channelId: string): Promise<WholeChannel | undefined> =>
  orUnreadable(() => localChannels.readWhole(channelId))

const readSources = (channelId: string): Promise<SourceCopy[]> =>
  orUnreadable(async () => copiesOnDevice(await openDevice(), channelId))

/**
 * Throws channel.unreadable where any record cannot be read: an incomplete channel can be neither copied nor compared.
 */
async function orUnreadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await orStorageError(read)
  } catch (error) {
    throw error instanceof AppError && isRecordError(error)
      ? new AppError('channel.unreadable', { cause: error })
      : error
  }
}

/** Moves the draft of a channel whose id changed. */
async function moveDraft(from: string, to: string): Promise<void> {
  if (from === to) return
  const text = await readDraft(from)
  if (text === '') return
  writeDraft(to, text)
  writeDraft(from, '')
}
