import { creditRoutes } from '@parley/contract/credits'
import { AppError } from '@parley/contract/errors'
import { type Nano, negated, parseDollars } from '@parley/contract/money'
import { isWeb3, type User } from '@parley/contract/users'
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api } from '../api/api'
import { currentScope } from '../scope/scope'
import { storedSession, useUser } from '../session/stored-session'

/** The prefix of all queries of credits; each person has their own. */
export const creditsKey = ['credits'] as const

const creditsOf = (user: User | undefined) =>
  queryOptions({
    queryKey: [...creditsKey, user?.id] as const,
    queryFn: async ({ signal }): Promise<Nano> => exactAmount((await api(creditRoutes.credit, { signal })).amount),
    enabled: isCharged(user),
    retry: false,
    refetchOnWindowFocus: false,
  })

/** Whether this person has credits and subscriptions: anyone signed in without a wallet. */
export const isCharged = (user: User | undefined): user is User => user !== undefined && !isWeb3(user)

/** The balance of the signed-in person. */
export function useCredits(): UseQueryResult<Nano> {
  return useQuery(creditsOf(useUser()))
}

/**
 * A page fetches the balance and connects when it is opened: on the first connection a balance this young is current.
 */
const currentForMs = 5_000

/**
 * After a connection: pushes were missed while there was none, so that the balance is fetched again. One that could not
 * be fetched before stays unknown.
 */
export function refreshStaleBalance({ isReconnected }: { isReconnected: boolean }): void {
  const { queryKey } = creditsOf(storedSession()?.user)
  const { queryClient } = currentScope().environment
  const { data, dataUpdatedAt = 0 } = queryClient?.getQueryState(queryKey) ?? {}
  const isCurrent = !isReconnected && Date.now() - dataUpdatedAt < currentForMs
  if (data !== undefined && !isCurrent) void queryClient?.invalidateQueries({ queryKey })
}

/** Stores a balance that the server pushed, in dollars. */
export function storeBalance(amount: number): void {
  const { queryKey } = creditsOf(storedSession()?.user)
  const { queryClient } = currentScope().environment
  // A fetch in flight may answer with an older balance.
  void queryClient?.cancelQueries({ queryKey })
  queryClient?.setQueryData(queryKey, exactAmount(amount))
}

/** Refetches credits, history and spending where they are shown. */
export function refreshCredits(): void {
  void currentScope().environment.queryClient?.invalidateQueries({ queryKey: creditsKey })
}

/** Parses the one amount that is a JSON number: its shortest decimal text is exact. */
function exactAmount(amount: number): Nano {
  const size = parseDollars(Math.abs(amount))
  if (size === undefined) throw new AppError('unknown')
  return amount < 0 ? negated(size) : size
}
