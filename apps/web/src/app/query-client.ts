import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { QueryClient } from '@tanstack/react-query'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: limits.queries.staleMs,
        gcTime: limits.queries.cacheMs,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < limits.queries.retries && !isFinal(error),
      },
      mutations: { retry: limits.queries.mutationRetries },
    },
  })
}

/** Asking again finds nothing else: it does not exist, or this device refuses or has no room. */
const isFinal = (error: unknown): boolean => error instanceof AppError && (error.status === 404 || /^(?:storage|vault)\./.test(error.code))
