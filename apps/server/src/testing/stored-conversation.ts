import type { Message } from '@parley/contract/chat'
import { type ExchangeWithRuns, messageOf } from '@parley/contract/message-adapter'
import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { messages } from '../db/schema/messages'
import { runs } from '../db/schema/runs'
import { exchangeOf, runOf } from '../features/messages/run-row'

export type StoredExchange = ExchangeWithRuns & { shownId: string }

/** The exchanges of a channel in their order, each with its runs, oldest first, and the id of the one that is shown. */
export async function storedConversation(db: Db, channelId: string): Promise<StoredExchange[]> {
  const rows = await db.select().from(messages).where(eq(messages.channelId, channelId)).orderBy(asc(messages.position))
  const stored = await db
    .select()
    .from(runs)
    .where(eq(runs.channelId, channelId))
    .orderBy(sql`${runs.startedAt} collate "C"`, sql`${runs.id} collate "C"`)
  return rows.map((row) => ({
    exchange: exchangeOf(row),
    runs: stored.filter(({ mId }) => mId === row.mId).map(runOf),
    shownId: row.runMessageId ?? row.mId,
  }))
}

/** What document 3 shows of it. Only a run knows what it replaces and what the ones before it used. */
export function shownMessage({ shownId, ...exchange }: StoredExchange): Message {
  const { run, ...message } = messageOf(exchange, shownId)
  const { previous: _previous, used: _used, ...sent } = run ?? { messageId: '', seq: 0, base: 0 }
  return run ? { ...message, run: sent } : message
}
