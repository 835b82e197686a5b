import { localChannels } from './local-channels'

/** The names of an agent's channels on this device. */
export async function takenNames(assistantId: string | null): Promise<string[]> {
  const channels = await localChannels.list()
  return channels.filter((channel) => channel.assistantId === assistantId).map(({ channelName }) => channelName)
}
