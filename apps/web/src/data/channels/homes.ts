import type { Channel, StorageMode } from '@parley/contract/channels'
import { storedSession } from '../session/stored-session'
import type { ChannelStore } from './channel-store'
import { CloudChannelStore } from './cloud-channel-store'
import { localChannels } from './local-channels'
import { temporaryStoreOf } from './temporary-chats'

export const cloudChannels = new CloudChannelStore()

export const homes: Record<StorageMode, ChannelStore> = { local: localChannels, cloud: cloudChannels }

/** The home of a channel: temporary chats are asked like those of the device. */
export const storeOf = (channelId: string, mode: StorageMode): ChannelStore =>
  temporaryStoreOf(channelId) ?? homes[mode]

export const homeOf = (channel: Pick<Channel, 'id' | 'source'>): ChannelStore => storeOf(channel.id, modeOf(channel))

export const modeOf = (channel: Pick<Channel, 'source'>): StorageMode =>
  channel.source === 'postgresql' ? 'cloud' : 'local'

/** The home of a channel: this tab or this device, unless only the cloud of the signed-in person has it. */
export async function findHome(channelId: string): Promise<ChannelStore> {
  const temporary = temporaryStoreOf(channelId)
  if (temporary) return temporary
  if (storedSession() === undefined || (await localChannels.get(channelId))) return localChannels
  return (await cloudChannels.has(channelId)) ? cloudChannels : localChannels
}

export async function findChannel(channelId: string): Promise<Channel | undefined> {
  return (await findHome(channelId)).get(channelId)
}
