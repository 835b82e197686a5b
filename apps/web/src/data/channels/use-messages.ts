import type { Message } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { TargetMessage } from '../../lib/selected-channel'
import { channelKeys } from './channel-keys'
import type { MessagePage, PagePosition } from './channel-store'
import { findHome } from './homes'
import { mergeCopies } from './same-messages'
import { useCloudCopy } from './use-both-homes'

export type Messages = {
  /** The messages to show, oldest first: the newest, or those around the target message. */
  messages: Message[]
  /** The newest messages of the channel, whatever is shown. */
  newest: Message[]
  /** Whether the newest messages were read since they are shown, not only at an earlier visit. */
  isFresh: boolean
  isPending: boolean
  hasOlder: boolean
  loadOlder: () => void
  /** Always false where the newest messages are shown. */
  hasNewer: boolean
  loadNewer: () => void
  /** Returns to the newest messages. */
  showNewest: () => void
  /** Identifies the shown range of messages: between two ranges some may be missing. */
  range: string
  /**
   * Where the target message is: among `messages`, being fetched, or nowhere. Undefined once the newest messages are
   * shown again, or when it was deleted while it was shown.
   */
  targetState: 'here' | 'seeking' | 'gone' | undefined
  /** The last fetch failed; the messages fetched before stay. */
  error: Error | null
  /** Repeats what failed. */
  retry: () => void
}

/**
 * The messages of a channel, merged from both copies where it is in both homes. Older and newer ones are loaded on
 * demand. A target message that is not among the newest is loaded with its surroundings.
 */
export function useMessages(channelId: string, target?: TargetMessage): Messages {
  const copy = useCloudCopy(channelId)
  const onlyHere = usePages(channelId, { isNewest: true })
  const newest = useUnion(onlyHere, copy.messages)
  const visit = useVisit(target, onlyHere)
  const around = useAround(channelId, visit.isElsewhere ? target?.mId : undefined)
  const aroundIt = useUnion(around.pages, around.hasIt ? copy.messages : undefined)
  const shown = around.hasIt ? aroundIt : newest
  const isHere = target !== undefined && shown.messages.some(({ mId }) => mId === target.mId)
  return {
    ...shown,
    newest: newest.messages,
    isFresh: newest.isFresh,
    isPending: newest.isPending,
    showNewest: visit.leave,
    range: around.hasIt ? `around ${target?.mId}` : 'newest',
    targetState: isHere && !visit.isLeft ? 'here' : visit.isElsewhere ? around.state : undefined,
    error: newest.error ?? around.error ?? copy.error,
    retry: () => {
      newest.retry()
      around.retry()
      copy.retry()
    },
  }
}

type PageParameters = PagePosition & { limit?: number }
/** The first page, where it is known, with the parameters that read it again. */
type PagesOptions =
  | { isNewest: true }
  | { isNewest: false; seed: { key: string; page: MessagePage; parameters: PageParameters } | undefined }
type Pages = Pick<
  Messages,
  'messages' | 'isFresh' | 'isPending' | 'hasOlder' | 'loadOlder' | 'hasNewer' | 'loadNewer' | 'error' | 'retry'
>

/** Depends only on the number of earlier pages, so that refetching all pages covers the same range. */
const pageLength = (pagesBefore: number): number =>
  Math.min(webLimits.channels.messagePageSize * 2 ** pagesBefore, webLimits.channels.maxMessagePageSize)

