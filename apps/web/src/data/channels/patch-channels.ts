import { byActivity, type Channel, type StorageMode } from '@parley/contract/channels'
import type { QueryClient } from '@tanstack/react-query'
import { channelKeys } from './channel-keys'
import { homes } from './homes'

/** What comes close together is one reading: a question, its answer and its end change the same channel. */
const gatherMs = 250

const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/** Reads one channel again, instead of the whole list. Without a list there is nothing to keep up to date. */
export function patchChannel(client: QueryClient, channelId: string, home: StorageMode): void {
  const key = `${home} ${channelId}`
  clearTimeout(waiting.get(key))
  waiting.set(
    key,
    setTimeout(() => {
      waiting.delete(key)
      void readChannel(client, channelId, home)
    }, gatherMs),
  )
}

async function readChannel(client: QueryClient, channelId: string, home: StorageMode): Promise<void> {
  const queryKey = home === 'local' ? channelKeys.list : channelKeys.cloud
  const state = client.getQueryState(queryKey)
  // A list that is being read, or was never, is read from the beginning.
  if (!state?.data || state.fetchStatus === 'fetching') return client.invalidateQueries({ queryKey })
  try {
    const channel = await homes[home].get(channelId)
    client.setQueryData<Channel[]>(queryKey, (channels) => {
      const others = channels?.filter(({ id }) => id !== channelId) ?? []
      return channel ? [...others, channel].sort(byActivity) : others
    })
  } catch {
    // The list tells what is wrong.
    await client.invalidateQueries({ queryKey })
  }
}
