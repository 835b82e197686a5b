import type { IDBPTransaction } from 'idb'
import type { ExchangeRecord, RunRecord, Schema, TableName } from './database'

/** An exchange as the disk has it, and its runs, oldest first; a Message of version 2 has none. */
export type StoredExchange = { record: ExchangeRecord; runs: readonly RunRecord[] }

/** A transaction over the exchanges and their runs. */
type Reading = Pick<IDBPTransaction<Schema, TableName[], IDBTransactionMode>, 'objectStore'>

/** The key range of all exchanges of a chat, or of those of some positions: from `from` up to and excluding `to`. */
export const exchangesOf = (chatId: string, from = 0, to = Number.MAX_SAFE_INTEGER): IDBKeyRange =>
  IDBKeyRange.bound([chatId, from], [chatId, to], false, true)

/** The key range of the runs of a chat, or of one exchange. */
export const runsOf = (chatId: string, ...exchangeId: [] | [string]): IDBKeyRange =>
  IDBKeyRange.bound([chatId, ...exchangeId], [chatId, ...exchangeId, []])

/** The exchanges of a range of keys, with their runs. */
export async function readExchanges(
  tx: Reading,
  range: IDBKeyRange | undefined,
  count?: number,
): Promise<StoredExchange[]> {
  const records = await tx.objectStore('exchanges').getAll(range, count)
  const exchanges: StoredExchange[] = []
  for (const chat of groupsOf(records, ({ chatId }) => chatId).values())
    exchanges.push(...(await withAllRuns(tx, chat)))
  return exchanges
}

/**
 * The runs of exchanges that stand beside each other in a chat mostly do so too, for ids grow with time: one request
 * reads them. Where it would read much else, each exchange has its own.
 */
async function withAllRuns(tx: Reading, records: readonly ExchangeRecord[]): Promise<StoredExchange[]> {
  const ids = records.map(({ id }) => id).toSorted(compare)
  const [chatId, first, last] = [records[0]?.chatId, ids[0], ids.at(-1)]
  if (chatId === undefined || first === undefined || last === undefined) return []
  const most = records.length * 3
  const range = IDBKeyRange.bound([chatId, first], [chatId, last, []])
  const found = records.length > 2 ? await tx.objectStore('runs').getAll(range, most) : undefined
  if (!found || found.length >= most) return Promise.all(records.map((record) => withRuns(tx, record)))
  const runsOfExchange = groupsOf(found, ({ exchangeId }) => exchangeId)
  return records.map((record) => ({ record, runs: oldestFirst(runsOfExchange.get(record.id) ?? []) }))
}

/** In the order in which they are given. */
export function groupsOf<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const each of all) {
    const group = groups.get(keyOf(each))
    if (group) group.push(each)
    else groups.set(keyOf(each), [each])
  }
  return groups
}

export async function exchangeById(tx: Reading, chatId: string, id: string): Promise<StoredExchange | undefined> {
  const record = await tx.objectStore('exchanges').index('byId').get([chatId, id])
  return record && withRuns(tx, record)
}

/** The exchanges at these positions, which grow, with their runs; those that are gone are left out. */
export async function exchangesAt(
  tx: Reading,
  chatId: string,
  positions: readonly number[],
): Promise<Map<string, StoredExchange>> {
  const found = new Map<string, StoredExchange>()
  for (let from = 0; from < positions.length; ) {
    let to = from + 1
    while (to < positions.length && positions[to] === (positions[to - 1] ?? 0) + 1) to++
    const range = exchangesOf(chatId, positions[from], (positions[to - 1] ?? 0) + 1)
    for (const stored of await readExchanges(tx, range)) found.set(stored.record.id, stored)
    from = to
  }
  return found
}

/** The last exchange of a chat before a position. */
export async function exchangeBefore(
  tx: Reading,
  chatId: string,
  position: number,
): Promise<StoredExchange | undefined> {
  const cursor = await tx.objectStore('exchanges').openCursor(exchangesOf(chatId, 0, position), 'prev')
  return cursor ? withRuns(tx, cursor.value) : undefined
}

async function withRuns(tx: Reading, record: ExchangeRecord): Promise<StoredExchange> {
  return { record, runs: oldestFirst(await tx.objectStore('runs').getAll(runsOf(record.chatId, record.id))) }
}

/** In the order in which they began, which is that of `treeOf` in the contract. */
export function oldestFirst<T extends Pick<RunRecord, 'id' | 'startedAt'>>(runs: readonly T[]): T[] {
  return runs.toSorted((a, b) => compare(a.startedAt, b.startedAt) || compare(a.id, b.id))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
