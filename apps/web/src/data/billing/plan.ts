import { isSubscriptionActive, type SubscriptionPeriod } from '@parley/contract/billing'
import type { Nano } from '@parley/contract/money'
import { isWeb3 } from '@parley/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useUser } from '../session/stored-session'
import { creditsKey, useCredits } from './credits'
import { subscriptionKey, useSubscription } from './subscription'

/** How whoever is here pays for answers. */
export type Plan =
  | { kind: 'signed-out' }
  /** Wallets have no subscription; theirs is made up, and ends in a year. */
  | { kind: 'web3'; until: Date }
  | { kind: 'subscriber'; period: SubscriptionPeriod }
  /** Undefined while the amount, or whether it counts, is not known. */
  | { kind: 'credits'; amount: Nano | undefined }

export function usePlan(): Plan {
  const user = useUser()
  const { data: amount } = useCredits()
  const { data: period, isError } = useSubscription()
  const until = useMemo(() => yearAfter(new Date()), [])
  const now = useTimeUntil(period?.current_period_end)
  useNoQueries(user !== undefined && isWeb3(user))

  if (!user) return { kind: 'signed-out' }
  if (isWeb3(user)) return { kind: 'web3', until }
  if (period && isSubscriptionActive(period, now)) return { kind: 'subscriber', period }
  // The profile tells of a subscription as well, but not of its whole period: enough to keep the credits from counting.
  const { subscription } = user.app_metadata
  const isUnknown = subscription !== undefined && period === undefined && (!isError || isSubscriptionActive(subscription, now))
  return { kind: 'credits', amount: isUnknown ? undefined : amount }
}

/** Of somebody who pays nothing. */
export function yearAfter(from: Date): Date {
  const until = new Date(from)
  until.setFullYear(until.getFullYear() + 1)
  return until
}

/** Neither is asked for any more: also not what somebody else was waiting for. */
function useNoQueries(isWallet: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isWallet) return
    for (const queryKey of [creditsKey, subscriptionKey]) void client.cancelQueries({ queryKey })
  }, [client, isWallet])
}

/** Browsers take no longer timer. */
const longestTimerMs = 2 ** 31 - 1

/** The time, which comes anew when `end` (ISO 8601) is reached. */
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
