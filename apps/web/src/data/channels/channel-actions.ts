import { type Channel, isShared, type StorageMode } from '@parley/contract/channels'
import { findHome, homeOf, homes } from './homes'
import { localChannels } from './local-channels'
import { moveToDevice } from './moves'

/** Makes a channel in a home, with the agent that answers in it; without a name it gets the default one. */
export function createChannel({ name, mode, assistantId = null }: { name?: string; mode: StorageMode; assistantId?: string | null }): Promise<Channel> {
  return homes[mode].create({ assistantId, ...(name === undefined ? {} : { channelName: name }) })
}

/**
 * The home in which a change is made: a cloud channel is moved to this device first while that is where the person keeps their chats. A locked one stays where
 * it is, and one that others use too. Throws AppError; then nothing was changed.
 */
async function homeForChange(channel: Channel, mode: StorageMode): Promise<ChannelHome> {
  if (channel.isLocalChannel || channel.isLocked || isShared(channel) || mode === 'cloud') return { home: homeOf(channel), changed: channel }
  const changed = await moveToDevice(channel)
  return { home: localChannels, changed }
}
type ChannelHome = { home: ReturnType<typeof homeOf>; changed: Channel }

export async function renameChannel(channel: Channel, name: string, mode: StorageMode): Promise<Channel> {
  const { home, changed } = await homeForChange(channel, mode)
  return home.rename(changed.id, name)
}

export async function clearChannel(channel: Channel, mode: StorageMode): Promise<void> {
  const { home, changed } = await homeForChange(channel, mode)
  await home.clear(changed.id)
}

/** Nothing is copied before it is deleted: what is seen afterwards is the same. */
export async function deleteChannel(channelId: string): Promise<void> {
  await (await findHome(channelId)).remove(channelId)
}

export const deleteAllChannels = (mode: StorageMode): Promise<{ deleted: number; skipped: number; failed: number }> => homes[mode].removeAll()

export const setChannelLocked = (channelId: string, isLocked: boolean): Promise<Channel> => localChannels.setLocked(channelId, isLocked)
