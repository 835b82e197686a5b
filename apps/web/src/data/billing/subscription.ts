import { billingRoutes, type SubscriptionPeriod } from '@parley/contract/billing'
import { AppError } from '@parley/contract/errors'
import type { User } from '@parley/contract/users'
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'
import { isCharged } from './credits'

export const subscriptionKey = ['subscription'] as const

const subscriptionOf = (user: User | undefined) =>
  queryOptions({
    queryKey: [...subscriptionKey, user?.id] as const,
    queryFn: ({ signal }): Promise<SubscriptionPeriod | null> => orNull(api(billingRoutes.subscription, { signal })),
    // The profile tells who has one: browsers complain of each answer that there is none.
    enabled: isCharged(user) && user.app_metadata.subscription !== undefined,
    // Nobody subscribes any more: what was bought once stays as it is.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  })

/** The running subscription of whoever is signed in; null when it is over, and not asked for where the profile tells of none. */
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