function usePages(channelId: string, options: PagesOptions): Pages {
  const seed = options.isNewest ? undefined : options.seed
  const query = useInfiniteQuery({
    queryKey: options.isNewest
      ? channelKeys.messages(channelId)
      : channelKeys.messagesAround(channelId, seed?.key ?? ''),
    queryFn: async ({ pageParam }): Promise<MessagePage> => (await findHome(channelId)).messages(channelId, pageParam),
    initialPageParam: seed?.parameters ?? ({} as PageParameters),
    // The pages are ordered newest first.
    getNextPageParam: ({ cursor }, pages): PageParameters | undefined =>
      cursor === undefined ? undefined : { before: cursor, limit: pageLength(pages.length) },
    getPreviousPageParam: ({ newer }, pages): PageParameters | undefined =>
      newer === undefined ? undefined : { after: newer, limit: pageLength(pages.length) },
    networkMode: 'always',
    enabled: options.isNewest || seed !== undefined,
    // The page around a message was read moments ago, and is read again for every visit.
    ...(seed
      ? {
          initialData: { pages: [seed.page], pageParams: [seed.parameters] },
          staleTime: Number.POSITIVE_INFINITY,
          gcTime: 0,
        }
      : { staleTime: 0 }),
  })
  const messages = useMemo(() => query.data?.pages.toReversed().flatMap((page) => page.messages) ?? [], [query.data])
  const { isPending, isFetching, hasNextPage, hasPreviousPage, error } = query
  return {
    messages,
    isFresh: query.isFetchedAfterMount,
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

/** Merges the pages with the other copy's messages of the same time range. */
function useUnion(pages: Pages, others: readonly Message[] | undefined): Pages {
  const { messages, hasOlder, hasNewer } = pages
  const union = useMemo(() => {
    if (!others) return messages
    const known = new Set(messages.map(({ mId }) => mId))
    const [first, last] = [messages[0], messages.at(-1)]
    const isInStretch = ({ datetime }: Message): boolean =>
      !(hasOlder && first && datetime < first.datetime) && !(hasNewer && last && datetime > last.datetime)
    return mergeCopies(
      messages,
      others.filter((other) => known.has(other.mId) || isInStretch(other)),
    )
  }, [messages, others, hasOlder, hasNewer])
  return { ...pages, messages: union }
}

/**
 * The pages around a message. Their query is keyed by the first page's end, not by the message: they stay when the
 * message itself is deleted.
 */
function useAround(channelId: string, mId: string | undefined) {
  const lookup = useQuery({
    queryKey: channelKeys.messagePlace(channelId, mId ?? ''),
    queryFn: async () => (await findHome(channelId)).messages(channelId, { around: mId ?? '' }),
    enabled: mId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    networkMode: 'always',
  })
  const page = mId !== undefined && lookup.data?.messages.length ? lookup.data : undefined
  const seed = page && {
    key: `${mId} ${page.newer}`,
    page,
    parameters: {
      limit: webLimits.channels.messagePageSize,
      ...(page.newer === undefined ? {} : { before: page.newer }),
    },
  }
  const pages = usePages(channelId, { isNewest: false, seed })
  const state = page || lookup.isError ? undefined : lookup.isPending ? ('seeking' as const) : ('gone' as const)
  const retry = (): void => {
    if (lookup.error) void lookup.refetch()
    pages.retry()
  }
  return {
    pages,
    hasIt: page !== undefined,
    state,
    error: mId === undefined ? null : (lookup.error ?? pages.error),
    retry,
  }
}

type MessageVisit = {
  target: TargetMessage | undefined
  isElsewhere: boolean
  isLeft: boolean
  lastId: string | undefined
}

/**
 * Decides once per visit whether the target message is among the newest. A person who asks a question meanwhile returns
 * to the newest messages.
 */
function useVisit(target: TargetMessage | undefined, { messages, isPending }: Pages) {
  const [visit, setVisit] = useState<MessageVisit>({
    target: undefined,
    isElsewhere: false,
    isLeft: false,
    lastId: undefined,
  })
  const last = messages.at(-1)
  if (visit.target !== target && !isPending) {
    const isElsewhere = target !== undefined && !messages.some(({ mId }) => mId === target.mId)
    setVisit({ target, isElsewhere, isLeft: false, lastId: last?.mId })
  } else if (visit.isElsewhere && last && last.mId !== visit.lastId) {
    const isAsked = last.author === undefined && messages.some(({ mId }) => mId === visit.lastId)
    setVisit({ ...visit, isElsewhere: !isAsked, isLeft: isAsked, lastId: last.mId })
  }
  const isCurrent = visit.target === target
  return {
    isElsewhere: isCurrent && visit.isElsewhere,
    isLeft: isCurrent && visit.isLeft,
    leave: () => setVisit((known) => ({ ...known, isElsewhere: false, isLeft: true })),
  }
}
