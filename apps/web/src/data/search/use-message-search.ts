import type { Channel } from '@parley/contract/channels'
import { channelRoutes } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { searchWords } from '@parley/contract/search-text'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { channelKeys } from '../channels/channel-keys'
import { api } from '../http/api'
import { onChange } from '../local/changes'
import { openDevice } from '../local/device'
import { type Answer, DeviceSearch } from './device-search'
import { type Hits, mergeHits, type ShownHit } from './merge-hits'

export type MessageSearch = {
  /** Of both homes, the newest message first; while a new search is on its way those of before it. */
  hits: ShownHit[]
  isSearching: boolean
  /** How much of this device's messages has been read, from 0 to 1, while it takes its time. */
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
      api(channelRoutes.search, { query: { q: query, order: 'newest', ...(cursor === undefined ? {} : { cursor }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
    // The person sees what is wrong at once, and can try again.
    retry: false,
    networkMode: 'always',
    placeholderData: keepPreviousData,
  })

const none: Hits = { hits: [], hasMore: false }

/** The messages of both homes that hold all words of a query; undefined where it has no word. `inCloud` are the channels that live in the cloud alone. */
export function useMessageSearch(typed: string, channels: readonly Channel[], inCloud: readonly Channel[]): MessageSearch | undefined {
  const wanted = queryOf(typed)
  const settled = useSettled(wanted, limits.search.debounceMs)
  const query = wanted === '' ? '' : settled
  const device = useDeviceSearch(query)
  // What is looked for may be about chats of this device: it is not sent to a cloud that has none to search.
  const isInCloud = query !== '' && inCloud.length > 0
  const cloud = useInfiniteQuery({ ...cloudQuery(query), enabled: isInCloud })
  useFreshCloudHits(inCloud)
  const found = device.answer
  const inCloudFound = useMemo(
    () => (isInCloud && cloud.data ? { hits: cloud.data.pages.flatMap(({ results }) => results), hasMore: cloud.hasNextPage } : none),
    [isInCloud, cloud.data, cloud.hasNextPage],
  )
  const hits = useMemo(() => mergeHits(found ?? none, inCloudFound, channels), [found, inCloudFound, channels])
  if (wanted === '') return undefined

  const { progress } = found ?? {}
  const cloudError = isInCloud && !cloud.isFetching && cloud.error
  return {
    hits,
    isSearching: query !== wanted || device.isPending || (isInCloud && cloud.isFetching),
    progress: progress && progress.total > 0 ? progress.done / progress.total : undefined,
    hasMore: (found?.hasMore ?? false) || inCloudFound.hasMore,
    loadMore: () => {
      if (found?.hasMore) device.loadMore()
      if (inCloudFound.hasMore && !cloud.isFetching) void cloud.fetchNextPage()
    },
    error: device.error ? { home: 'indexeddb', reason: device.error } : cloudError ? { home: 'postgresql', reason: asAppError(cloudError) } : undefined,
    retry: () => {
      if (device.error) device.retry()
      if (cloudError) void (cloud.isFetchNextPageError ? cloud.fetchNextPage() : cloud.refetch())
    },
  }
}

/** What is looked for; nothing where there is no word in it. */
function queryOf(typed: string): string {
  const query = typed.trim().slice(0, limits.search.maxQueryLength)
  return searchWords(query).terms.length === 0 ? '' : query
}

/** A value once it has not changed for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
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
  const limit = limits.search.pageSize * (more.query === query ? more.pages : 1)
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
      // An answer that is being written changes its message every second.
      timer ??= setTimeout(() => {
        timer = undefined
        again()
      }, limits.search.refreshMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [query, again])

  return {
    ...state,
    isPending: query !== '' && (state.key !== key || state.answer?.progress !== undefined),
    loadMore: () => setMore({ query, pages: limit / limits.search.pageSize + 1 }),
    retry: again,
  }
}

/** What was found in the cloud is looked for again after something was written there. */
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

const asAppError = (error: Error): AppError => (error instanceof AppError ? error : new AppError('unknown', { cause: error }))
