import { findHome } from '../channels/homes'

/** Lets a message go along with every later question, or no longer. Throws not-found, channel.read-only. */
export async function setPinned(channelId: string, mId: string, isPinned: boolean): Promise<void> {
  await (await findHome(channelId)).setPinned(channelId, mId, isPinned)
}
