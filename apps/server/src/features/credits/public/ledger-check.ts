import { serverLimits } from '@parley/contract/limits/server'
import type { Db } from '../../../db/client'
import { checkLedgerSince, type LedgerMark } from '../ledger-check-store'

export type { LedgerMark } from '../ledger-check-store'

/**
 * Checks what changed in the ledger since a mark, or all of it without one. Returns the findings, and the mark to check
 * from next time if there are none.
 */
export function checkLedgerChanges(db: Db, { since, at }: { since: LedgerMark | undefined; at: Date }) {
  const { oldestHoldMs, checkAgainMs } = serverLimits.credits
  return checkLedgerSince(db, {
    since,
    openBefore: new Date(at.getTime() - oldestHoldMs),
    settledBefore: new Date(at.getTime() - checkAgainMs),
  })
}
