import type { Exchange, Run } from '@parley/contract/conversations'
import { and, asc, eq, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { runs } from '../../db/schema/runs'
import { isOwnedChannel, type OwnedChannel } from '../channels/public/channel-row-store'
import { shownRunOf } from './public/message-row'
import { exchangeOf, runRowOf } from './run-row'
import { runsOf } from './version-store'

const isOfChannel = ({ userId, channelId }: OwnedChannel) =>
  and(eq(messages.channelId, channelId), eq(messages.ownerId, userId))

/** An exchange as it is stored, tombstones too. `shownId`: the run whose answer its row has. */
export type StoredItem = {
  exchange: Exchange
  runs: Run[]
  shownId: string
  position: number
  authorUserId: string | null
  authorName: string | null
}

const itemColumns = {
  ...{ mId: messages.mId, channelId: messages.channelId, position: messages.position },
  ...{ afterRunId: messages.afterRunId, question: messages.question, questionParts: messages.questionParts },
  ...{ askedAt: messages.askedAt, isForwarded: messages.isForwarded, isPinned: messages.isPinned },
  ...{ removedAt: messages.removedAt, runMessageId: messages.runMessageId },
  ...{ authorUserId: messages.authorUserId, authorName: messages.authorName },
}

/** The exchanges after a position with all their runs, in the order of the positions: as many as make a page. */
export async function itemsAfter(
  db: Db,
  which: OwnedChannel,
  { after, limit, maxBytes }: { after: number; limit: number; maxBytes: number },
): Promise<{ items: StoredItem[]; hasMore: boolean }> {
  const { rows } = await db.execute<{ position: string; bytes: string }>(sql`
    select m.position, octet_length(m.question) + (
      select coalesce(sum(octet_length(r.answer) + coalesce(octet_length(r.answer_parts), 0)), 0) from runs r
      where r.channel_id = m.channel_id and r.m_id = m.m_id) as bytes
    from messages m
    where m.channel_id = ${which.channelId} and m.owner_id = ${which.userId}::uuid and m.position > ${after}
    order by m.position limit ${limit + 1}`)
  let bytes = 0
  let last: number | undefined
  let length = 0
  for (const row of rows.slice(0, limit)) {
    bytes += Number(row.bytes)
    if (last !== undefined && bytes > maxBytes) break
    last = Number(row.position)
    length++
  }
  if (last === undefined) return { items: [], hasMore: false }
  const found = await db
    .select(itemColumns)
    .from(messages)
    .where(and(isOfChannel(which), gt(messages.position, after), lte(messages.position, last)))
    .orderBy(asc(messages.position))
  return { items: await withRuns(db, which, found), hasMore: length < rows.length }
}

/** Those of these exchanges that are stored, by their ids. */
export async function itemsOf(db: Db, which: OwnedChannel, mIds: readonly string[]): Promise<Map<string, StoredItem>> {
  if (mIds.length === 0) return new Map()
  const found = await db
    .select(itemColumns)
    .from(messages)
    .where(and(isOfChannel(which), inArray(messages.mId, [...mIds])))
  return new Map((await withRuns(db, which, found)).map((item) => [item.exchange.id, item]))
}

type ItemRow = Pick<typeof messages.$inferSelect, keyof typeof itemColumns>

async function withRuns(db: Db, which: OwnedChannel, rows: readonly ItemRow[]): Promise<StoredItem[]> {
  const ofExchange = new Map<string, Run[]>()
  for (const run of await runsOf(
    db,
    which,
    rows.map(({ mId }) => mId),
  ))
    ofExchange.set(run.exchangeId, [...(ofExchange.get(run.exchangeId) ?? []), run])
  return rows.map((row) => ({
    ...{ exchange: exchangeOf(row), runs: ofExchange.get(row.mId) ?? [], shownId: shownRunOf(row) },
    ...{ position: row.position, authorUserId: row.authorUserId, authorName: row.authorName },
  }))
}

/** The exchanges that these runs answer, by the ids of the runs; those that are not stored are left out. */
export async function exchangesOfRuns(
  db: Db,
  { userId, channelId }: OwnedChannel,
  runIds: readonly string[],
): Promise<Map<string, string>> {
  if (runIds.length === 0) return new Map()
  const rows = await db
    .select({ id: runs.id, mId: runs.mId })
    .from(runs)
    .where(
      and(eq(runs.channelId, channelId), eq(runs.ownerId, userId), sql`${runs.id} = any(${sql.param(runIds)}::text[])`),
    )
  return new Map(rows.map(({ id, mId }) => [id, mId]))
}

/** So many rows go into one statement, which has a limit of values. */
const rowsAtOnce = 1_000

/**
 * Writes runs as they are, and removes others of their exchanges: what the triggers made of the rows of these, which
 * show one run alone. `all`: every run of these exchanges.
 */
export async function writeRuns(tx: Db, which: OwnedChannel, all: readonly Run[]): Promise<void> {
  if (all.length === 0) return
  const { channelId, userId } = which
  const mIds = [...new Set(all.map(({ exchangeId }) => exchangeId))]
  const [ofExchanges, ids] = [all.map(({ exchangeId }) => exchangeId), all.map(({ id }) => id)]
  await tx.execute(sql`
    delete from runs r where r.channel_id = ${channelId} and r.owner_id = ${userId}::uuid and r.m_id = any(${sql.param(mIds)}::text[])
      and not exists (
        select from unnest(${sql.param(ofExchanges)}::text[], ${sql.param(ids)}::text[]) as kept (m_id, id)
        where kept.m_id = r.m_id and kept.id = r.id)`)
  await putRuns(tx, which, all)
}

/** Writes runs as they are, each in the place of the one with its id. */
export async function putRuns(tx: Db, which: OwnedChannel, changed: readonly Run[]): Promise<void> {
  const { channelId: _channel, mId: _mId, id: _id, ownerId: _owner, ...columns } = getTableColumns(runs)
  const values = Object.entries(columns).map(([name, column]) => [name, sql.raw(`excluded."${column.name}"`)])
  for (let at = 0; at < changed.length; at += rowsAtOnce)
    await tx
      .insert(runs)
      .values(changed.slice(at, at + rowsAtOnce).map((run) => runRowOf(run, which)))
      .onConflictDoUpdate({ target: [runs.channelId, runs.mId, runs.id], set: Object.fromEntries(values) })
}

/** Changes the row of an exchange, tombstones too. */
export async function updateItem(
  tx: Db,
  which: OwnedChannel & { mId: string },
  change: Partial<typeof messages.$inferInsert>,
): Promise<void> {
  await tx
    .update(messages)
    .set(change)
    .where(and(isOfChannel(which), eq(messages.mId, which.mId)))
}

/** Whoever copied the channel before sees that it has changed. The order of channels stays as it was. */
export async function markChanged(tx: Db, which: OwnedChannel): Promise<void> {
  await tx
    .update(channels)
    .set({ updatedAt: sql`${channels.updatedAt} + interval '1 millisecond'` })
    .where(isOwnedChannel(which))
}
