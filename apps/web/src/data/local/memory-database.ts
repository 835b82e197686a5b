// The tables of a vault in the memory of this tab: as much of IndexedDB as the stores use, with its transactions, and
// nothing of it on the disk.
import { indexPath, keyPathOf, type LocalDatabase, type TableName, tableNames } from './database'

type Row = { key: IDBValidKey; value: object }
type Query = IDBValidKey | IDBKeyRange | null | undefined

/** An empty database. Records are kept as they are given: whoever writes one never changes it afterwards. */
export class MemoryDatabase {
  readonly name = 'memory'
  readonly objectStoreNames = tableNames
  private readonly tables = new Map<TableName, Row[]>(tableNames.map((table) => [table, []]))
  private last: Promise<unknown> = Promise.resolve()

  /** Whether this record, or any, has been written; an open transaction may still take it back. */
  holds(table: TableName, key?: IDBValidKey): boolean {
    return rowsIn(this.rows(table), key, 1).length > 0
  }

  /** The same, where the stores expect a database: of its methods they use those of this class alone. */
  asLocal(): LocalDatabase {
    return this as unknown as LocalDatabase
  }

  /** One transaction at a time, in the order in which they are asked for. */
  transaction(tables: TableName | readonly TableName[], _mode?: IDBTransactionMode): MemoryTransaction {
    const only = typeof tables === 'string' ? tables : tables[0]
    const tx = new MemoryTransaction(
      { rows: (table) => this.rows(table), replace: (table, rows) => void this.tables.set(table, rows) },
      only,
    )
    this.last = this.last.then(() => tx.begin())
    return tx
  }

  get = (table: TableName, query: Query) => this.alone(table, (store) => store.get(query))
  getAll = (table: TableName, query?: Query, count?: number) => this.alone(table, (store) => store.getAll(query, count))
  getAllKeys = (table: TableName, query?: Query) => this.alone(table, (store) => store.getAllKeys(query))
  count = (table: TableName) => this.alone(table, async (store) => (await store.getAllKeys()).length)
  put = (table: TableName, value: object) => this.alone(table, (store) => store.put(value))
  delete = (table: TableName, query: Query) => this.alone(table, (store) => store.delete(query))
  clear = (table: TableName) => this.alone(table, (store) => store.delete(undefined))

  private async alone<R>(table: TableName, action: (store: MemoryTable) => Promise<R>): Promise<R> {
    const tx = this.transaction(table)
    const result = await action(tx.objectStore(table))
    await tx.done
    return result
  }

  private rows(table: TableName): Row[] {
    return this.tables.get(table) ?? []
  }
}

type Tables = { rows: (table: TableName) => Row[]; replace: (table: TableName, rows: Row[]) => void }

/** Like one of IndexedDB it ends by itself as soon as nothing more is asked of it, and is undone by an error. */
class MemoryTransaction {
  readonly done: Promise<void>
  private readonly before = new Map<TableName, Row[]>()
  private readonly begun: Promise<void>
  private isOver = false
  private start: () => void = () => undefined
  private settle: (error?: DOMException) => void = () => undefined

  constructor(
    private readonly tables: Tables,
    private readonly only: TableName | undefined,
  ) {
    this.begun = new Promise((resolve) => {
      this.start = resolve
    })
    this.done = new Promise((resolve, reject) => {
      this.settle = (error) => (error ? reject(error) : resolve())
    })
    this.done.catch(() => undefined)
  }

  /** Resolves when it has ended. */
  async begin(): Promise<void> {
    this.start()
    // What follows on an answer is asked before the next task, as in IndexedDB.
    await nextTask()
    if (this.isOver) return
    this.isOver = true
    this.settle()
  }

  get store(): MemoryTable {
    return this.objectStore(this.only ?? 'meta')
  }

  objectStore(table: TableName): MemoryTable {
    return new MemoryTable(keyPathOf(table), {
      read: (action) => this.request(() => action(this.tables.rows(table))),
      write: (change) =>
        this.request(() => {
          const rows = this.tables.rows(table)
          if (!this.before.has(table)) this.before.set(table, rows)
          this.tables.replace(table, change(rows))
        }),
    })
  }

  abort(): void {
    if (this.isOver) throw new DOMException('The transaction has ended.', 'InvalidStateError')
    this.isOver = true
    for (const [table, rows] of this.before) this.tables.replace(table, rows)
    this.settle(new DOMException('The transaction was aborted.', 'AbortError'))
  }

