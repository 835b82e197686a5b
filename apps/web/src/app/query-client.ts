import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  onlineManager,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { isWithoutNetwork } from '../lib/without-network'

/**
 * Its invalidation counts also for what is being fetched for the first time, which may have been read before the
 * change: that is fetched once more. The library fetches again only what was there before.
 */
class ParleyQueryClient extends QueryClient {
  private readonly outdated = new WeakSet<Query>()

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const again =
      options?.cancelRefetch === false
        ? []
        : this.getQueryCache()
            .findAll({ ...filters, fetchStatus: 'fetching' })
            .filter((query) => query.state.data === undefined && !this.outdated.has(query))
            .map((query) => this.invalidateWhenFetched(query))
    await Promise.all([super.invalidateQueries(filters, options), ...again])
  }

  private async invalidateWhenFetched(query: Query): Promise<void> {
    this.outdated.add(query)
    const isFetched = await query.promise?.then(
      () => true,
      () => false,
    )
    this.outdated.delete(query)
    if (isFetched) await super.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
}

export function createQueryClient(): QueryClient {
  return new ParleyQueryClient({
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
 * When the network is back, what has grown old is asked for again, and what failed without one, also in a page that was
 * opened without one. Instead of the library's own watch, which lets whatever begins without a network wait for it
 * without a word.
 */
export function refetchWhenOnline(client: QueryClient): void {
  onlineManager.setEventListener(() => undefined)
  const predicate = (query: Query): boolean =>
    query.state.error ? isOfNetwork(query.state.error) : !isOfDevice(query) && query.isStale()
  addEventListener('online', () => void client.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false }))
}

const isOfDevice = ({ options }: Query): boolean => options.networkMode === 'always'

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
