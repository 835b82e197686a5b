import { freeName, isDefaultChannelName } from '@parley/contract/channels'
import { takenNames } from '../channels/channel-names'
import { findChannel, homeOf } from '../channels/homes'

/** A name that the server suggests for a channel. It is optional: without it the default name stays. */
export function suggestName(channelId: string, name: string): void {
  suggestNameFor(channelId, name).catch(() => undefined)
}

/** A suggested name replaces only a default name, not one that the person has chosen meanwhile. */
async function suggestNameFor(channelId: string, name: string): Promise<void> {
  const channel = await findChannel(channelId)
  if (!channel || !isDefaultChannelName(channel.channelName)) return
  await homeOf(channel).rename(channelId, freeName(name, await takenNames(channel.assistantId)), channel.channelName)
}
