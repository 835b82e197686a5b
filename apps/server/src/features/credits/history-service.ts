import type { CreditMovement } from '@parley/contract/credits'
import { formatDollars } from '@parley/contract/money'
import type { Db } from '../../db/client'
import { listMovements } from './history-store'

type Page = { page: number; size: number }

/** What changed a person's credits, newest first. */
export async function creditHistory(
  db: Db,
  userId: string,
  { page, size }: Page,
): Promise<Page & { data: CreditMovement[]; total: number }> {
  const { rows, total } = await listMovements(db, userId, { page, size })
  const data = rows.map(({ id, at, kind, amount, balance, messageId, model, inputTokens, outputTokens }) => ({
    id: String(id),
    time: at.toISOString(),
    kind,
    amount: formatDollars(amount),
    balance: formatDollars(balance),
    ...(messageId === null ? {} : { messageId }),
    ...(model === null ? {} : { model }),
    ...(inputTokens === null ? {} : { inputTokens }),
    ...(outputTokens === null ? {} : { outputTokens }),
  }))
  return { data, page, size, total }
}
