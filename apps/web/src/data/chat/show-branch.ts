import type { QueryClient } from '@tanstack/react-query'
import { channelKeys } from '../channels/channel-keys'
import type { Version } from '../channels/channel-store'
import { showVersion } from './versions'

/** Shows another version, and resolves when the messages of its path are loaded. Throws not-found. */
export async function showBranch(client: QueryClient, channelId: string, version: Version): Promise<void> {
  await showVersion(channelId, version)
  // The change of the head has begun this fetch already.
  await client.invalidateQueries({ queryKey: channelKeys.messages(channelId) }, { cancelRefetch: false })
}
