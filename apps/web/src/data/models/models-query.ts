import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { type Model, modelRoutes } from '@parley/contract/models'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../http/api'
import { readModelsCache, writeModelsCache } from './models-cache'

/** The server has no list: its gateway has not answered it yet. */
class NoModelsError extends Error {}

const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }): Promise<Model[]> => {
    const { data } = await api(modelRoutes.list, { signal })
    // An old list is better than none.
    if (data.length === 0) throw new NoModelsError('the list of models is empty')
    writeModelsCache(data)
    return data
  },
  initialData: () => readModelsCache()?.models,
  initialDataUpdatedAt: () => readModelsCache()?.timestamp,
  gcTime: Number.POSITIVE_INFINITY,
  retry: (failures, error) => failures < limits.models.retries && error instanceof AppError && error.code === 'network',
})

/** Why there is no list. */
export type ModelsProblem = 'empty' | 'unauthenticated' | 'failed'

export type Models = {
  /** Undefined while it is loading, and after a failure. */
  models: readonly Model[] | undefined
  problem: ModelsProblem | undefined
  /** When that failure was found, in milliseconds since 1970; 0 while there is only no network. */
  problemAt: number
  /** Asked for since this was first shown: not what the browser had kept. */
  isFresh: boolean
  isLoading: boolean
  refetch: () => void
}

type Options = { isEnabled: boolean; maxAgeMs: number /** Asks again when the last attempt failed. */; retryOnMount?: boolean }

/**
 * The models of this server. What the browser kept within the last day is there at once; `maxAgeMs`: when it is older, a new one is asked for in the
 * background. A failure, or no network, counts only where no list is at hand.
 */
export function useModels({ isEnabled, maxAgeMs, retryOnMount = true }: Options): Models {
  const {
    data,
    error,
    errorUpdatedAt,
    isFetchedAfterMount,
    isSuccess,
    isFetching,
    isPaused,
    refetch: ask,
  } = useQuery({ ...modelsQuery, enabled: isEnabled, staleTime: maxAgeMs, retryOnMount })
  const refetch = useCallback(() => void ask(), [ask])
  return {
    models: data,
    problem: data ? undefined : error ? problemOf(error) : isPaused ? 'failed' : undefined,
    problemAt: errorUpdatedAt,
    isFresh: isSuccess && isFetchedAfterMount,
    isLoading: isFetching,
    refetch,
  }
}

function problemOf(error: Error): ModelsProblem {
  if (error instanceof NoModelsError) return 'empty'
  return error instanceof AppError && error.status === 401 ? 'unauthenticated' : 'failed'
}
