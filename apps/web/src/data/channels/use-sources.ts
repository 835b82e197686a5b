import type { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import type { Source } from '@parley/contract/sources'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { storageError } from '../local/storage-error'
import { isUnread } from '../sources/source-state'
import { channelKeys } from './channel-keys'
import { newChatDraftId } from './new-chat'

/** Every composer has a look at its chat's sources; what keeps them is no part of the first load. */
const loadList = () => import('./list-sources')

const none: Source[] = []

const sourcesQuery = (channelId: string) =>
  queryOptions({
    queryKey: channelKeys.sources(channelId),
    queryFn: async () => (await loadList()).listSources(channelId),
    networkMode: 'always',
    staleTime: 0,
    // Beside what tells of changes, which may be lost.
    refetchInterval: ({ state }) => (state.data?.some(isUnread) ? limits.sources.pollMs : false),
    retry: (failures, error) => failures < limits.sources.pollRetries && mayPass(storageError(error)),
  })

/** A server that failed fails again; what is refused is refused again (ST-133). */
const mayPass = ({ code, status }: AppError): boolean =>
  status !== 500 && status !== 404 && !/^(?:storage|vault)\./.test(code)

type Sources = {
  sources: Source[]
  isLoading: boolean
  /** It is loading, and has not failed to yet. */
  isFirstTry: boolean
  error: AppError | undefined
}

/** The sources of a channel or of a draft, oldest first, with how far each is read; none until it `isEnabled`. */
export function useSources(channelId: string, { isEnabled = true } = {}): Sources {
  const query = useQuery({ ...sourcesQuery(channelId), enabled: isEnabled })
  const { data = none, isLoading, failureCount, error } = query
  const isFirstTry = isLoading && failureCount === 0
  return { sources: data, isLoading, isFirstTry, error: error ? storageError(error) : undefined }
}

/** The id under which a chat that has not begun keeps its sources, for useSources and addFiles. */
export const sourcesOfDraft = newChatDraftId
