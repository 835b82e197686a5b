import { type Channel, freeName, isGuest } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { announce } from '../local/changes'
import { takenNames } from './channel-names'
import type { ChannelStore } from './channel-store'
import type { WholeChannel } from './chat-records'
import { readDraft, writeDraft } from './drafts'
import { fillCloud } from './fill-cloud'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { asVersions, hasAll, hasEach } from './same-messages'
import { isOfOneRecord } from './stops-everything'
import { whenAllowed } from './when-allowed'

type Options = {
  /** Called with how many messages of the channel have been copied. */
  onProgress?: (done: number) => void
  /** Whoever moves many tells the cloud's list once, at the end. */
  isOneOfMany?: boolean
}

/**
 * Copies a cloud channel to this device, all of it, compares, and only then deletes it in the cloud, unless something was said there meanwhile. A channel that is
 * here already is filled up with what it lacks; a message that is here in another state stands in both. Whatever interrupts it: nothing is missing, and the next call goes on. Throws AppError; then the cloud still has
 * everything.
 */
export async function moveToDevice(given: Channel, { onProgress, isOneOfMany = false }: Options = {}): Promise<Channel> {
  if (isGuest(given)) throw new AppError('channel.owner-only')
  // Its last activity as it is before the messages are read: what is said afterwards is noticed by it.
  const found = await whenAllowed(() => cloudChannels.get(given.id))
  if (!found) throw new AppError('channel.not-found')
  const { memberCount: _members, ...channel } = found
  if (channel.isLocked) throw new AppError('channel.locked-delete')
  const messages = await readAll(cloudChannels, channel.id, onProgress)
  assertAtRest(messages)
  const known = await wholeOnDevice(channel.id)
  const local: Channel = { ...(known?.channel ?? channel), isLocalChannel: true, source: 'indexeddb', lastSyncedAt: new Date().toISOString() }
  const wanted = await asVersions(messages, known?.messages ?? [])
  if (known) await localChannels.addMessages(channel.id, wanted)
  else {
    const channelName = freeName(channel.channelName, await takenNames(channel.assistantId))
    await localChannels.importChannel({ ...local, channelName }, wanted)
  }
  if (!hasEach(wanted, (await wholeOnDevice(channel.id))?.messages ?? [])) throw new AppError('channel.copy-differs')
  announce({ kind: 'channels', home: 'local' })
  await whenAllowed(() => cloudChannels.remove(channel.id, { total: messages.length, updatedAt: channel.updated_at }))
  if (!isOneOfMany) announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId: channel.id })
  return local
}

/** The other way, with the same promise. The cloud may give the channel another id: the one that is answered. */
export async function moveToCloud(given: Channel, { onProgress }: Options = {}): Promise<Channel> {
  if (given.isLocked) throw new AppError('channel.locked-delete')
  const whole = await wholeOnDevice(given.id)
  if (!whole) throw new AppError('channel.not-found')
  const { channel, messages } = whole
  if (channel.isLocked) throw new AppError('channel.locked-delete')
  assertAtRest(messages)
  const moved = await createInCloud(channel)
  await fillCloud(moved.id, messages, { onProgress })
  if (!hasAll(messages, await readAll(cloudChannels, moved.id))) await renewCopy(channel, moved, messages)
  await localChannels.removeCopied(whole)
  await takeDraft(channel.id, moved.id)
  announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId: moved.id })
  return moved
}

async function createInCloud({ id, assistantId, channelName, isDocument, isImage, isYoutube, created_at, updated_at }: Channel): Promise<Channel> {
  const wanted = { id, assistantId, isDocument, isImage, isYoutube, created_at, updated_at }
  const create = (name: string): Promise<Channel> => whenAllowed(() => cloudChannels.create({ ...wanted, channelName: name }))
  try {
    return await create(channelName)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'channel.name-taken')) throw error
    const channels = await whenAllowed(() => cloudChannels.list())
    const names = channels.filter((other) => other.assistantId === assistantId && other.id !== id).map((other) => other.channelName)
    return create(freeName(channelName, names))
  }
}

/**
 * The cloud has part of the channel since a move that was cut off, and an answer was written anew on the device since: the copy begins again. Only where the
 * cloud has nothing that the device lacks, and nothing newer; otherwise both stay.
 */
async function renewCopy(channel: Channel, moved: Channel, messages: readonly Message[]): Promise<void> {
  const copies = await readAll(cloudChannels, moved.id)
  const ids = new Set(messages.map(({ mId }) => mId))
  if (moved.updated_at > channel.updated_at || copies.some(({ mId }) => !ids.has(mId))) throw new AppError('channel.copy-differs')
  await whenAllowed(() => cloudChannels.clear(moved.id))
  await fillCloud(moved.id, messages)
  assertCopied(messages, await readAll(cloudChannels, moved.id))
}

/** Oldest first. */
async function readAll(store: ChannelStore, channelId: string, onProgress?: (done: number) => void): Promise<Message[]> {
  const pages: Message[][] = []
  let count = 0
  let before: string | undefined
  do {
    const place = before === undefined ? {} : { before }
    const page = await whenAllowed(() => store.messages(channelId, { limit: limits.cloud.maxMessagePage, ...place }))
    pages.unshift(page.messages)
    count += page.messages.length
    before = page.cursor
    onProgress?.(count)
  } while (before !== undefined)
  return pages.flat()
}

/** An answer that is being written would be cut off by the move. */
function assertAtRest(messages: readonly Message[]): void {
  const isWriting = messages.some(({ status }) => status === 'queued' || status === 'sent' || status === 'streaming')
  if (isWriting) throw new AppError('channel.answering')
}

/** Throws channel.unreadable where any part of it cannot be read: what is not read whole can be neither copied nor compared. */
async function wholeOnDevice(channelId: string): Promise<WholeChannel | undefined> {
  try {
    return await localChannels.readWhole(channelId)
  } catch (error) {
    throw error instanceof AppError && isOfOneRecord(error) ? new AppError('channel.unreadable', { cause: error }) : error
  }
}

/** The unsent text of a channel that has another id from now on. */
async function takeDraft(from: string, to: string): Promise<void> {
  if (from === to) return
  const text = await readDraft(from)
  if (text === '') return
  writeDraft(to, text)
  writeDraft(from, '')
}

function assertCopied(messages: readonly Message[], copies: readonly Message[]): void {
  if (!hasAll(messages, copies)) throw new AppError('channel.copy-differs')
}
