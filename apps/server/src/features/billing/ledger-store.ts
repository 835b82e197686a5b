import { limits } from '@parley/contract/limits'
import { type Nano, noMoney, storedNano } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { and, asc, count, desc, eq, getTableColumns, gte, lt, not, notExists, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { ledgerAccounts, ledgerBalances, ledgerEntries, ledgerHolds, ledgerTransactions } from '../../db/ledger-schema'
import { generations } from '../../db/schema'

export type Hold = typeof ledgerHolds.$inferSelect
export type Balance = typeof ledgerBalances.$inferSelect
export type TransactionKind = (typeof ledgerTransactions.$inferSelect)['kind']
/** `balance`: of a person's account, after it. */
export type Entry = { accountId: string; amount: Nano; balance?: Nano }

/** The server's own accounts have the same ids everywhere. */
export const ownAccounts = {
  revenue: '00000000-0000-7000-8000-000000000001',
  psp_clearing: '00000000-0000-7000-8000-000000000002',
  platform_loss: '00000000-0000-7000-8000-000000000003',
  promo: '00000000-0000-7000-8000-000000000004',
} as const
const ownKinds = ['revenue', 'psp_clearing', 'platform_loss', 'promo'] as const satisfies readonly (keyof typeof ownAccounts)[]

export async function findBalance(db: Db, userId: string): Promise<Balance | undefined> {
  const [row] = await db
    .select(getTableColumns(ledgerBalances))
    .from(ledgerBalances)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerBalances.accountId))
    .where(eq(ledgerAccounts.userId, userId))
  return row
}

/** The row of the account, which is nobody else's until the end of the transaction. */
export async function lockBalance(tx: Db, accountId: string): Promise<Balance> {
  const [row] = await tx.select().from(ledgerBalances).where(eq(ledgerBalances.accountId, accountId)).for('update')
  if (!row) throw new Error('an account of the ledger has no balance')
  return row
}

/** The account of a person, made when there is none. Of two that make it at once the second waits and finds the first's. */
export async function ensureAccount(tx: Db, userId: string): Promise<string> {
  await tx.insert(ledgerAccounts).values({ id: uuidv7(), kind: 'user', userId }).onConflictDoNothing()
  const [account] = await tx.select({ id: ledgerAccounts.id }).from(ledgerAccounts).where(eq(ledgerAccounts.userId, userId))
  if (!account) throw new Error('the account of the ledger was not made')
  await tx.insert(ledgerBalances).values({ accountId: account.id, posted: noMoney, held: noMoney, owed: noMoney }).onConflictDoNothing()
  return account.id
}

/** False when this message has one already. */
export async function insertHold(tx: Db, hold: typeof ledgerHolds.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(ledgerHolds).values(hold).onConflictDoNothing().returning({ id: ledgerHolds.id })
  return rows.length > 0
}

/**
 * Keeps an amount aside: one statement, whose condition is looked at under the row's lock, so that of many at once no two count on the same money.
 * False when it is not there, `least` is not there, or something is owed.
 */
export async function setAside(tx: Db, { accountId, amount, least }: { accountId: string; amount: Nano; least: Nano }): Promise<boolean> {
  const { posted, held, owed } = ledgerBalances
  const rows = await tx
    .update(ledgerBalances)
    .set({ held: sql`${held} + ${amount}` })
    .where(and(eq(ledgerBalances.accountId, accountId), gte(sql`${posted} - ${held}`, amount), gte(posted, least), eq(owed, noMoney)))
    .returning({ accountId: ledgerBalances.accountId })
  return rows.length > 0
}

/** Changes what an account has and what of it is kept aside; both may go down. The checks of the table refuse what must not be. */
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

type Whose = { userId: string; messageId: string }

export async function findHold(db: Db, { userId, messageId }: Whose): Promise<Hold | undefined> {
  const [row] = await holdOf(db, { userId, messageId })
  return row
}

/** The hold, which nobody else ends until the end of the transaction. */
export async function lockHold(tx: Db, { userId, messageId }: Whose): Promise<Hold | undefined> {
  const [row] = await holdOf(tx, { userId, messageId }).for('update', { of: ledgerHolds })
  return row
}

