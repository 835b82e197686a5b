import { type Nano, storedNano } from '@parley/contract/money'
import { type SQL, sql } from 'drizzle-orm'
import { apart } from '../../db/apart'
import type { Db } from '../../db/client'

/** A row that breaks a rule. `id` is that of a transaction, an account, a hold or a payment. */
type Finding = { rule: string; id: string }
export type LedgerReport = {
  /** All rules that were checked. */
  rules: string[]
  findings: Finding[]
  transactions: number
  openHolds: number
  /** The sum of each kind of account; in total they are zero. */
  sums: { kind: string; amount: Nano }[]
}

/** A high-water mark: the entries up to this id, and everything else changed before this time, broke no rule. */
export type LedgerMark = { entry: bigint; at: Date }

const beginning: LedgerMark = { entry: 0n, at: new Date(0) }

/**
 * Each query returns the ids of the rows that break its rule, among those that changed since the mark. Entries and
 * transactions are append-only, so that an account that was correct at the mark is checked from its last entry before
 * it.
 */
function rules(since: LedgerMark | undefined, openBefore: Date): Record<string, SQL> {
  const { entry, at } = since ?? beginning
  const [after, from] = [sql`${entry.toString()}::bigint`, sql`${at.toISOString()}::timestamptz`]
  const added = sql`select * from ledger_entries where id > ${after}`
  const touched = (id: SQL): SQL =>
    since ? sql`${id} in (select account_id from ledger_entries where id > ${after})` : sql`true`
  const holds = since
    ? sql`h.id in (
        select id from ledger_holds where ended_at >= ${from}
        union select hold_id from ledger_transactions where at >= ${from} and hold_id is not null)`
    : sql`true`
  const payments = since
    ? sql`p.id in (
        select id from payments where updated_at >= ${from}
        union select split_part(idem, ':', 2)::uuid from ledger_transactions
          where at >= ${from} and kind in ('purchase', 'refund') and idem ~ '^(purchase|refund):[0-9a-f-]{36}(:|$)')`
    : sql`true`
  const balanceBefore = sql`coalesce((select balance from ledger_entries where account_id = n.account_id and id <= ${after} order by id desc limit 1), 0)`
  return {
    'the entries of a transaction sum to zero': sql`
      select transaction_id as id from ledger_entries where transaction_id in (select transaction_id from (${added}) as n) group by 1 having sum(amount) <> 0`,
    'a transaction has entries': sql`
      select id from ledger_transactions t where at >= ${from} and not exists (select from ledger_entries where transaction_id = t.id)`,
    'every person has a balance, and nobody else': sql`
      select a.id from ledger_accounts a left join ledger_balances b on b.account_id = a.id
      where (a.kind = 'user') <> (b.account_id is not null) and ${touched(sql`a.id`)}`,
    'a balance is the sum of its entries': since
      ? sql`
      select n.account_id as id from (select account_id, sum(amount) as amount from (${added}) as added group by 1) as n
      join ledger_balances b on b.account_id = n.account_id where b.posted <> ${balanceBefore} + n.amount`
      : sql`
      select b.account_id as id from ledger_balances b left join (select account_id, sum(amount) as amount from ledger_entries group by 1) as n using (account_id)
      where b.posted <> coalesce(n.amount, 0)`,
    'what is held is the sum of the open holds': sql`
      select coalesce(b.account_id, h.account_id) as id from (select account_id, held from ledger_balances where held <> 0) as b
      full join (select account_id, sum(amount) as held from ledger_holds where state = 'held' group by 1) as h on h.account_id = b.account_id
      where b.held is distinct from h.held`,
    'nothing is below zero': sql`
      select account_id as id from ledger_balances where (posted < held or held < 0 or owed < 0) and ${touched(sql`account_id`)}`,
    'each entry of a person tells the balance after it': sql`
      select distinct told.account_id as id from (
        select e.account_id, e.balance, n.balance + sum(e.amount) over (partition by e.account_id order by e.id) as so_far
        from (${added}) as e
        join (
          select n.account_id, ${balanceBefore} as balance from (select distinct account_id from (${added}) as added) as n
          join ledger_accounts a on a.id = n.account_id and a.kind = 'user') as n on n.account_id = e.account_id) as told
      where told.balance is distinct from told.so_far`,
    'a hold that was settled was paid, once and with what it says': sql`
      select h.id from ledger_holds h
      where h.state = 'settled' and ${holds} and coalesce((
        select -sum(e.amount) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account_id = h.account_id
        where t.hold_id = h.id and t.kind = 'settle'), 0) <> h.charged`,
    'a hold that was not settled was not paid': sql`
      select h.id from ledger_holds h where h.state <> 'settled' and ${holds} and exists (select from ledger_transactions where hold_id = h.id)`,
    'a payment is credited when it says so, and with its amount': sql`
      select p.id from payments p left join ledger_transactions t on t.idem = 'purchase:' || p.id
      where ${payments} and ((p.credited_at is null) <> (t.id is null) or (t.id is not null and p.amount <> (
        select sum(e.amount) from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'user' where e.transaction_id = t.id)))`,
    'what was given back of a payment was taken back, and no other': sql`
      select p.id from payments p
      where ${payments} and p.returned <> coalesce((
        select sum(e.amount) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
        where t.kind = 'refund' and split_part(t.idem, ':', 2) = p.id::text and a.kind = 'psp_clearing'), 0)`,
    'a payment is given back when all of it was': sql`
      select p.id from payments p where ${payments} and p.credited_at is not null and (p.status = 'refunded') <> (p.returned = p.amount)`,
    'every open hold is alive': sql`
      select id from ledger_holds where state = 'held' and expires_at < ${openBefore.toISOString()}::timestamptz`,
  }
}

