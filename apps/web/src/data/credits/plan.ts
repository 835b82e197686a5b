import { isSubscriptionActive, type SubscriptionPeriod } from '@parley/contract/credits'
import type { Nano } from '@parley/contract/money'
import { isWeb3 } from '@parley/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useUser } from '../session/stored-session'
import { creditsKey, useCredits } from './balance'
import { subscriptionKey, useSubscription } from './subscription'

/** How the person pays for answers. */
export type Plan =
  | { kind: 'signed-out' }
  /** Wallets have no subscription; a virtual one that ends in a year is shown. */
  | { kind: 'web3'; until: Date }
  | { kind: 'subscriber'; period: SubscriptionPeriod }
  /** The amount is undefined while it, or whether it is charged, is unknown. */
  | { kind: 'credits'; amount: Nano | undefined }

export function usePlan(): Plan {
  const user = useUser()
  const { data: amount } = useCredits()
  const { data: period, isError } = useSubscription()
  const until = useMemo(() => yearAfter(new Date()), [])
  const now = useTimeUntil(period?.current_period_end)
  useCancelledQueries(user !== undefined && isWeb3(user))

  if (!user) return { kind: 'signed-out' }
  if (isWeb3(user)) return { kind: 'web3', until }
  if (period && isSubscriptionActive(period, now)) return { kind: 'subscriber', period }
  // The profile names a subscription too, without its whole period: enough to know that credits are not charged.
  const { subscription } = user.app_metadata
  const isUnknown =
    subscription !== undefined && period === undefined && (!isError || isSubscriptionActive(subscription, now))
  return { kind: 'credits', amount: isUnknown ? undefined : amount }
}

/** The end of a wallet's virtual subscription. */
export function yearAfter(from: Date): Date {
  const until = new Date(from)
  until.setFullYear(until.getFullYear() + 1)
  return until
}

/** Cancels these queries for a wallet, also those that the previous person's page still waits for. */
function useCancelledQueries(isWallet: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isWallet) return
    for (const queryKey of [creditsKey, subscriptionKey]) void client.cancelQueries({ queryKey })
  }, [client, isWallet])
}

/** The longest delay that setTimeout supports. */
const longestTimerMs = 2 ** 31 - 1

/** The current time, updated when `end` (ISO 8601) is reached. */
function useTimeUntil(end: string | undefined): number {
  const [now, setNow] = useState(Date.now)
  const at = end === undefined ? 0 : Date.parse(end)
  useEffect(() => {
    if (at <= now) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(Math.max(0, at - Date.now()), longestTimerMs))
    return () => clearTimeout(timer)
  }, [at, now])
  return now
}
