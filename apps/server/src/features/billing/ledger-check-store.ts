import { type Nano, storedNano } from '@parley/contract/money'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'

/** `id` is of what is wrong: a transaction, an account or a hold. */
type Finding = { rule: string; id: string }
export type LedgerReport = {
  /** Those that were looked at. */
  rules: string[]
  findings: Finding[]
  transactions: number
  openHolds: number
  /** The sum of each kind of account; together they are nothing. */
  sums: { kind: string; amount: Nano }[]
}

/** Each query answers the ids of what breaks the rule. At most some: whoever sees a hundred has seen enough. */
const rules = (openBefore: Date): Record<string, SQL> => ({
  'the entries of a transaction sum to zero': sql`
    select transaction_id as id from ledger_entries group by 1 having sum(amount) <> 0`,
  'a transaction has entries': sql`
    select id from ledger_transactions t where not exists (select from ledger_entries where transaction_id = t.id)`,
  'every person has a balance, and nobody else': sql`
    select a.id from ledger_accounts a left join ledger_balances b on b.account_id = a.id where (a.kind = 'user') <> (b.account_id is not null)`,
  'a balance is the sum of its entries': sql`
    select b.account_id as id from ledger_balances b
    where b.posted <> (select coalesce(sum(amount), 0) from ledger_entries where account_id = b.account_id)`,
  'what is held is the sum of the open holds': sql`
    select b.account_id as id from ledger_balances b
    where b.held <> (select coalesce(sum(amount), 0) from ledger_holds where account_id = b.account_id and state = 'held')`,
  'nothing is below zero': sql`
    select account_id as id from ledger_balances where posted < held or held < 0 or owed < 0`,
  'each entry of a person tells the balance after it': sql`
    select distinct account_id as id from (
      select account_id, balance, sum(amount) over (partition by account_id order by e.id) as sum_so_far
      from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'user') as told
    where balance is distinct from sum_so_far`,
  'a hold that was settled was paid, once and with what it says': sql`
    select h.id from ledger_holds h
    where h.state = 'settled' and coalesce((
      select -sum(e.amount) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account_id = h.account_id
      where t.hold_id = h.id and t.kind = 'settle'), 0) <> h.charged`,
  'a hold that was not settled was not paid': sql`
    select h.id from ledger_holds h where h.state <> 'settled' and exists (select from ledger_transactions where hold_id = h.id)`,
  'a payment is credited when it says so, and with its amount': sql`
    select p.id from payments p left join ledger_transactions t on t.idem = 'purchase:' || p.id
    where (p.credited_at is null) <> (t.id is null) or (t.id is not null and p.amount <> (
      select sum(e.amount) from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'user' where e.transaction_id = t.id))`,
  'what was given back of a payment was taken back, and no other': sql`
    select p.id from payments p
    where p.returned <> coalesce((
      select sum(e.amount) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
      where t.kind = 'refund' and t.idem like 'refund:' || p.id || '%' and a.kind = 'psp_clearing'), 0)`,
  'a payment is given back when all of it was': sql`
    select p.id from payments p where p.credited_at is not null and (p.status = 'refunded') <> (p.returned = p.amount)`,
  'every open hold is alive': sql`
    select id from ledger_holds where state = 'held' and expires_at < ${openBefore.toISOString()}::timestamptz`,
})

/** Looks at everything as it is at one moment. */
export async function checkLedger(db: Db, openBefore: Date): Promise<LedgerReport> {
  return db.transaction(
    async (tx) => {
      // The rules read whole tables; how long that may take is for whoever asks to say.
      await tx.execute(sql`select set_config('statement_timeout', '0', true)`)
      const findings: Finding[] = []
      const looked = rules(openBefore)
      for (const [rule, query] of Object.entries(looked)) {
        const { rows } = await tx.execute<{ id: string }>(sql`select id::text as id from (${query}) as broken limit 100`)
        findings.push(...rows.map(({ id }) => ({ rule, id })))
      }
      const { rows: sums } = await tx.execute<{ kind: string; amount: string }>(sql`
        select a.kind, sum(e.amount)::text as amount from ledger_entries e join ledger_accounts a on a.id = e.account_id group by 1 order by 1`)
      const { rows: counts } = await tx.execute<{ transactions: number; holds: number }>(sql`
        select (select count(*)::int from ledger_transactions) as transactions, (select count(*)::int from ledger_holds where state = 'held') as holds`)
      return {
        rules: Object.keys(looked),
        findings,
        transactions: counts[0]?.transactions ?? 0,
        openHolds: counts[0]?.holds ?? 0,
        sums: sums.map(({ kind, amount }) => ({ kind, amount: storedNano(amount) })),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
