import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { type Query, QueryClient } from '@tanstack/react-query'
import { isWithoutNetwork } from '../lib/without-network'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: webLimits.queries.staleMs,
        gcTime: webLimits.queries.cacheMs,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < webLimits.queries.retries && !isFinal(error) && !isWithoutNetwork(error),
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

/**
 * What failed without a network is asked for again when it is back, also in a page that was opened without one: the
 * library refetches only where it has seen the network go.
 */
export function refetchWhenOnline(client: QueryClient): void {
  const failed = { type: 'active', predicate: ({ state }: Query) => isOfNetwork(state.error) } as const
  addEventListener('online', () => void client.refetchQueries(failed, { cancelRefetch: false }))
}

const isOfNetwork = (error: unknown): boolean => error instanceof AppError && error.code === 'network'

/** Asking again finds nothing else: it does not exist, or this device refuses or has no room. */
const isFinal = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 404 || /^(?:storage|vault)\./.test(error.code))

/**
 * The same may go well a moment later: the network or the server was away. What is refused for what it is would be
 * again.
 */
const isPassing = (error: unknown): boolean =>
  error instanceof AppError && !isFinal(error) && (error.code === 'network' || error.status >= 500)
