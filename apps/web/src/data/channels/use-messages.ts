import type { Message } from '@parley/contract/chat'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { channelKeys } from './channel-keys'
import type { MessagePage } from './channel-store'
import { findHome } from './homes'
import { watchChanges } from './watch-changes'

export type Messages = { messages: Message[]; isPending: boolean; hasOlder: boolean; loadOlder: () => void; error: Error | null }

/** The messages of a channel, oldest first; older pages are read when they are asked for. */
export function useMessages(channelId: string): Messages {
  watchChanges(useQueryClient())
  const query = useInfiniteQuery({
    queryKey: channelKeys.messages(channelId),
    queryFn: async ({ pageParam }): Promise<MessagePage> =>
      (await findHome(channelId)).messages(channelId, pageParam === undefined ? {} : { before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor,
    staleTime: 0,
    networkMode: 'always',
  })
  const messages = useMemo(() => query.data?.pages.toReversed().flatMap((page) => page.messages) ?? [], [query.data])
  return {
    messages,
    isPending: query.isPending,
    hasOlder: query.hasNextPage,
    loadOlder: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
    error: query.error,
  }
}
