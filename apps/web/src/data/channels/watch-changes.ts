import type { QueryClient } from '@tanstack/react-query'
import { onChange } from '../local/changes'
import { channelKeys } from './channel-keys'

const watched = new WeakSet<QueryClient>()

/** Keeps the queries of a tab up to date with what this tab and the others write. */
export function watchChanges(client: QueryClient): void {
  if (watched.has(client)) return
  watched.add(client)
  onChange((change) => {
    if (change.kind === 'vault-locked' || change.kind === 'leaving') return
    if (change.kind === 'vault' || change.kind === 'keys') return void client.invalidateQueries()
    if (change.kind === 'receipts') return void client.invalidateQueries({ queryKey: channelKeys.readersIn(change.channelId) })
    if (change.kind === 'messages') return void readAgain(client, channelKeys.messages(change.channelId))
    void readAgain(client, channelKeys.list)
    if (change.home === 'local') return
    void readAgain(client, channelKeys.cloud)
    void readAgain(client, channelKeys.members)
    // Who comes or goes has read, or is asked no longer.
    void client.invalidateQueries({ queryKey: ['readers'] })
  })
}

/** A first reading that is under way is not begun again by an invalidation: what was written meanwhile would be missing from it. */
async function readAgain(client: QueryClient, queryKey: readonly string[]): Promise<void> {
  const state = client.getQueryState(queryKey)
  if (state?.fetchStatus === 'fetching' && state.data === undefined) await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}
