import type { Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { WantedMessage } from '../../lib/selected-channel'
import { channelKeys } from './channel-keys'
import type { MessagePage, PagePlace } from './channel-store'
import { findHome } from './homes'
import { unionOf } from './same-messages'
import { useCloudCopy } from './use-both-homes'
import { watchChanges } from './watch-changes'

export type Messages = {
  /** What is to be shown, oldest first: the newest, or what stands around the wanted message. */
  messages: Message[]
  /** The newest of the channel, whatever is shown. */
  newest: Message[]
  isPending: boolean
  hasOlder: boolean
  loadOlder: () => void
  /** Not where the newest are shown. */
  hasNewer: boolean
  loadNewer: () => void
  /** Shows the newest again. */
  showNewest: () => void
  /** Tells one stretch of messages from another: between them some may be missing. */
  stretch: string
  /** Where the wanted message is: among `messages`, on its way, or nowhere. Undefined once the newest are shown again, or it was deleted before the reader's eyes. */
  wanted: 'here' | 'seeking' | 'gone' | undefined
  /** The last reading failed; what was read before it is still here. */
  error: Error | null
  /** Reads what failed once more. */
  retry: () => void
}

/**
 * The messages of a channel; those of both copies where it stands in both homes. Others are read when they are asked
 * for. A wanted message that is not among the newest is read with what stands around it.
 */
export function useMessages(channelId: string, wanted?: WantedMessage): Messages {
  watchChanges(useQueryClient())
  const copy = useCloudCopy(channelId)
  const onlyHere = usePages(channelId, { isNewest: true })
  const newest = useUnion(onlyHere, copy.messages)
  const visit = useVisit(wanted, onlyHere)
  const around = useAround(channelId, visit.isElsewhere ? wanted?.mId : undefined)
  const aroundIt = useUnion(around.pages, around.hasIt ? copy.messages : undefined)
  const shown = around.hasIt ? aroundIt : newest
  const isHere = wanted !== undefined && shown.messages.some(({ mId }) => mId === wanted.mId)
  return {
    ...shown,
    newest: newest.messages,
    isPending: newest.isPending,
    showNewest: visit.leave,
    stretch: around.hasIt ? `around ${wanted?.mId}` : 'newest',
    wanted: isHere && !visit.isLeft ? 'here' : visit.isElsewhere ? around.state : undefined,
    error: newest.error ?? around.error ?? copy.error,
    retry: () => {
      newest.retry()
      around.retry()
      copy.retry()
    },
  }
}

type Place = PagePlace & { limit?: number }
/** The first page, where it is known, with the place from which it can be read again. */
type PagesOptions = { isNewest: true } | { isNewest: false; seed: { key: string; page: MessagePage; place: Place } | undefined }
type Pages = Pick<Messages, 'messages' | 'isPending' | 'hasOlder' | 'loadOlder' | 'hasNewer' | 'loadNewer' | 'error' | 'retry'>

/** By the number of pages before it alone, so that reading all pages again reaches as far as before. */
const pageLength = (pagesBefore: number): number => Math.min(limits.channels.messagePageSize * 2 ** pagesBefore, limits.channels.maxMessagePageSize)

function usePages(channelId: string, options: PagesOptions): Pages {
  const seed = options.isNewest ? undefined : options.seed
  const query = useInfiniteQuery({
    queryKey: options.isNewest ? channelKeys.messages(channelId) : channelKeys.messagesAround(channelId, seed?.key ?? ''),
    queryFn: async ({ pageParam }): Promise<MessagePage> => (await findHome(channelId)).messages(channelId, pageParam),
    initialPageParam: seed?.place ?? ({} as Place),
    // The pages stand newest first.
    getNextPageParam: ({ cursor }, pages): Place | undefined => (cursor === undefined ? undefined : { before: cursor, limit: pageLength(pages.length) }),
    getPreviousPageParam: ({ newer }, pages): Place | undefined => (newer === undefined ? undefined : { after: newer, limit: pageLength(pages.length) }),
    networkMode: 'always',
    enabled: options.isNewest || seed !== undefined,
    // What stands around a message was read a moment ago, and is read anew for every visit.
    ...(seed ? { initialData: { pages: [seed.page], pageParams: [seed.place] }, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 } : { staleTime: 0 }),
  })
  const messages = useMemo(() => query.data?.pages.toReversed().flatMap((page) => page.messages) ?? [], [query.data])
  const { isPending, isFetching, hasNextPage, hasPreviousPage, error } = query
  return {
    messages,
    isPending,
    hasOlder: hasNextPage,
    loadOlder: () => {
      if (hasNextPage && !isFetching) void query.fetchNextPage()
    },
    hasNewer: hasPreviousPage,
    loadNewer: () => {
      if (hasPreviousPage && !isFetching) void query.fetchPreviousPage()
    },
    error,
    retry: () => {
      if (error) void query.refetch()
    },
  }
}

/** With what the other copy has of the same stretch of time. */
function useUnion(pages: Pages, others: readonly Message[] | undefined): Pages {
  const { messages, hasOlder, hasNewer } = pages
  const union = useMemo(() => {
    if (!others) return messages
    const known = new Set(messages.map(({ mId }) => mId))
    const [first, last] = [messages[0], messages.at(-1)]
    const isInStretch = ({ datetime }: Message): boolean => !(hasOlder && first && datetime < first.datetime) && !(hasNewer && last && datetime > last.datetime)
    return unionOf(
      messages,
      others.filter((other) => known.has(other.mId) || isInStretch(other)),
    )
  }, [messages, others, hasOlder, hasNewer])
  return { ...pages, messages: union }
}

/** What stands around a message. Its first page is remembered by its end, not by the message: what is around stays when the message itself is deleted. */
function useAround(channelId: string, mId: string | undefined) {
  const place = useQuery({
    queryKey: channelKeys.messagePlace(channelId, mId ?? ''),
    queryFn: async () => (await findHome(channelId)).messages(channelId, { around: mId ?? '' }),
    enabled: mId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    networkMode: 'always',
  })
  const page = mId !== undefined && place.data?.messages.length ? place.data : undefined
  const seed = page && {
    key: `${mId} ${page.newer}`,
    page,
    place: { limit: limits.channels.messagePageSize, ...(page.newer === undefined ? {} : { before: page.newer }) },
  }
  const pages = usePages(channelId, { isNewest: false, seed })
  const state = page || place.isError ? undefined : place.isPending ? ('seeking' as const) : ('gone' as const)
  const retry = (): void => {
    if (place.error) void place.refetch()
    pages.retry()
  }
  return { pages, hasIt: page !== undefined, state, error: mId === undefined ? null : (place.error ?? pages.error), retry }
}

type Visit = { wanted: WantedMessage | undefined; isElsewhere: boolean; isLeft: boolean; lastId: string | undefined }

/** Decides, once for each visit of a message, whether it is among the newest. Whoever asks something meanwhile wants to see that. */
function useVisit(wanted: WantedMessage | undefined, { messages, isPending }: Pages) {
  const [visit, setVisit] = useState<Visit>({ wanted: undefined, isElsewhere: false, isLeft: false, lastId: undefined })
  const last = messages.at(-1)
  if (visit.wanted !== wanted && !isPending) {
    const isElsewhere = wanted !== undefined && !messages.some(({ mId }) => mId === wanted.mId)
    setVisit({ wanted, isElsewhere, isLeft: false, lastId: last?.mId })
  } else if (visit.isElsewhere && last && last.mId !== visit.lastId) {
    const isAsked = last.author === undefined && messages.some(({ mId }) => mId === visit.lastId)
    setVisit({ ...visit, isElsewhere: !isAsked, isLeft: isAsked, lastId: last.mId })
  }
  const isCurrent = visit.wanted === wanted
  return {
    isElsewhere: isCurrent && visit.isElsewhere,
    isLeft: isCurrent && visit.isLeft,
    leave: () => setVisit((known) => ({ ...known, isElsewhere: false, isLeft: true })),
  }
}
