import { type Channel, freeName, isGuest } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { announce } from '../local/changes'
import { takenNames } from './channel-names'
import type { WholeChannel } from './chat-records'
import { readDraft, writeDraft } from './drafts'
import { allInCloud, fillCloud } from './fill-cloud'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { forgetMove, noteMove } from './move-direction'
import { whileUnderWay } from './moves-under-way'
import { asVersions, hasEach, lackingIn } from './same-messages'
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
 * here already is filled up with what it lacks; a message that is here in another state stands in both. Whatever
 * interrupts it: nothing is missing, and the next call goes on. Throws AppError; then the cloud still has everything.
 */
export function moveToDevice(given: Channel, options: Options = {}): Promise<Channel> {
  return whileUnderWay(given.id, () => bringToDevice(given, options))
}

async function bringToDevice(given: Channel, { onProgress, isOneOfMany = false }: Options): Promise<Channel> {
  if (isGuest(given)) throw new AppError('channel.owner-only')
  // Its last activity as it is before the messages are read: what is said afterwards is noticed by it.
  const found = await whenAllowed(() => cloudChannels.get(given.id))
  if (!found) throw new AppError('channel.not-found')
  const { memberCount: _members, ...channel } = found
  if (channel.isLocked) throw new AppError('channel.locked-delete')
  const messages = await allInCloud(channel.id, { onProgress })
  assertAtRest(messages)
  await noteMove(channel.id, 'local')
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
  await forgetMove(channel.id)
  if (!isOneOfMany) announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId: channel.id })
  return local
}

/**
 * The other way, with the same promise. Where the cloud has a copy that went on by itself, both are merged there: of
 * two states of a message the later one stands. What cannot be read keeps the channel here. The cloud may give the
 * channel another id: the one that is answered.
 */
export function moveToCloud(given: Channel, options: Options = {}): Promise<Channel> {
  return whileUnderWay(given.id, () => leaveDevice(given, options))
}

async function leaveDevice(given: Channel, { onProgress }: Options): Promise<Channel> {
  if (given.isLocked) throw new AppError('channel.locked-delete')
  const whole = await wholeOnDevice(given.id)
  if (!whole) throw new AppError('channel.not-found')
  const { channel, messages } = whole
  if (channel.isLocked) throw new AppError('channel.locked-delete')
  assertAtRest(messages)
  await noteMove(channel.id, 'cloud')
  const moved = await createInCloud(channel)
  await bringToCloud(moved.id, messages, onProgress)
  await localChannels.removeCopied(whole)
  await forgetMove(channel.id)
  await takeDraft(channel.id, moved.id)
  announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId: moved.id })
  return moved
}

/** Answers when the cloud itself says that it lacks nothing. */
async function bringToCloud(channelId: string, messages: readonly Message[], onProgress?: (done: number) => void): Promise<void> {
  const copies = await allInCloud(channelId)
  // What is written there now may be the later state, or end as it.
  assertAtRest(copies)
  const lacking = await lackingIn(copies, messages)
  await fillCloud(channelId, lacking.messages, { onProgress })
  await fillCloud(channelId, lacking.newer, { takesNewer: true })
  const left = await lackingIn(await allInCloud(channelId), messages)
  if (left.messages.length + left.newer.length > 0) throw new AppError('channel.copy-differs')
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