/** Checks the whole ledger in one snapshot. */
export function checkLedger(db: Db, openBefore: Date): Promise<LedgerReport> {
  return inSnapshot(db, async (tx) => {
    const result = await findViolations(tx, rules(undefined, openBefore))
    const { rows: sums } = await tx.execute<{ kind: string; amount: string }>(sql`
      select a.kind, sum(e.amount)::text as amount from ledger_entries e join ledger_accounts a on a.id = e.account_id group by 1 order by 1`)
    const { rows: counts } = await tx.execute<{ transactions: number; holds: number }>(sql`
      select (select count(*)::int from ledger_transactions) as transactions, (select count(*)::int from ledger_holds where state = 'held') as holds`)
    return {
      ...result,
      transactions: counts[0]?.transactions ?? 0,
      openHolds: counts[0]?.holds ?? 0,
      sums: sums.map(({ kind, amount }) => ({ kind, amount: storedNano(amount) })),
    }
  })
}

/**
 * Checks what changed since the mark, or everything without one. Returns the mark to check from next time if there are
 * no findings. Changes after `settledBefore` are checked once more: a transaction that is still open can add entries
 * with smaller ids.
 */
export function checkLedgerSince(
  db: Db,
  { since, openBefore, settledBefore }: { since: LedgerMark | undefined; openBefore: Date; settledBefore: Date },
): Promise<{ rules: string[]; findings: Finding[]; next: LedgerMark }> {
  return inSnapshot(db, async (tx) => {
    const result = await findViolations(tx, rules(since, openBefore))
    const from = since ?? beginning
    const { rows } = await tx.execute<{ entry: string | null }>(sql`
      select coalesce(min(e.id) filter (where t.at >= ${settledBefore.toISOString()}::timestamptz) - 1, max(e.id))::text as entry
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id where e.id > ${from.entry.toString()}::bigint`)
    const entry = rows[0]?.entry
    return {
      ...result,
      next: { entry: entry ? BigInt(entry) : from.entry, at: from.at > settledBefore ? from.at : settledBefore },
    }
  })
}

async function findViolations(
  tx: Pick<Db, 'execute'>,
  queries: Record<string, SQL>,
): Promise<Pick<LedgerReport, 'rules' | 'findings'>> {
  const findings: Finding[] = []
  for (const [rule, query] of Object.entries(queries)) {
    // A hundred findings are enough to see what is wrong.
    const { rows } = await tx.execute<{ id: string }>(sql`select id::text as id from (${query}) as broken limit 100`)
    findings.push(...rows.map(({ id }) => ({ rule, id })))
  }
  return { rules: Object.keys(queries), findings }
}

function inSnapshot<T>(db: Db, work: (tx: Pick<Db, 'execute'>) => Promise<T>): Promise<T> {
  return apart(db, (own) => own.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' }))
}
