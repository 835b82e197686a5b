import { billingRoutes } from '@parley/contract/billing'
import { limits } from '@parley/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'
import { creditsKey, isCharged } from './credits'

/** What the answers of the last days cost whoever is signed in, by the days of this browser's time zone. It is asked for again with the credits. */
export function useSpending() {
  const user = useUser()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return useQuery({
    queryKey: [...creditsKey, 'spending', user?.id, timeZone] as const,
    queryFn: ({ signal }) => api(billingRoutes.spending, { query: { days: limits.credits.spendingDays, timeZone }, signal }),
    enabled: isCharged(user),
    staleTime: 0,
  })
}
