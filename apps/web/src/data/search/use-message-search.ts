import type { Channel } from '@parley/contract/channels'
import { channelRoutes } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { searchWords } from '@parley/contract/search-text'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { api } from '../api/api'
import { channelKeys } from '../channels/channel-keys'
import { onChange } from '../local/changes'
import { openDevice } from '../vault/open-device'
import { type Answer, DeviceSearch } from './device-search'
import { type Hits, type ListedHit, mergeHits } from './merge-hits'

export type MessageSearch = {
  /** Hits of both homes, newest first; while a new search runs, those of the previous one. */
  hits: ListedHit[]
  isSearching: boolean
  /** The part of this device's messages that is indexed, from 0 to 1, while the indexing lasts. */
  progress: number | undefined
  hasMore: boolean
  loadMore: () => void
  error: { home: Channel['source']; reason: AppError } | undefined
  retry: () => void
}

const deviceSearch = new DeviceSearch(openDevice)

const cloudQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: [...channelKeys.search, query],
    queryFn: ({ signal, pageParam: cursor }) =>
      api(channelRoutes.search, {
        query: { q: query, order: 'newest', ...(cursor === undefined ? {} : { cursor }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
    // The error is shown at once with a retry button.
    retry: false,
    networkMode: 'always',
    placeholderData: keepPreviousData,
  })

const none: Hits = { hits: [], hasMore: false }

/**
 * Searches the messages of both homes for all words of a query; undefined where the query has no word. `inCloud`: the
 * channels that are only in the cloud.
 */
export function useMessageSearch(
  typed: string,
  channels: readonly Channel[],
  inCloud: readonly Channel[],
): MessageSearch | undefined {
  const wanted = queryOf(typed)
  const settled = useSettled(wanted, webLimits.search.debounceMs)
  const query = wanted === '' ? '' : settled
  const device = useDeviceSearch(query)
  // The query may be about chats of this device: it is not sent to a cloud without channels.
  const isInCloud = query !== '' && inCloud.length > 0
  const cloud = useInfiniteQuery({ ...cloudQuery(query), enabled: isInCloud })
  useFreshCloudHits(inCloud)
  const found = device.answer
  const inCloudFound = useMemo(
    () =>
      isInCloud && cloud.data
        ? { hits: cloud.data.pages.flatMap(({ results }) => results), hasMore: cloud.hasNextPage }
        : none,
    [isInCloud, cloud.data, cloud.hasNextPage],
  )
  const hits = useMemo(() => mergeHits(found ?? none, inCloudFound, channels), [found, inCloudFound, channels])
  if (wanted === '') return undefined

  // Whoever asks for more while the pages are read again gets it after them.
  const fetchNext = async () => {
    if (cloud.isFetching) await cloud.refetch({ cancelRefetch: false })
    await cloud.fetchNextPage()
  }
  const { progress } = found ?? {}
  const cloudError = isInCloud && !cloud.isFetching && cloud.error
  return {
    hits,
    isSearching: query !== wanted || device.isPending || (isInCloud && cloud.isFetching),
    progress: progress && progress.total > 0 ? progress.done / progress.total : undefined,
    hasMore: (found?.hasMore ?? false) || inCloudFound.hasMore,
    loadMore: () => {
      if (found?.hasMore) device.loadMore()
      if (inCloudFound.hasMore && !cloud.isFetchingNextPage) void fetchNext()
    },
    error: device.error
      ? { home: 'indexeddb', reason: device.error }
      : cloudError
        ? { home: 'postgresql', reason: asAppError(cloudError) }
        : undefined,
    retry: () => {
      if (device.error) device.retry()
      if (cloudError) void (cloud.isFetchNextPageError ? cloud.fetchNextPage() : cloud.refetch())
    },
  }
}

/** The query without surrounding white space; empty where it has no word. */
function queryOf(typed: string): string {
  const query = typed.trim().slice(0, limits.search.maxQueryLength)
  return searchWords(query).terms.length === 0 ? '' : query
}

/** Debounces a text, the first one too: this may be loaded in the middle of a word. Empty until it has settled. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

type DeviceState = { key: string; answer: Answer | undefined; error: AppError | undefined }

function useDeviceSearch(query: string) {
  const [round, setRound] = useState(0)
  const [more, setMore] = useState({ query, pages: 1 })
  const [state, setState] = useState<DeviceState>({ key: '', answer: undefined, error: undefined })
  const limit = webLimits.search.pageSize * (more.query === query ? more.pages : 1)
  const key = `${query}\n${limit}`
  const again = useCallback(() => setRound((count) => count + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks the same again
  useEffect(() => {
    if (query === '') return setState({ key: '', answer: undefined, error: undefined })
    return deviceSearch.search({
      query,
      limit,
      onAnswer: (answer) => setState({ key, answer, error: undefined }),
      onError: (error) => setState({ key, answer: undefined, error }),
    })
  }, [query, limit, key, round])

  useEffect(() => {
    if (query === '') return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onChange(() => {
      // A streamed answer changes its message every second.
      timer ??= setTimeout(() => {
        timer = undefined
        again()
      }, webLimits.search.refreshMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [query, again])

  return {
    ...state,
    isPending: query !== '' && (state.key !== key || state.answer?.progress !== undefined),
    loadMore: () => setMore({ query, pages: limit / webLimits.search.pageSize + 1 }),
    retry: again,
  }
}

/** Repeats the cloud's search after a change there. */
function useFreshCloudHits(inCloud: readonly Channel[]): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onChange((change) => {
        const isOfCloud =
          change.kind === 'messages' || change.kind === 'message'
            ? inCloud.some(({ id }) => id === change.channelId)
            : (change.kind === 'channels' || change.kind === 'channel') && change.home !== 'local'
        if (isOfCloud) void client.invalidateQueries({ queryKey: channelKeys.search })
      }),
    [client, inCloud],
  )
}

const asAppError = (error: Error): AppError =>
  error instanceof AppError ? error : new AppError('unknown', { cause: error })