  private async request<R>(action: () => R): Promise<R> {
    if (this.isOver) throw new DOMException('The transaction has ended.', 'TransactionInactiveError')
    await this.begun
    if (this.isOver) throw new DOMException('The transaction was aborted.', 'AbortError')
    try {
      return action()
    } catch (error) {
      this.abort()
      throw error
    }
  }
}

type Access = {
  read: <R>(action: (rows: readonly Row[]) => R) => Promise<R>
  /** Answers the changed rows; the given ones stay as they are, for the transaction to return to. */
  write: (change: (rows: readonly Row[]) => Row[]) => Promise<void>
}

/** The rows are in the order of their keys. */
class MemoryTable {
  constructor(
    private readonly keyPath: string | string[],
    private readonly access: Access,
  ) {}

  get = (query: Query) => this.access.read((rows) => rowsIn(rows, query)[0]?.value)
  getKey = (query: Query) => this.access.read((rows) => rowsIn(rows, query)[0]?.key)
  getAll = (query?: Query, count?: number) =>
    this.access.read((rows) => rowsIn(rows, query, count).map(({ value }) => value))
  getAllKeys = (query?: Query) => this.access.read((rows) => rowsIn(rows, query).map(({ key }) => key))
  put = (value: object) => this.access.write((rows) => this.with(rows, value))
  delete = (query: Query) =>
    this.access.write((rows) => {
      const removed = new Set(rowsIn(rows, query))
      return rows.filter((row) => !removed.has(row))
    })

  add = (value: object) =>
    this.access.write((rows) => {
      if (rowsIn(rows, keyOf(value, this.keyPath)).length > 0)
        throw new DOMException('A record with this key exists.', 'ConstraintError')
      return this.with(rows, value)
    })

  /** The first or the last record of a range. */
  openCursor = (query: Query, direction?: IDBCursorDirection) =>
    this.access.read((rows) => rowsIn(rows, query).at(direction === 'prev' ? -1 : 0) ?? null)

  /** The index by chat and id, in which a record is found as quickly as anybody reads. */
  index = (_name: string) => {
    const indexed = (rows: readonly Row[]): Row[] =>
      rows
        .map(({ value }) => ({ key: keyOf(value, indexPath), value }))
        .sort((one, other) => indexedDB.cmp(one.key, other.key))
    return {
      get: ([chatId, id]: [string, string]) =>
        this.access.read((rows) => rows.map(({ value }) => value).find((each) => isOf(each, chatId, id))),
      openKeyCursor: async (query: Query) => cursorOver(await this.access.read((rows) => rowsIn(indexed(rows), query))),
    }
  }

  private with(rows: readonly Row[], value: object): Row[] {
    const key = keyOf(value, this.keyPath)
    const at = firstFrom(rows, key)
    const isThere = rows[at] !== undefined && indexedDB.cmp(rows[at].key, key) === 0
    return rows.toSpliced(at, isThere ? 1 : 0, { key, value })
  }
}

type KeyCursor = { key: IDBValidKey; continue: () => Promise<KeyCursor | null> }

function cursorOver([first, ...rest]: readonly Row[]): KeyCursor | null {
  return first ? { key: first.key, continue: async () => cursorOver(rest) } : null
}

const isOf = (value: object, chatId: string, id: string): boolean =>
  'chatId' in value && value.chatId === chatId && 'id' in value && value.id === id

function keyOf(value: object, path: string | string[]): IDBValidKey {
  const fields = new Map(Object.entries(value))
  const part = (field: string): IDBValidKey => {
    const found: unknown = fields.get(field)
    if (typeof found === 'string' || typeof found === 'number') return found
    throw new DOMException(`A record without ${field}.`, 'DataError')
  }
  return typeof path === 'string' ? part(path) : path.map(part)
}

/** The position of the first row whose key is at least this one. */
function firstFrom(rows: readonly Row[], key: IDBValidKey): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && indexedDB.cmp(row.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function rowsIn(rows: readonly Row[], query: Query, count = Number.POSITIVE_INFINITY): Row[] {
  const range = query instanceof IDBKeyRange ? query : query == null ? undefined : IDBKeyRange.only(query)
  const found: Row[] = []
  for (let at = range?.lower === undefined ? 0 : firstFrom(rows, range.lower); at < rows.length; at++) {
    const row = rows[at]
    if (!row || found.length >= count) break
    if (!range || range.includes(row.key)) found.push(row)
    else if (range.upper !== undefined && indexedDB.cmp(row.key, range.upper) >= 0) break
  }
  return found
}

/** Resolves in another task: a hidden page delays timers, but not messages. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
