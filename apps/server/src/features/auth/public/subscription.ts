import type { SubscriptionPeriod } from '@parley/contract/credits'
import type { Db } from '../../../db/client'
import { findSubscription } from '../account-store'

/** A legacy subscription, sold before there were credits, that has not ended yet. */
export async function runningSubscription(db: Db, userId: string, now: Date): Promise<SubscriptionPeriod | undefined> {
  const row = await findSubscription(db, userId, now)
  return (
    row && {
      current_period_start: row.currentPeriodStart.toISOString(),
      current_period_end: row.currentPeriodEnd.toISOString(),
      product_name: row.productName,
    }
  )
}
