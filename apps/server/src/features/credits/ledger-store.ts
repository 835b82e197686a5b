import { type Nano, noMoney } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { and, asc, eq, getTableColumns, gte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { ledgerAccounts, ledgerBalances, ledgerEntries, ledgerTransactions } from '../../db/schema/credits'

export type Balance = typeof ledgerBalances.$inferSelect
export type TransactionKind = (typeof ledgerTransactions.$inferSelect)['kind']
/** `balance` is the posted balance of a person's account after the entry. */
export type Entry = { accountId: string; amount: Nano; balance?: Nano }

/** The platform's side of each transaction. The ids are the same in every installation. */
export const platformAccounts = {
  revenue: '00000000-0000-7000-8000-000000000001',
  psp_clearing: '00000000-0000-7000-8000-000000000002',
  platform_loss: '00000000-0000-7000-8000-000000000003',
  promo: '00000000-0000-7000-8000-000000000004',
} as const
const platformKinds = [
  'revenue',
  'psp_clearing',
  'platform_loss',
  'promo',
] as const satisfies readonly (keyof typeof platformAccounts)[]

export async function findBalance(db: Db, userId: string): Promise<Balance | undefined> {
  const [row] = await db
    .select(getTableColumns(ledgerBalances))
    .from(ledgerBalances)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerBalances.accountId))
    .where(eq(ledgerAccounts.userId, userId))
  return row
}

/** Locks the balance of the account until the end of the transaction. */
export async function lockBalance(tx: Db, accountId: string): Promise<Balance> {
  const [row] = await tx.select().from(ledgerBalances).where(eq(ledgerBalances.accountId, accountId)).for('update')
  if (!row) throw new Error('an account of the ledger has no balance')
  return row
}

/**
 * The id of a person's account, which is created if there is none. Of two transactions that create it concurrently, the
 * second one waits for the first and finds its account.
 */
export async function ensureAccount(tx: Db, userId: string): Promise<string> {
  await tx.insert(ledgerAccounts).values({ id: uuidv7(), kind: 'user', userId }).onConflictDoNothing()
  const [account] = await tx
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.userId, userId))
  if (!account) throw new Error('the account of the ledger was not created')
  await tx
    .insert(ledgerBalances)
    .values({ accountId: account.id, posted: noMoney, held: noMoney, owed: noMoney })
    .onConflictDoNothing()
  return account.id
}

/**
 * Adds an amount to what is held. One statement, which checks its condition under the lock of the row, so that
 * concurrent holds never spend the same money. False when the spendable amount is too small, the posted balance is
 * below `least`, or the person owes something.
 */
export async function holdAmount(
  tx: Db,
  { accountId, amount, least }: { accountId: string; amount: Nano; least: Nano },
): Promise<boolean> {
  const { posted, held, owed } = ledgerBalances
  const rows = await tx
    .update(ledgerBalances)
    .set({ held: sql`${held} + ${amount}` })
    .where(
      and(
        eq(ledgerBalances.accountId, accountId),
        gte(sql`${posted} - ${held}`, amount),
        gte(posted, least),
        eq(owed, noMoney),
      ),
    )
    .returning({ accountId: ledgerBalances.accountId })
  return rows.length > 0
}

/** Adds these amounts, which may be negative, to a balance. The table's checks refuse an invalid result. */
export async function changeBalance(tx: Db, { accountId, posted, held, owed }: Balance): Promise<Balance> {
  const [row] = await tx
    .update(ledgerBalances)
    .set({
      posted: sql`${ledgerBalances.posted} + ${posted}`,
      held: sql`${ledgerBalances.held} + ${held}`,
      owed: sql`${ledgerBalances.owed} + ${owed}`,
    })
    .where(eq(ledgerBalances.accountId, accountId))
    .returning()
  if (!row) throw new Error('an account of the ledger has no balance')
  return row
}

type NewTransaction = { idem: string; kind: TransactionKind; holdId?: string; at: Date }

/**
 * Returns the id of a new transaction, or undefined if its idempotency key has one. A concurrent call with the same key
 * waits until the first one has committed.
 */
export async function insertTransaction(
  tx: Db,
  { idem, kind, holdId, at }: NewTransaction,
): Promise<string | undefined> {
  const [row] = await tx
    .insert(ledgerTransactions)
    .values({ id: uuidv7(), idem, kind, holdId: holdId ?? null, at })
    .onConflictDoNothing()
    .returning({ id: ledgerTransactions.id })
  return row?.id
}

/** Inserts the entries of a transaction; entries of zero are left out. */
export async function insertEntries(tx: Db, transactionId: string, entries: readonly Entry[]): Promise<void> {
  const inserted = entries.filter(({ amount }) => amount !== noMoney)
  const accounts = platformKinds.flatMap((kind) => {
    const id = platformAccounts[kind]
    return inserted.some(({ accountId }) => accountId === id) ? [{ id, kind, userId: null }] : []
  })
  // The first transaction of a platform account creates it.
  if (accounts.length > 0) await tx.insert(ledgerAccounts).values(accounts).onConflictDoNothing()
  await tx.insert(ledgerEntries).values(
    inserted.map(({ accountId, amount, balance }) => ({
      transactionId,
      accountId,
      amount,
      balance: balance ?? null,
    })),
  )
}

/** Whether a transaction of the person has an idempotency key with this prefix. */
export async function hasTransaction(
  db: Db,
  { userId, idemPrefix }: { userId: string; idemPrefix: string },
): Promise<boolean> {
  const rows = await db
    .select({ id: ledgerTransactions.id })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(and(eq(ledgerAccounts.userId, userId), sql`starts_with(${ledgerTransactions.idem}, ${idemPrefix})`))
    .limit(1)
  return rows.length > 0
}

/** The transaction of an idempotency key and its entries, oldest first. */
export async function findTransaction(
  db: Db,
  idem: string,
): Promise<{ id: string; kind: TransactionKind; entries: (Entry & { isPerson: boolean })[] } | undefined> {
  const rows = await db
    .select({
      id: ledgerTransactions.id,
      kind: ledgerTransactions.kind,
      accountId: ledgerEntries.accountId,
      amount: ledgerEntries.amount,
      account: ledgerAccounts.kind,
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(eq(ledgerTransactions.idem, idem))
    .orderBy(asc(ledgerEntries.id))
  const [first] = rows
  return (
    first && {
      id: first.id,
      kind: first.kind,
      entries: rows.map(({ accountId, amount, account }) => ({ accountId, amount, isPerson: account === 'user' })),
    }
  )
}
