import { byActivity, type Channel, type StorageMode } from '@parley/contract/channels'
import type { QueryClient } from '@tanstack/react-query'
import { currentScope, scoped } from '../scope/scope'
import { channelKeys } from './channel-keys'
import { storeOf } from './homes'

/** Changes within this time cause one read: a question, its answer and its end change the same channel. */
const gatherMs = 250

const waitingReads = scoped(() => new Map<string, ReturnType<typeof setTimeout> | undefined>())

/** Reads one changed channel into the cached list. Without a cached list there is nothing to update. */
export function patchChannel(client: QueryClient, channelId: string, home: StorageMode): void {
  const scope = currentScope()
  const waiting = waitingReads(scope)
  const key = `${home} ${channelId}`
  clearTimeout(waiting.get(key))
  waiting.set(
    key,
    scope.later(() => {
      waiting.delete(key)
      void readChannel(client, channelId, home)
    }, gatherMs),
  )
}

async function readChannel(client: QueryClient, channelId: string, home: StorageMode): Promise<void> {
  const queryKey = home === 'local' ? channelKeys.list : channelKeys.cloud
  const state = client.getQueryState(queryKey)
  // A list that is being fetched, or was never fetched, is fetched as a whole.
  if (!state?.data || state.fetchStatus === 'fetching') return client.invalidateQueries({ queryKey })
  try {
    const channel = await storeOf(channelId, home).get(channelId)
    client.setQueryData<Channel[]>(queryKey, (channels) => {
      const others = channels?.filter(({ id }) => id !== channelId) ?? []
      return channel ? [...others, channel].sort(byActivity) : others
    })
  } catch {
    // Fetching the list reports the error.
    await client.invalidateQueries({ queryKey })
  }
}
