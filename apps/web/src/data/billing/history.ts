import { billingRoutes, type CreditMovement } from '@parley/contract/billing'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'
import { creditsKey, isCharged } from './credits'

const pageSize = 20

/** How the credits of whoever is signed in came and went, newest first. It is asked for again with the credits. */
export function useHistory() {
  const user = useUser()
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    // Not below the key of the balance: a pushed one ends whatever is asked for there.
    queryKey: [...creditsKey, 'history', user?.id] as const,
    queryFn: ({ pageParam, signal }) => api(billingRoutes.history, { query: { page: pageParam, size: pageSize }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
    enabled: isCharged(user),
    staleTime: 0,
  })
  const movements = useMemo(() => data && withoutRepeats(data.pages.flatMap((page) => page.data)), [data])
  return { movements, error, isFetching, isFetchingMore: isFetchingNextPage, hasMore: hasNextPage, fetchMore: fetchNextPage, refetch }
}

/** What has come in meanwhile moves the others on: some are at the end of one page and at the start of the next. */
function withoutRepeats(movements: readonly CreditMovement[]): CreditMovement[] {
  return [...new Map(movements.map((movement) => [movement.id, movement])).values()]
}