const holdOf = (db: Db, { userId, messageId }: Whose) =>
  db
    .select(getTableColumns(ledgerHolds))
    .from(ledgerHolds)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerHolds.accountId))
    .where(and(eq(ledgerAccounts.userId, userId), eq(ledgerHolds.messageId, messageId)))

/** Its cost is still asked for. */
const isToAsk = sql`(${ledgerHolds.generationRef} is not null and ${ledgerHolds.costTries} < ${limits.credits.askCostTries}::int)`

export type Untold = Pick<Hold, 'id' | 'messageId' | 'produced' | 'inputTokens' | 'outputTokens'> & {
  generationRef: string
  /** Null once the person's account is gone. */
  userId: string | null
  isLastTry: boolean
}

/**
 * The open hold of an ended answer whose cost is to be asked for now, unless another node is just taking it. It is this node's until its next try is due,
 * four times as long after this one as this one was after the one before it: a node that dies meanwhile leaves it to the others.
 */
export async function takeUntold(db: Db, now: Date): Promise<Untold | undefined> {
  const { askCostMs, askCostTries } = limits.credits
  const { rows } = await db.execute<
    { id: string; message_id: string; produced: string; input_tokens: number | null; output_tokens: number | null } & {
      generation_ref: string
      user_id: string | null
      cost_tries: number
    }
  >(sql`
    update ledger_holds hold
    set cost_tries = cost_tries + 1, expires_at = ${now.toISOString()}::timestamptz + make_interval(secs => ${askCostMs / 1000}::float * power(4, cost_tries + 1))
    from ledger_accounts account
    where account.id = hold.account_id and hold.id = (
      select id from ledger_holds due
      where state = 'held' and generation_ref is not null and cost_tries < ${askCostTries}::int and expires_at < ${now.toISOString()}::timestamptz
        and not exists (select from generations where message_id = due.message_id and status = 'running')
      order by expires_at limit 1 for update skip locked)
    returning hold.id, hold.message_id, hold.produced::text, hold.input_tokens, hold.output_tokens, hold.generation_ref, hold.cost_tries, account.user_id`)
  const [row] = rows
  return (
    row && {
      ...{ id: row.id, messageId: row.message_id, userId: row.user_id, generationRef: row.generation_ref, produced: storedNano(row.produced) },
      ...{ inputTokens: row.input_tokens, outputTokens: row.output_tokens, isLastTry: row.cost_tries >= askCostTries },
    }
  )
}

/** As `lockHold`, of whoever it is. */
export async function lockHoldById(tx: Db, id: string): Promise<Hold | undefined> {
  const [row] = await tx.select().from(ledgerHolds).where(eq(ledgerHolds.id, id)).for('update')
  return row
}

/**
 * The open hold that ran out longest ago, unless another node is just ending it. Whose it is does not matter: their account may be gone. Not that of an answer
 * that is under way: it may live although nobody could note it for a while, and when its writer is gone, the reaper ends both.
 */
export async function lockOrphan(tx: Db, now: Date): Promise<Hold | undefined> {
  const itsAnswer = tx
    .select({ messageId: generations.messageId })
    .from(generations)
    .where(and(eq(generations.messageId, ledgerHolds.messageId), eq(generations.status, 'running')))
  const [row] = await tx
    .select()
    .from(ledgerHolds)
    .where(and(eq(ledgerHolds.state, 'held'), lt(ledgerHolds.expiresAt, now), not(isToAsk), notExists(itsAnswer)))
    .orderBy(asc(ledgerHolds.expiresAt))
    .limit(1)
    .for('update', { skipLocked: true })
  return row
}

type Progress = Whose & { produced: Nano; inputTokens?: number; outputTokens?: number; generationRef?: string | undefined }

