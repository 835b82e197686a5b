import type { SubscriptionPeriod } from '@parley/contract/billing'
import type { Db } from '../../db/client'
import { findSubscription } from './account-store'

/** What somebody bought before there were credits, while it lasts. */
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
