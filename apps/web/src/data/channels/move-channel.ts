import { type Channel, freeName, isGuest } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { announce } from '../local/changes'
import { takenNames } from './channel-names'
import type { ChannelStore } from './channel-store'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'

/** Called with how many messages of the channel have been copied. */
type Progress = (done: number) => void

/**
 * Copies a cloud channel to this device, all of it, compares, and only then deletes it in the cloud. A channel that is here already is filled up with what it
 * lacks. Whatever interrupts it: nothing is missing, and the next call goes on. Throws AppError; then the cloud still has everything.
 */
export async function moveToDevice({ memberCount: _members, ...channel }: Channel, onProgress: Progress = () => undefined): Promise<Channel> {
  if (isGuest(channel)) throw new AppError('channel.owner-only')
  if (channel.isLocked) throw new AppError('channel.locked-delete')
  const messages = await readAll(cloudChannels, channel.id, onProgress)
  assertAtRest(messages)
  const known = await localChannels.get(channel.id)
  const local: Channel = { ...(known ?? channel), isLocalChannel: true, source: 'indexeddb', lastSyncedAt: new Date().toISOString() }
  if (known) await localChannels.addMessages(channel.id, messages)
  else {
    const channelName = freeName(channel.channelName, await takenNames(channel.assistantId))
    await localChannels.importChannel({ ...local, channelName }, messages)
  }
  assertSame(messages, await readAll(localChannels, channel.id))
  // What was added in the cloud meanwhile, from another device, is not here yet.
  assertSame(await readAll(cloudChannels, channel.id), messages)
  announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId: channel.id })
  await cloudChannels.remove(channel.id)
  return local
}

/** The other way, with the same promise. The cloud may give the channel another id: the one that is answered. */
export async function moveToCloud(channel: Channel, onProgress: Progress = () => undefined): Promise<Channel> {
  if (channel.isLocked) throw new AppError('channel.locked-delete')
  const messages = await readAll(localChannels, channel.id)
  assertAtRest(messages)
  const moved = await createInCloud(channel)
  const step = limits.cloud.maxImportBatch
  for (let at = 0; at < messages.length; at += step) {
    await cloudChannels.importMessages(moved.id, messages.slice(at, at + step))
    onProgress(Math.min(at + step, messages.length))
  }
  const copied = await readAll(cloudChannels, moved.id)
  assertSame(messages, copied)
  assertSame(await readAll(localChannels, channel.id), messages)
  await localChannels.remove(channel.id)
  announce({ kind: 'messages', channelId: moved.id })
  return moved
}

async function createInCloud({ id, assistantId, channelName, isDocument, isImage, isYoutube, created_at, updated_at }: Channel): Promise<Channel> {
  const wanted = { id, assistantId, isDocument, isImage, isYoutube, created_at, updated_at }
  try {
    return await cloudChannels.create({ ...wanted, channelName })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'channel.name-taken')) throw error
    const names = (await cloudChannels.list()).filter((other) => other.assistantId === assistantId && other.id !== id).map((other) => other.channelName)
    return cloudChannels.create({ ...wanted, channelName: freeName(channelName, names) })
  }
}

/** Oldest first. */
async function readAll(store: ChannelStore, channelId: string, onProgress: Progress = () => undefined): Promise<Message[]> {
  const pages: Message[][] = []
  let count = 0
  let before: string | undefined
  do {
    const page = await store.messages(channelId, { limit: limits.cloud.maxMessagePage, ...(before === undefined ? {} : { before }) })
    pages.unshift(page.messages)
    count += page.messages.length
    before = page.cursor
    onProgress(count)
  } while (before !== undefined)
  return pages.flat()
}

/** An answer that is being written would be cut off by the move. */
function assertAtRest(messages: readonly Message[]): void {
  const isWriting = messages.some(({ status }) => status === 'queued' || status === 'sent' || status === 'streaming')
  if (isWriting) throw new AppError('channel.answering')
  // What cannot be read cannot be copied either.
  if (messages.some(({ error }) => error?.code === 'storage.unreadable')) throw new AppError('channel.unreadable')
}

/** Every message of the one is in the other, with the same question and the same answer. */
function assertSame(messages: readonly Message[], copies: readonly Message[]): void {
  const found = new Map(copies.map((copy) => [copy.mId, copy]))
  for (const { mId, chat_request, chat_response } of messages) {
    const copy = found.get(mId)
    if (copy?.chat_request !== chat_request || copy.chat_response.content !== chat_response.content) throw new AppError('channel.copy-differs')
  }
}
