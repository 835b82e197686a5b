import type { QueryClient } from '@tanstack/react-query'

/** An invalidation does not restart a first fetch in flight, which would miss later changes: it is cancelled first. */
export async function readAgain(client: QueryClient, queryKey: readonly string[]): Promise<void> {
  const state = client.getQueryState(queryKey)
  if (state?.fetchStatus === 'fetching' && state.data === undefined) await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}
