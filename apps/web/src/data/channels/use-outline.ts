import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { channelKeys } from './channel-keys'
import { findHome } from './homes'
import { watchChanges } from './watch-changes'

/** Every question of a channel, on whichever branch. Read again at each opening; changes patch it meanwhile. */
const outlineQuery = (channelId: string) =>
  queryOptions({
    queryKey: channelKeys.outline(channelId),
    queryFn: async () => (await findHome(channelId)).outline(channelId),
    networkMode: 'always',
    staleTime: 0,
  })

export function useOutline(channelId: string) {
  watchChanges(useQueryClient())
  return useQuery(outlineQuery(channelId))
}
