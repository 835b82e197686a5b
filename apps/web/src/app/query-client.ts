import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { QueryClient } from '@tanstack/react-query'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: webLimits.queries.staleMs,
        gcTime: webLimits.queries.cacheMs,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < webLimits.queries.retries && !isFinal(error),
      },
      mutations: {
        retry: (failures, error) => failures < webLimits.queries.mutationRetries && isPassing(error),
        retryDelay: webLimits.queries.mutationRetryMs,
        // Much of it happens on this device; and a person who is offline is told so, instead of kept waiting.
        networkMode: 'always',
      },
    },
  })
}

/** Asking again finds nothing else: it does not exist, or this device refuses or has no room. */
const isFinal = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 404 || /^(?:storage|vault)\./.test(error.code))

/**
 * The same may go well a moment later: the network or the server was away. What is refused for what it is would be
 * again.
 */
const isPassing = (error: unknown): boolean =>
  error instanceof AppError && !isFinal(error) && (error.code === 'network' || error.status >= 500)
