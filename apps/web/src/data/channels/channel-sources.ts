import type { Channel } from '@parley/contract/channels'
import { DeviceSourceStore } from '../sources/device-source-store'
import type { SourceStore } from '../sources/source-store'
import { openDevice } from '../vault/open-device'
import { newChatDraftId } from './new-chat'
import { isTemporary, openTemporary } from './temporary-chats'

/** The sources of a chat that has not begun: they belong to its draft. */
const isDraft = (channelId: string): boolean =>
  [true, false].some((temporary) => newChatDraftId(temporary) === channelId)

const hasChannel = (channelId: string): boolean => !isDraft(channelId)

const deviceSources = new DeviceSourceStore({ open: openDevice, hasChannel })

const temporarySources = new DeviceSourceStore({
  open: async () => (await openTemporary()).device,
  isOfTab: true,
  hasChannel,
})

/** Gives the sources of a draft to the chat that begins with it. A chat of the cloud leaves them in the draft. */
export function takeDraftSources(channel: Channel): Promise<void> {
  return moveBetween(channel, (draftId) => [draftId, channel.id])
}

/** The chat has not begun after all, and is about to be removed. */
export function returnDraftSources(channel: Channel): Promise<void> {
  return moveBetween(channel, (draftId) => [channel.id, draftId])
}

async function moveBetween(
  { source }: Channel,
  endsOf: (draftId: string) => [from: string, to: string],
): Promise<void> {
  if (source === 'postgresql') return
  const isOfTab = source === 'memory'
  await (isOfTab ? temporarySources : deviceSources).move(...endsOf(newChatDraftId(isOfTab)))
}

/** The sources of a channel of this device. */
export const deviceSourcesOf = (channelId: string): DeviceSourceStore =>
  isTemporary(channelId) ? temporarySources : deviceSources

/** The home of a channel's sources; those of a draft are on this device, whichever home its chat will have. */
export async function sourcesOf(channelId: string): Promise<SourceStore> {
  return deviceSourcesOf(channelId)
}
