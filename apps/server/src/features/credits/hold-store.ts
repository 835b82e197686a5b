import { serverLimits } from '@parley/contract/limits/server'
import { type Nano, noMoney, storedNano } from '@parley/contract/money'
import { and, asc, eq, getTableColumns, lt, not, notExists, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { generations } from '../../db/schema/chat'
import { ledgerAccounts, ledgerHolds } from '../../db/schema/credits'

export type Hold = typeof ledgerHolds.$inferSelect
/** A person, and the message whose answer they pay for. */
export type MessageKey = { userId: string; messageId: string }

/** False when this message has a hold already. */
export async function insertHold(tx: Db, hold: typeof ledgerHolds.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(ledgerHolds).values(hold).onConflictDoNothing().returning({ id: ledgerHolds.id })
  return rows.length > 0
}

export async function findHold(db: Db, key: MessageKey): Promise<Hold | undefined> {
  const [row] = await holdsOf(db, key)
  return row
}

/** Locks the hold until the end of the transaction, so that nobody else ends it. */
export async function lockHold(tx: Db, key: MessageKey): Promise<Hold | undefined> {
  const [row] = await holdsOf(tx, key).for('update', { of: ledgerHolds })
  return row
}

/** As `lockHold`, for any person: the account may be deleted. */
export async function lockHoldById(tx: Db, id: string): Promise<Hold | undefined> {
  const [row] = await tx.select().from(ledgerHolds).where(eq(ledgerHolds.id, id)).for('update')
  return row
}

const holdsOf = (db: Db, { userId, messageId }: MessageKey) =>
  db
    .select(getTableColumns(ledgerHolds))
    .from(ledgerHolds)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerHolds.accountId))
    .where(and(eq(ledgerAccounts.userId, userId), eq(ledgerHolds.messageId, messageId)))

type AccruedCost = MessageKey & {
  accruedCost: Nano
  besideCost: Nano
  inputTokens?: number
  outputTokens?: number
  generationRef?: string | undefined
}

/**
 * Extends the open holds of these messages, and stores the cost that each answer has accrued. Returns the messages
 * whose holds are open. An accrued cost never decreases, in whatever order the updates arrive. One statement for all
 * holds of a node, because each heartbeat runs it.
 */
export async function extendHolds(db: Db, costs: readonly AccruedCost[], expiresAt: Date): Promise<Set<string>> {
  const rows = costs.map(({ accruedCost, besideCost, ...row }) => ({
    ...row,
    accruedCost: String(accruedCost),
    besideCost: String(besideCost),
  }))
  const { rows: open } = await db.execute<{ message_id: string }>(sql`
    update ledger_holds hold
    set expires_at = ${expiresAt.toISOString()}::timestamptz, produced = greatest(hold.produced, cost."accruedCost"),
      beside = greatest(hold.beside, cost."besideCost"),
      input_tokens = coalesce(cost."inputTokens", hold.input_tokens), output_tokens = coalesce(cost."outputTokens", hold.output_tokens),
      generation_ref = coalesce(cost."generationRef", hold.generation_ref)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as cost("userId" uuid, "messageId" uuid, "accruedCost" bigint, "besideCost" bigint, "inputTokens" int, "outputTokens" int, "generationRef" text)
      join ledger_accounts account on account.user_id = cost."userId"
    where hold.account_id = account.id and hold.message_id = cost."messageId" and hold.state = 'held'
    returning hold.message_id`)
  return new Set(open.map(({ message_id }) => message_id))
}

type HoldEnd = Pick<Hold, 'id' | 'accountId'> & {
  charged: Nano
  inputTokens?: number
  outputTokens?: number
  endedAt: Date
}

export async function endHold(tx: Db, { id, accountId, charged, ...end }: HoldEnd): Promise<void> {
  await tx
    .update(ledgerHolds)
    .set({ state: charged === noMoney ? 'released' : 'settled', charged, ...end })
    .where(and(eq(ledgerHolds.id, id), eq(ledgerHolds.accountId, accountId), eq(ledgerHolds.state, 'held')))
}

/** The gateway will still be asked for the cost of the answer. */
const awaitsCost = sql`(${ledgerHolds.generationRef} is not null and ${ledgerHolds.costTries} < ${serverLimits.credits.askCostTries}::int)`

/**
 * Locks the open hold that expired first, unless another node is ending it. The person does not matter: the account may
 * be deleted. A hold is no orphan while its answer is running: the database may have been away during its heartbeats,
 * and if its node has died, the reaper ends answer and hold together.
 */
export async function lockOrphanedHold(tx: Db, now: Date): Promise<Hold | undefined> {
  const runningAnswer = tx
    .select({ messageId: generations.messageId })
    .from(generations)
    .where(and(eq(generations.messageId, ledgerHolds.messageId), eq(generations.status, 'running')))
  const [row] = await tx
    .select()
    .from(ledgerHolds)
    .where(
      and(eq(ledgerHolds.state, 'held'), lt(ledgerHolds.expiresAt, now), not(awaitsCost), notExists(runningAnswer)),
    )
    .orderBy(asc(ledgerHolds.expiresAt))
    .limit(1)
    .for('update', { skipLocked: true })
  return row
}

/** The hold of an ended answer whose cost the gateway has not reported yet. */
export type UnreportedCost = Pick<
  Hold,
  'id' | 'messageId' | 'accruedCost' | 'besideCost' | 'inputTokens' | 'outputTokens'
> & {
  generationRef: string
  /** Null once the person's account is deleted. */
  userId: string | null
  isLastTry: boolean
}

/**
 * Claims the next hold for which the gateway is to be asked for the cost, unless another node is claiming it. The claim
 * lasts until the next try is due, with exponential back-off (four times the last pause): when a node dies, the others
 * go on with its holds.
 */
export async function claimUnreportedCost(db: Db, now: Date): Promise<UnreportedCost | undefined> {
  const { askCostMs, askCostTries } = serverLimits.credits
  const { rows } = await db.execute<{
    id: string
    message_id: string
    produced: string
    beside: string
    input_tokens: number | null
    output_tokens: number | null
    generation_ref: string
    user_id: string | null
    cost_tries: number
  }>(sql`
    update ledger_holds hold
    set cost_tries = cost_tries + 1, expires_at = ${now.toISOString()}::timestamptz + make_interval(secs => ${askCostMs / 1000}::float * power(4, cost_tries + 1))
    from ledger_accounts account
    where account.id = hold.account_id and hold.id = (
      select id from ledger_holds due
      where state = 'held' and generation_ref is not null and cost_tries < ${askCostTries}::int and expires_at < ${now.toISOString()}::timestamptz
        and not exists (select from generations where message_id = due.message_id and status = 'running')
      order by expires_at limit 1 for update skip locked)
    returning hold.id, hold.message_id, hold.produced::text, hold.beside::text, hold.input_tokens, hold.output_tokens, hold.generation_ref, hold.cost_tries, account.user_id`)
  const [row] = rows
  return (
    row && {
      id: row.id,
      messageId: row.message_id,
      userId: row.user_id,
      generationRef: row.generation_ref,
      accruedCost: storedNano(row.produced),
      besideCost: storedNano(row.beside),
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      isLastTry: row.cost_tries >= askCostTries,
    }
  )
}
