import { queryOptions, useQuery } from '@tanstack/react-query'
import { channelKeys } from './channel-keys'
import { findHome } from './homes'

/** Every question of a channel, on whichever branch. Read again at each opening; changes patch it meanwhile. */
const outlineQuery = (channelId: string) =>
  queryOptions({
    queryKey: channelKeys.outline(channelId),
    queryFn: async () => (await findHome(channelId)).outline(channelId),
    networkMode: 'always',
    staleTime: 0,
  })

export function useOutline(channelId: string) {
  return useQuery(outlineQuery(channelId))
}
