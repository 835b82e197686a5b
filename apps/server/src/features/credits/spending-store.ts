import { type Nano, storedNano } from '@parley/contract/money'
import { and, count, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { ledgerAccounts, ledgerEntries, ledgerHolds, ledgerTransactions } from '../../db/schema/credits'

/** What the answers of a model cost in the quarter of an hour from `at`. */
export type QuarterSpending = { at: Date; model: string; amount: Nano; answers: number }

/**
 * What a person's answers have cost since a time, oldest first, by quarters of an hour: the offset of every time zone
 * is a multiple of that, so no quarter lies on two days. The sums are not by day because the database may know other
 * names of time zones than the browser.
 */
export async function sumSettlements(db: Db, userId: string, since: Date): Promise<QuarterSpending[]> {
  const quarter = sql<string>`extract(epoch from date_bin('15 minutes', ${ledgerTransactions.at}, timestamptz 'epoch'))::bigint`
  const rows = await db
    .select({
      quarter,
      model: ledgerHolds.model,
      amount: sql<string>`(-sum(${ledgerEntries.amount}))::text`,
      answers: count(),
    })
    .from(ledgerEntries)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .innerJoin(ledgerHolds, eq(ledgerHolds.id, ledgerTransactions.holdId))
    .where(
      and(eq(ledgerAccounts.userId, userId), eq(ledgerTransactions.kind, 'settle'), gte(ledgerTransactions.at, since)),
    )
    .groupBy(quarter, ledgerHolds.model)
    .orderBy(quarter, ledgerHolds.model)
  return rows.map(({ quarter, model, amount, answers }) => ({
    at: new Date(Number(quarter) * 1000),
    model,
    amount: storedNano(amount),
    answers,
  }))
}
