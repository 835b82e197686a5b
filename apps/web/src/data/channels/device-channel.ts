import { assertCanDelete, type Channel, cleanChannelName, defaultChannelName } from '@parley/contract/channels'
import { ChatSettingsChange, changedSettings, cleanSettings, cleanSettingsChange } from '@parley/contract/chat-settings'
import { AppError } from '@parley/contract/errors'
import { uuidv7 } from '@parley/contract/uuid'
import * as z from 'zod/mini'
import { sealChannel } from '../local/channel-codec'
import type { ChannelRecord } from '../local/database'
import type { Device } from '../local/device'
import { readChannel } from '../local/readable'
import { writeSealed } from '../local/write-sealed'
import type { NewChannel } from './channel-store'
import { emptyChat } from './chat-keys'

/**
 * A channel of this device, or of this tab, as it is made; without a name it gets the default one. Throws validation.
 */
export function newChannel(
  { id = uuidv7(), assistantId, settings = {}, ...given }: NewChannel,
  others: readonly Channel[],
  { userId, now, source }: { userId: string | null; now: Date; source: 'indexeddb' | 'memory' },
): Channel {
  const at = now.toISOString()
  const sameAgent = others.filter((other) => other.assistantId === assistantId).map(({ channelName }) => channelName)
  return {
    ...{ id, userId, assistantId, isDocument: false, isImage: false, isYoutube: false, isLocked: false },
    ...{ created_at: at, updated_at: at, ...given },
    channelName: given.channelName === undefined ? defaultChannelName(now, sameAgent) : requireName(given.channelName),
    ...{ isLocalChannel: true, source },
    ...settingsField(cleanSettings(settings)),
  }
}

/** A channel with changed settings. Throws validation. */
export function configured({ settings, ...channel }: Channel, change: ChatSettingsChange): Channel {
  if (!z.safeParse(ChatSettingsChange, change).success) throw new AppError('validation')
  return { ...channel, ...settingsField(changedSettings(settings, cleanSettingsChange(change))) }
}

const settingsField = (settings: Channel['settings'] = {}): Pick<Channel, 'settings'> =>
  Object.keys(settings).length === 0 ? {} : { settings }

/**
 * Reads a channel for a change. Throws channel.not-found, and what readChannel throws: a stand-in must never be written
 * back.
 */
export async function readableChannel({ db, vault }: Device, channelId: string): Promise<Channel> {
  const record = await db.get('channels', channelId)
  if (!record) throw new AppError('channel.not-found')
  return { ...(await readChannel(vault, record)), updated_at: record.at }
}

/** What is removed with all channels. An unreadable one may be locked: it fails. */
export async function unlockedChannels({
  db,
  vault,
}: Device): Promise<{ doomed: string[]; skipped: number; failed: number }> {
  const found = await db.getAll('channels')
  const read = await Promise.all(found.map((record) => readChannel(vault, record).catch(() => undefined)))
  const channels = read.filter((channel) => channel !== undefined)
  const doomed = channels.filter(({ isLocked }) => !isLocked).map(({ id }) => id)
  return { doomed, skipped: channels.length - doomed.length, failed: found.length - channels.length }
}

/** A name as it is kept. Throws validation. */
export function requireName(name: string): string {
  const clean = cleanChannelName(name)
  if (clean === '') throw new AppError('validation')
  return clean
}

/**
 * Throws where a channel may not be deleted. An unreadable one can never be restored, and deletion is the only way to
 * get rid of it. One of a newer version may be locked, which only that version can tell.
 */
export async function assertDeletable(device: Device, channelId: string): Promise<void> {
  const channel = await readableChannel(device, channelId).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'storage.unreadable')) throw error
  })
  if (channel) assertCanDelete(channel)
}

/** Tries again when the database was closed in the middle: by the browser, or because another person signed in. */
export async function withOpenDevice<T>(
  open: () => Promise<Device>,
  action: (device: Device) => Promise<T>,
): Promise<T> {
  try {
    return await action(await open())
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
    return action(await open())
  }
}

/** Writes a new channel without messages. Throws where its id exists. */
export async function addChannel(open: () => Promise<Device>, channel: Channel): Promise<void> {
  await writeSealed(open, ['channels', 'chats'], async ({ vault, userId }) => {
    const { id } = channel
    const record: ChannelRecord = { id, at: channel.updated_at, ...(await sealChannel(vault, channel)) }
    return async (records) =>
      void (await Promise.all([records.add('channels', record), records.put('chats', emptyChat(id, userId))]))
  })
}
