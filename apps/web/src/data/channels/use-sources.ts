import type { AppError } from '@parley/contract/errors'
import type { Source } from '@parley/contract/sources'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { storageError } from '../local/storage-error'
import { channelKeys } from './channel-keys'
import { sourcesOf } from './channel-sources'
import { newChatDraftId } from './new-chat'

const none: Source[] = []

const sourcesQuery = (channelId: string) =>
  queryOptions({
    queryKey: channelKeys.sources(channelId),
    queryFn: async () => (await sourcesOf(channelId)).list(channelId),
    networkMode: 'always',
    staleTime: 0,
  })

type Sources = { sources: Source[]; isLoading: boolean; error: AppError | undefined }

/** The sources of a channel or of a draft, oldest first, with how far each is read. */
export function useSources(channelId: string): Sources {
  const { data = none, isLoading, error } = useQuery(sourcesQuery(channelId))
  return { sources: data, isLoading, error: error ? storageError(error) : undefined }
}

/** The id under which a chat that has not begun keeps its sources, for useSources and addFiles. */
export const sourcesOfDraft = newChatDraftId
