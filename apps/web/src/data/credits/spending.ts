import { creditRoutes } from '@parley/contract/credits'
import { limits } from '@parley/contract/limits/shared'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/api'
import { useUser } from '../session/stored-session'
import { creditsKey, isCharged } from './balance'

/**
 * The cost of the signed-in person's answers in the last days, by days of the browser's time zone. It is refetched with
 * the credits.
 */
export function useSpending() {
  const user = useUser()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return useQuery({
    queryKey: [...creditsKey, 'spending', user?.id, timeZone] as const,
    queryFn: ({ signal }) =>
      api(creditRoutes.spending, { query: { days: limits.credits.spendingDays, timeZone }, signal }),
    enabled: isCharged(user),
    staleTime: 0,
  })
}
