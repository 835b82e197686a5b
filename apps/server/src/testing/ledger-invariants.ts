import { sql } from 'drizzle-orm'
import type { Db } from '../db/client'

/**
 * Checks what the ledger's own check does not cover, and returns the ids of violations: at no time was a payment
 * granted twice, nor more taken back than granted; no entry left a person below zero; and people owe what refunds could
 * not take, less what they have paid since.
 */
export async function findMoneyViolations(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select 'moved ' || id as id from (
      select p.id, p.amount, sum(e.amount) over (partition by p.id order by e.id) as so_far
      from payments p
      join ledger_transactions t on split_part(t.idem, ':', 1) in ('purchase', 'refund') and split_part(t.idem, ':', 2) = p.id::text
      join ledger_entries e on e.transaction_id = t.id
      join ledger_accounts a on a.id = e.account_id and a.kind = 'psp_clearing') as moved
    where so_far not between -amount and 0
    union all
    select 'below zero ' || e.id from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'user' where e.balance < 0
    union all
    select 'owes ' || id from (
      select a.id, b.owed,
        (select coalesce(-sum(e.amount), 0) from payments p
          join ledger_transactions t on split_part(t.idem, ':', 1) = 'refund' and split_part(t.idem, ':', 2) = p.id::text
          join ledger_entries e on e.transaction_id = t.id
          join ledger_accounts loss on loss.id = e.account_id and loss.kind = 'platform_loss' where p.user_id = a.user_id) as lost,
        (select coalesce(-sum(e.amount), 0) from ledger_transactions t
          join ledger_entries e on e.transaction_id = t.id and e.account_id = a.id where starts_with(t.idem, 'owed:')) as paid_off
      from ledger_accounts a join ledger_balances b on b.account_id = a.id) as debts
    where owed <> lost - paid_off`)
  return rows.map(({ id }) => id)
}
