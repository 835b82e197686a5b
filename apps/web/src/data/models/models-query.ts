import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { type Model, modelRoutes } from '@parley/contract/models'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { isWithoutNetwork } from '../../lib/without-network'
import { api } from '../api/api'
import { readModelsCache, writeModelsCache } from './models-cache'

/** The server has no list yet, because its gateway has not answered. */
class NoModelsError extends Error {}

/** This device had no network, also where it has one again when the error is read. */
class WithoutNetworkError extends AppError {
  constructor(cause: unknown) {
    super('network', { cause })
  }
}

const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }): Promise<Model[]> => {
    const { data } = await api(modelRoutes.list, { signal }).catch((error: unknown) => {
      throw isWithoutNetwork(error) ? new WithoutNetworkError(error) : error
    })
    // An empty list must not replace a cached one.
    if (data.length === 0) throw new NoModelsError('the list of models is empty')
    writeModelsCache(data)
    return data
  },
  initialData: () => readModelsCache()?.models,
  initialDataUpdatedAt: () => readModelsCache()?.timestamp,
  gcTime: Number.POSITIVE_INFINITY,
  retry: (failures, error) =>
    failures < webLimits.models.retries &&
    error instanceof AppError &&
    error.code === 'network' &&
    !(error instanceof WithoutNetworkError),
})

/** Why there is no list. */
export type ModelsProblem = 'empty' | 'unauthenticated' | 'failed'

export type Models = {
  /** Undefined while it is loading, and after a failure. */
  models: readonly Model[] | undefined
  problem: ModelsProblem | undefined
  /** When the failure happened, in milliseconds since 1970; 0 while there is only no network. */
  problemAt: number
  /** Fetched since the component was mounted, not from the cache. */
  isFresh: boolean
  isLoading: boolean
  refetch: () => void
}

type Options = {
  isEnabled: boolean
  maxAgeMs: number
  /** Fetches again on mount after a failed attempt. */
  retryOnMount?: boolean
}

/**
 * The models of this server. A cached list of the last day is shown at once; `maxAgeMs`: an older one is refreshed in
 * the background. A failure, or no network, counts only without a list.
 */
export function useModels({ isEnabled, maxAgeMs, retryOnMount = true }: Options): Models {
  const {
    data,
    error,
    errorUpdatedAt,
    isFetchedAfterMount,
    isSuccess,
    isFetching,
    refetch: ask,
  } = useQuery({ ...modelsQuery, enabled: isEnabled, staleTime: maxAgeMs, retryOnMount })
  const refetch = useCallback(() => void ask(), [ask])
  return {
    models: data,
    problem: data || !error ? undefined : problemOf(error),
    problemAt: error instanceof WithoutNetworkError ? 0 : errorUpdatedAt,
    isFresh: isSuccess && isFetchedAfterMount,
    isLoading: isFetching,
    refetch,
  }
}

function problemOf(error: Error): ModelsProblem {
  if (error instanceof NoModelsError) return 'empty'
  return error instanceof AppError && error.status === 401 ? 'unauthenticated' : 'failed'
}
