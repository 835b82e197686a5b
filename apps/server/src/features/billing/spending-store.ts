import { type Nano, storedNano } from '@parley/contract/money'
import { and, count, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { ledgerAccounts, ledgerEntries, ledgerHolds, ledgerTransactions } from '../../db/ledger-schema'

/** What the answers of a model cost in a quarter of an hour, which begins `at`. */
export type QuarterSpending = { at: Date; model: string; amount: Nano; answers: number }

/**
 * What a person's answers cost since then, oldest first. By quarters of an hour: every time zone is apart from UTC by some of them, so that none lies on
 * two days, wherever the person is. The database's own names of time zones are not relied on: they differ from the browsers' by what is installed.
 */
export async function sumSettled(db: Db, userId: string, since: Date): Promise<QuarterSpending[]> {
  const quarter = sql<string>`extract(epoch from date_bin('15 minutes', ${ledgerTransactions.at}, timestamptz 'epoch'))::bigint`
  const rows = await db
    .select({ quarter, model: ledgerHolds.model, amount: sql<string>`(-sum(${ledgerEntries.amount}))::text`, answers: count() })
    .from(ledgerEntries)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .innerJoin(ledgerHolds, eq(ledgerHolds.id, ledgerTransactions.holdId))
    .where(and(eq(ledgerAccounts.userId, userId), eq(ledgerTransactions.kind, 'settle'), gte(ledgerTransactions.at, since)))
    .groupBy(quarter, ledgerHolds.model)
    .orderBy(quarter, ledgerHolds.model)
  return rows.map(({ quarter, model, amount, answers }) => ({ at: new Date(Number(quarter) * 1000), model, amount: storedNano(amount), answers }))
}
