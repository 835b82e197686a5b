import { type CreditMovement, creditRoutes } from '@parley/contract/credits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api/api'
import { useUser } from '../session/stored-session'
import { creditsKey, isCharged } from './balance'

const pageSize = 20

/** The credit movements of the signed-in person, newest first. They are refetched with the credits. */
export function useHistory() {
  const user = useUser()
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    // Not below the balance's key: a pushed balance cancels the queries there.
    queryKey: [...creditsKey, 'history', user?.id] as const,
    queryFn: ({ pageParam, signal }) =>
      api(creditRoutes.history, { query: { page: pageParam, size: pageSize }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
    enabled: isCharged(user),
    staleTime: 0,
  })
  const movements = useMemo(() => data && withoutRepeats(data.pages.flatMap((page) => page.data)), [data])
  return {
    movements,
    error,
    isFetching,
    isFetchingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    fetchMore: fetchNextPage,
    refetch,
  }
}

/** New movements shift the pages: one at the end of a page may be the first of the next. */
function withoutRepeats(movements: readonly CreditMovement[]): CreditMovement[] {
  return [...new Map(movements.map((movement) => [movement.id, movement])).values()]
}
