import { creditRoutes, type SubscriptionPeriod } from '@parley/contract/credits'
import { AppError } from '@parley/contract/errors'
import type { User } from '@parley/contract/users'
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api } from '../api/api'
import { useUser } from '../session/stored-session'
import { isCharged } from './balance'

export const subscriptionKey = ['subscription'] as const

const subscriptionOf = (user: User | undefined) =>
  queryOptions({
    queryKey: [...subscriptionKey, user?.id] as const,
    queryFn: ({ signal }): Promise<SubscriptionPeriod | null> => orNull(api(creditRoutes.subscription, { signal })),
    // The profile says who has one: browsers log each 404 as an error.
    enabled: isCharged(user) && user.app_metadata.subscription !== undefined,
    // Subscriptions are not sold any more: one that was bought does not change.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  })

/**
 * The current subscription of the signed-in person; null when it is over. It is not fetched where the profile names
 * none.
 */
export function useSubscription(): UseQueryResult<SubscriptionPeriod | null> {
  return useQuery(subscriptionOf(useUser()))
}

async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  }
}
