import { storedNano } from '@parley/contract/money'
import { count, desc, eq } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { ledgerAccounts, ledgerEntries, ledgerHolds, ledgerTransactions } from '../../db/schema/credits'

/** The entries of a person's account, newest first, and how many there are. */
export async function listMovements(db: Db, userId: string, { page, size }: { page: number; size: number }) {
  const isOwn = eq(ledgerAccounts.userId, userId)
  const rows = await db
    .select({
      id: ledgerEntries.id,
      at: ledgerTransactions.at,
      kind: ledgerTransactions.kind,
      amount: ledgerEntries.amount,
      balance: ledgerEntries.balance,
      messageId: ledgerHolds.messageId,
      model: ledgerHolds.model,
      inputTokens: ledgerHolds.inputTokens,
      outputTokens: ledgerHolds.outputTokens,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .leftJoin(ledgerHolds, eq(ledgerHolds.id, ledgerTransactions.holdId))
    .where(isOwn)
    .orderBy(desc(ledgerEntries.id))
    .limit(size)
    .offset(page * size)
  const [counted] = await db
    .select({ total: count() })
    .from(ledgerEntries)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(isOwn)
  return { rows: rows.map((row) => ({ ...row, balance: row.balance ?? storedNano(0n) })), total: counted?.total ?? 0 }
}
