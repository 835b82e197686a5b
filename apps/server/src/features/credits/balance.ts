import { least, minus, type Nano, negated, noMoney } from '@parley/contract/money'
import type { Db } from '../../db/client'
import { type Balance, changeBalance, insertEntries, insertTransaction, platformAccounts } from './ledger-store'

/** The posted balance without what open holds reserve. */
export function spendableOf(balance: Balance | undefined): Nano {
  return balance ? minus(balance.posted, balance.held) : noMoney
}

/**
 * Pays a person's debt from their spendable amount, after credits came in or a hold was released. `source` is the id of
 * that transaction or hold: each source pays at most once. Returns the balance afterwards.
 */
export async function payDebt(
  tx: Db,
  balance: Balance,
  { source, at }: { source: string; at: Date },
): Promise<Balance> {
  const { accountId, owed } = balance
  const amount = least(owed, spendableOf(balance))
  if (amount === noMoney) return balance
  const transactionId = await insertTransaction(tx, { idem: `owed:${source}`, kind: 'refund', at })
  if (transactionId === undefined) throw new Error('a debt was paid twice from the same source')
  const after = await changeBalance(tx, { accountId, posted: negated(amount), held: noMoney, owed: negated(amount) })
  await insertEntries(tx, transactionId, [
    { accountId, amount: negated(amount), balance: after.posted },
    { accountId: platformAccounts.platform_loss, amount },
  ])
  return after
}
