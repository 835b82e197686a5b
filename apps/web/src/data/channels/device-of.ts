import type { Device } from '../local/device'
import { openDevice } from '../vault/open-device'
import { isTemporary, openTemporary } from './temporary-chats'

/** The device of a channel's draft, queue and outbox entries: the open vault, or the memory of this tab. */
export const openDeviceOf = async (channelId: string): Promise<Device> =>
  isTemporary(channelId) ? (await openTemporary()).device : openDevice()
