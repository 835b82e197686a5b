import { localChannels } from './local-channels'

/** The names that are taken among the channels of an assistant. */
export async function takenNames(assistantId: string | null): Promise<string[]> {
  const channels = await localChannels.list()
  return channels.filter((channel) => channel.assistantId === assistantId).map(({ channelName }) => channelName)
}
