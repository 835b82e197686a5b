import { isOver, type Message } from '@parley/contract/chat'
import { type ContextExchange, contextSizeOf, exchangesOf } from '@parley/contract/context'
import { messagesOfExchange } from '@parley/contract/context-plan'
import { contextSizeRoutes } from '@parley/contract/context-size'
import type { Summary } from '@parley/contract/conversations'
import type { Nano } from '@parley/contract/money'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { api } from '../api/api'
import { channelKeys } from '../channels/channel-keys'
import type { MessagePage } from '../channels/channel-store'
import { findHome, homes } from '../channels/homes'
import { scoped } from '../scope/scope'
import { readPathBefore } from './path-before'

/** An exchange of a path. Its texts are there where the screen has them. */
type SizedExchange = ContextExchange & { mId: string; runId?: string | undefined }

export type SizedPath = {
  /** Oldest first. */
  exchanges: readonly SizedExchange[]
  /** Messages before those, which no question could carry. */
  unread: number
  /** What lies before the loaded messages is known, or there is nothing. */
  isKnown: boolean
}

/** Encoding a long text takes time, and a loaded message is one object until it changes. */
const sizesOfMessages = scoped(() => new WeakMap<Message, readonly SizedExchange[]>())

/**
 * What the next question of a chat may take along, by the messages that are loaded, and by the sizes of those before
 * them, which are read once. An answer that is still written counts from its end.
 */
export function useContextPath(channelId: string, loaded: readonly Message[]): SizedPath {
  const client = useQueryClient()
  const pages = client.getQueryData<InfiniteData<MessagePage>>(channelKeys.messages(channelId))?.pages
  const first = loaded[0]?.mId ?? ''
  const hasOlder = pages?.at(-1)?.cursor !== undefined
  const last = useRef<Loaded>({ first, messages: loaded })
  const { data: before } = useQuery({
    queryKey: channelKeys.sizesBefore(channelId, first),
    queryFn: () => readSizesBefore(channelId, first),
    initialData: () =>
      sizesAfter(client.getQueryData(channelKeys.sizesBefore(channelId, last.current.first)), last.current, first),
    enabled: hasOlder && first !== '',
    // A new question changes nothing before it; what does announces the messages as changed.
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  })
  useEffect(() => {
    last.current = { first, messages: loaded }
  }, [first, loaded])
  const known = hasOlder ? before : nothingBefore
  const total = pages?.[0]?.total ?? loaded.length
  return useMemo(() => {
    const exchanges = [...(known ?? []), ...loaded.flatMap(sizedOf)]
    const unread = Math.max(0, total - loaded.length - (known?.length ?? 0)) * messagesOfExchange
    return { exchanges, unread, isKnown: known !== undefined }
  }, [known, loaded, total])
}

/** The messages of the last render, and the first of them. */
type Loaded = { first: string; messages: readonly Message[] }

/** With each question the first loaded message becomes a later one: what was loaded until then is not read again. */
function sizesAfter(
  before: readonly SizedExchange[] | undefined,
  { messages }: Loaded,
  first: string,
): SizedExchange[] | undefined {
  const at = messages.findIndex(({ mId }) => mId === first)
  return before && at >= 0 ? [...before, ...messages.slice(0, at).flatMap(sizedOf)] : undefined
}

const nothingBefore: readonly SizedExchange[] = []

function sizedOf(message: Message): readonly SizedExchange[] {
  if (!isOver(message)) return nothingBefore
  const sized = sizesOfMessages()
  const exchanges = sized.get(message) ?? withSizes(exchangesOf([message]))
  sized.set(message, exchanges)
  return exchanges
}

const withSizes = (exchanges: readonly SizedExchange[]): SizedExchange[] =>
  exchanges.map((exchange) => ({ ...exchange, size: contextSizeOf(exchange.messages) }))

async function readSizesBefore(channelId: string, mId: string): Promise<SizedExchange[]> {
  const home = await findHome(channelId)
  if (home === homes.cloud) {
    const { exchanges } = await api(contextSizeRoutes.before, { params: { id: channelId }, query: { before: mId } })
    return exchanges.map(({ tokens, ...exchange }) => ({ ...exchange, messages: [], size: { tokens, bytes: 0 } }))
  }
  const { exchanges } = await readPathBefore(home, channelId, mId)
  // Only the sizes are kept: the texts would stay in memory.
  return withSizes(exchanges).map((exchange) => ({ ...exchange, messages: [] }))
}

/** The summaries of a chat, on whichever branch; undefined until they are known. */
export function useSummaries(channelId: string): readonly Summary[] | undefined {
  return useQuery({
    queryKey: channelKeys.summaries(channelId),
    queryFn: async () => (await findHome(channelId)).summaries(channelId),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  }).data
}

/** What a chat has cost so far; undefined until it is known. */
export function useChatCost(channelId: string): Nano | undefined {
  return useQuery({
    queryKey: channelKeys.cost(channelId),
    queryFn: async () => (await findHome(channelId)).cost(channelId),
    staleTime: 0,
    networkMode: 'always',
    retry: false,
  }).data
}

type InstructionsSize = { assistantId: string | null; language: string; hasSources: boolean }

/** The estimated tokens of the instructions that go along with each question; undefined where they are not known. */
export function useInstructionsSize({ assistantId, language, hasSources }: InstructionsSize): number | undefined {
  const { data } = useQuery({
    queryKey: ['instructions-size', assistantId, language],
    queryFn: ({ signal }) =>
      api(contextSizeRoutes.instructions, {
        query: { language, ...(assistantId === null ? {} : { assistantId }) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data && data.tokens + (hasSources ? (data.ofSources ?? 0) : 0)
}
