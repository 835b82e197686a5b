import type { Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { channelKeys } from './channel-keys'
import type { MessagePage } from './channel-store'
import { findHome } from './homes'
import { watchChanges } from './watch-changes'

export type Messages = {
  messages: Message[]
  isPending: boolean
  hasOlder: boolean
  loadOlder: () => void
  /** Where the wanted message is: among `messages`, farther up, or nowhere. */
  wanted: 'here' | 'seeking' | 'gone' | undefined
  error: Error | null
}

/** The stream of an answer goes to the one who asked; the others read what is kept of it. */
const isWrittenForOther = ({ author, status }: Message): boolean => author !== undefined && status === 'streaming'

type Place = { before: string; limit: number } | undefined

/** By the number of pages before it alone, so that reading all pages again reaches as far as before. */
const pageLength = (pagesBefore: number): number => Math.min(limits.channels.messagePageSize * 2 ** pagesBefore, limits.channels.maxMessagePageSize)

/** The messages of a channel, oldest first; older pages are read when they are asked for, or until the wanted message is there. */
export function useMessages(channelId: string, wantedId?: string): Messages {
  watchChanges(useQueryClient())
  const query = useInfiniteQuery({
    queryKey: channelKeys.messages(channelId),
    queryFn: async ({ pageParam }): Promise<MessagePage> => (await findHome(channelId)).messages(channelId, pageParam),
    initialPageParam: undefined as Place,
    getNextPageParam: (page, pages): Place => (page.cursor === undefined ? undefined : { before: page.cursor, limit: pageLength(pages.length) }),
    staleTime: 0,
    networkMode: 'always',
    refetchInterval: ({ state }) => (state.data?.pages.some(({ messages }) => messages.some(isWrittenForOther)) ? limits.sharing.watchMs : false),
  })
  const messages = useMemo(() => query.data?.pages.toReversed().flatMap((page) => page.messages) ?? [], [query.data])
  const { isPending, isError, isFetching, hasNextPage, fetchNextPage } = query
  const isHere = useMemo(() => wantedId !== undefined && messages.some(({ mId }) => mId === wantedId), [messages, wantedId])
  const isMissing = wantedId !== undefined && !isHere && !isPending && !isError

  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage()
  }, [isMissing, hasNextPage, isFetching, fetchNextPage])

  return {
    messages,
    isPending,
    hasOlder: hasNextPage,
    loadOlder: () => {
      if (hasNextPage && !isFetching) void fetchNextPage()
    },
    wanted: isHere ? 'here' : isMissing ? (hasNextPage || isFetching ? 'seeking' : 'gone') : undefined,
    error: query.error,
  }
}
