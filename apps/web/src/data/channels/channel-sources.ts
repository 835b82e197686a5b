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

/** The home of a channel's sources; those of a draft are on this device, whichever home its chat will have. */
export async function sourcesOf(channelId: string): Promise<SourceStore> {
  return isTemporary(channelId) ? temporarySources : deviceSources
}
