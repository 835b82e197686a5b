import type { Channel } from '@parley/contract/channels'
import { channelRoutes } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { searchWords } from '@parley/contract/search-text'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { channelKeys } from '../channels/channel-keys'
import { api } from '../http/api'
import { onChange } from '../local/changes'
import { openDevice } from '../local/device'
import { type Answer, DeviceSearch } from './device-search'
import { mergeHits, type ShownHit } from './merge-hits'

export type MessageSearch = {
  /** Of both homes, the newest message first; while a new search is on its way those of before it. */
  hits: ShownHit[]
  isSearching: boolean
  /** How much of this device's messages has been read, from 0 to 1, while it takes its time. */
  progress: number | undefined
  hasMore: boolean
  loadMore: () => void
  /** The cloud gives no more than its best ones. */
  isCloudCut: boolean
  error: { home: Channel['source']; reason: AppError } | undefined
  retry: () => void
}

const deviceSearch = new DeviceSearch(openDevice)

const cloudQuery = (query: string) =>
  queryOptions({
    queryKey: [...channelKeys.search, query],
    queryFn: async ({ signal }) => (await api(channelRoutes.search, { query: { q: query }, signal })).results,
    staleTime: 0,
    // The person sees what is wrong at once, and can try again.
    retry: false,
    networkMode: 'always',
    placeholderData: keepPreviousData,
  })

const none: readonly never[] = []

/** The messages of both homes that hold all words of a query; undefined where it has no word. `inCloud` are the channels that live in the cloud alone. */
export function useMessageSearch(typed: string, channels: readonly Channel[], inCloud: readonly Channel[]): MessageSearch | undefined {
  const wanted = queryOf(typed)
  const settled = useSettled(wanted, limits.search.debounceMs)
  const query = wanted === '' ? '' : settled
  const device = useDeviceSearch(query)
  // What is looked for may be about chats of this device: it is not sent to a cloud that has none to search.
  const isInCloud = query !== '' && inCloud.length > 0
  const cloud = useQuery({ ...cloudQuery(query), enabled: isInCloud })
  useFreshCloudHits(inCloud)
  const found = device.answer
  const cloudHits = (isInCloud && cloud.data) || none
  const hits = useMemo(() => mergeHits(found ?? { hits: [], hasMore: false }, cloudHits, channels), [found, cloudHits, channels])
  if (wanted === '') return undefined

  const { progress } = found ?? {}
  const cloudError = isInCloud && !cloud.isFetching && cloud.error
  return {
    hits,
    isSearching: query !== wanted || device.isPending || (isInCloud && cloud.isFetching),
    progress: progress && progress.total > 0 ? progress.done / progress.total : undefined,
    hasMore: found?.hasMore ?? false,
    loadMore: device.loadMore,
    isCloudCut: cloudHits.length >= limits.cloud.searchResults,
    error: device.error ? { home: 'indexeddb', reason: device.error } : cloudError ? { home: 'postgresql', reason: asAppError(cloudError) } : undefined,
    retry: () => {
      if (device.error) device.retry()
      if (cloudError) void cloud.refetch()
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
        const isOfCloud = change.kind === 'messages' ? inCloud.some(({ id }) => id === change.channelId) : change.kind === 'channels' && change.home !== 'local'
        if (isOfCloud) void client.invalidateQueries({ queryKey: channelKeys.search })
      }),
    [client, inCloud],
  )
}

const asAppError = (error: Error): AppError => (error instanceof AppError ? error : new AppError('unknown', { cause: error }))
