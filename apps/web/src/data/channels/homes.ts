import type { Channel, StorageMode } from '@parley/contract/channels'
import { storedSession } from '../session/stored-session'
import type { ChannelStore } from './channel-store'
import { CloudChannelStore } from './cloud-channel-store'
import { localChannels } from './local-channels'

export const cloudChannels = new CloudChannelStore()

export const homes: Record<StorageMode, ChannelStore> = { local: localChannels, cloud: cloudChannels }

export const homeOf = (channel: Pick<Channel, 'source'>): ChannelStore => homes[modeOf(channel)]

export const modeOf = (channel: Pick<Channel, 'source'>): StorageMode => (channel.source === 'indexeddb' ? 'local' : 'cloud')

/** Where a channel lives: on this device unless the cloud of whoever is signed in has it and the device has not. */
export async function findHome(channelId: string): Promise<ChannelStore> {
  if (storedSession() === undefined || (await localChannels.get(channelId))) return localChannels
  return (await cloudChannels.has(channelId)) ? cloudChannels : localChannels
}

export async function findChannel(channelId: string): Promise<Channel | undefined> {
  return (await findHome(channelId)).get(channelId)
}