/** Answers the messages whose holds are open. What was produced never becomes less, whatever order the notes arrive in. One statement for all: each heartbeat of a node makes it. */
export async function extendHolds(db: Db, notes: readonly Progress[], expiresAt: Date): Promise<Set<string>> {
  const rows = notes.map(({ produced, ...note }) => ({ ...note, produced: String(produced) }))
  const { rows: open } = await db.execute<{ message_id: string }>(sql`
    update ledger_holds hold
    set expires_at = ${expiresAt.toISOString()}::timestamptz, produced = greatest(hold.produced, note.produced),
      input_tokens = coalesce(note."inputTokens", hold.input_tokens), output_tokens = coalesce(note."outputTokens", hold.output_tokens),
      generation_ref = coalesce(note."generationRef", hold.generation_ref)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as note("userId" uuid, "messageId" uuid, produced bigint, "inputTokens" int, "outputTokens" int, "generationRef" text)
      join ledger_accounts account on account.user_id = note."userId"
    where hold.account_id = account.id and hold.message_id = note."messageId" and hold.state = 'held'
    returning hold.message_id`)
  return new Set(open.map(({ message_id }) => message_id))
}

type HoldEnd = Pick<Hold, 'id' | 'accountId'> & { charged: Nano; inputTokens?: number; outputTokens?: number; endedAt: Date }

export async function endHold(tx: Db, { id, accountId, charged, ...end }: HoldEnd): Promise<void> {
  await tx
    .update(ledgerHolds)
    .set({ state: charged === noMoney ? 'released' : 'settled', charged, ...end })
    .where(and(eq(ledgerHolds.id, id), eq(ledgerHolds.accountId, accountId), eq(ledgerHolds.state, 'held')))
}

type NewTransaction = { idem: string; kind: TransactionKind; holdId?: string; at: Date }

/** The id of a new transaction; undefined when the key has one. Whoever comes with the same key at the same moment waits for the first to commit. */
export async function beginTransaction(tx: Db, { idem, kind, holdId, at }: NewTransaction): Promise<string | undefined> {
  const [row] = await tx
    .insert(ledgerTransactions)
    .values({ id: uuidv7(), idem, kind, holdId: holdId ?? null, at })
    .onConflictDoNothing()
    .returning({ id: ledgerTransactions.id })
  return row?.id
}

/** Entries of nothing are left out. */
export async function addEntries(tx: Db, transactionId: string, entries: readonly Entry[]): Promise<void> {
  const moved = entries.filter(({ amount }) => amount !== noMoney)
  const touched = ownKinds.flatMap((kind) => {
    const id = ownAccounts[kind]
    return moved.some(({ accountId }) => accountId === id) ? [{ id, kind, userId: null }] : []
  })
  // Made by whoever needs them first.
  if (touched.length > 0) await tx.insert(ledgerAccounts).values(touched).onConflictDoNothing()
  await tx.insert(ledgerEntries).values(moved.map(({ accountId, amount, balance }) => ({ transactionId, accountId, amount, balance: balance ?? null })))
}

/** Whether one of the person's transactions has a key that begins so. */
export async function hasTransaction(db: Db, { userId, idemPrefix }: { userId: string; idemPrefix: string }): Promise<boolean> {
  const rows = await db
    .select({ id: ledgerTransactions.id })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(and(eq(ledgerAccounts.userId, userId), sql`starts_with(${ledgerTransactions.idem}, ${idemPrefix})`))
    .limit(1)
  return rows.length > 0
}

/** What a transaction moved, oldest entry first; undefined when the key has none. */
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
    first && { id: first.id, kind: first.kind, entries: rows.map(({ accountId, amount, account }) => ({ accountId, amount, isPerson: account === 'user' })) }
  )
}

/** What moved a person's credits, newest first, and how many such movements there are. */
export async function listMovements(db: Db, userId: string, { page, size }: { page: number; size: number }) {
  const isMine = eq(ledgerAccounts.userId, userId)
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
    .where(isMine)
    .orderBy(desc(ledgerEntries.id))
    .limit(size)
    .offset(page * size)
  const [counted] = await db
    .select({ total: count() })
    .from(ledgerEntries)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(isMine)
  return { rows: rows.map((row) => ({ ...row, balance: row.balance ?? storedNano(0n) })), total: counted?.total ?? 0 }
}
