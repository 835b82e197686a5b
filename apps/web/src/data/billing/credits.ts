import { billingRoutes } from '@parley/contract/billing'
import { AppError } from '@parley/contract/errors'
import { type Nano, negated, parseDollars } from '@parley/contract/money'
import { isWeb3, type User } from '@parley/contract/users'
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startChat } from '../chat/chat-engine'
import { onNotice } from '../chat/chat-notices'
import { api } from '../http/api'
import { storedSession, useUser } from '../session/stored-session'
import { clientsInUse, useClientInUse } from './clients-in-use'

/** What all of these queries begin with; each person has one. */
export const creditsKey = ['credits'] as const

const creditsOf = (user: User | undefined) =>
  queryOptions({
    queryKey: [...creditsKey, user?.id] as const,
    queryFn: async ({ signal }): Promise<Nano> => exactAmount((await api(billingRoutes.credit, { signal })).amount),
    enabled: isCharged(user),
    retry: false,
    refetchOnWindowFocus: false,
  })

/** Whether there are credits and subscriptions to ask for: of whoever is signed in, but not with a wallet. */
export const isCharged = (user: User | undefined): user is User => user !== undefined && !isWeb3(user)

/** The credits of whoever is signed in. */
export function useCredits(): UseQueryResult<Nano> {
  useClientInUse()
  return useQuery(creditsOf(useUser()))
}

/** As long as it is used, what the server pushes is put beside what was asked for: also on a page that shows no chat, which has not connected yet. */
export function usePushedCredits(): void {
  const isPushed = isCharged(useUser())
  useEffect(() => {
    if (isPushed) startChat()
  }, [isPushed])
  useEffect(
    () =>
      onNotice((notice) => {
        if (notice.kind === 'credits-updated') noteCredits(notice.amount)
        else if (notice.kind === 'connected') readAgain(notice.isAgain)
        else if (notice.kind === 'taken-up') readAgain(true)
      }),
    [],
  )
}

/** A page asks, and connects, when it is opened: what is younger when it connects for the first time is new enough. */
const newMs = 5_000

/** What the server has told while nothing was connected went by. An amount that could not be asked for stays unknown. */
function readAgain(isAgain: boolean): void {
  const { queryKey } = creditsOf(storedSession()?.user)
  for (const client of clientsInUse()) {
    const { data, dataUpdatedAt = 0 } = client.getQueryState(queryKey) ?? {}
    const isNew = !isAgain && Date.now() - dataUpdatedAt < newMs
    if (data !== undefined && !isNew) void client.invalidateQueries({ queryKey })
  }
}

/** A balance that the server has told by itself, in dollars. */
export function noteCredits(amount: number): void {
  const { queryKey } = creditsOf(storedSession()?.user)
  for (const client of clientsInUse()) {
    // What is on its way may be of before.
    void client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, exactAmount(amount))
  }
}

/** They are asked for again, where they are shown. */
export function refreshCredits(): void {
  for (const client of clientsInUse()) void client.invalidateQueries({ queryKey: creditsKey })
}

/** The one amount that is a number in JSON; its shortest text is exact. */
function exactAmount(amount: number): Nano {
  const size = parseDollars(Math.abs(amount))
  if (size === undefined) throw new AppError('unknown')
  return amount < 0 ? negated(size) : size
}
