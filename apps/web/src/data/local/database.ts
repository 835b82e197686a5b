import { product } from '@parley/contract/product'
import { type DBSchema, type IDBPDatabase, openDB, type StoreNames, unwrap } from 'idb'
import { orStorageError } from './storage-error'

/**
 * An encrypted value. Times, ids and sizes of a record are stored in plain text; everything that a person wrote is in
 * `c`.
 */
export type Sealed = {
  v: number
  /** The id of the key that encrypted it. */
  kid: string
  /** Nonce, 96 random bits. */
  n: Uint8Array<ArrayBuffer>
  c: ArrayBuffer
}

/** `at` is the last activity, ISO 8601 UTC. */
export type ChannelRecord = Sealed & { id: string; at: string }
/**
 * A question and its place in a chat. `position` grows: it orders the exchanges of a chat. `form`: what is sealed;
 * without it a Message of version 2, whose answer is sealed with it and which has no records in `runs`.
 */
export type ExchangeRecord = Sealed & {
  id: string
  chatId: string
  channelId: string
  position: number
  at: string
  form?: string
  afterRunId?: string | null
}
/** An answer. What is plain tells which run is shown, without opening the others. */
export type RunRecord = Sealed & {
  id: string
  chatId: string
  channelId: string
  exchangeId: string
  startedAt: string
  continues?: string
}
/**
 * A chat and its shape. Without a head it is a line: its exchanges in the order of their positions, each shown with its
 * newest run. It has one from its first branch on.
 */
export type ChatRecord = {
  id: string
  channelId: string
  count: number
  lastPosition: number
  /** For the run of an exchange that was removed, the run that what followed it follows now. */
  standIns?: Record<string, string | null>
  /** The run up to which the chat is read. */
  head?: string
  /** The runs that exchanges follow, where a line of before its first branch had them stand after other ones. */
  follows?: Record<string, string | null>
  /** The head to return to, should this run bring nothing. */
  back?: { runId: string; head: string }
  /** Changes with every exchange or run that comes or goes. */
  stamp?: string
}
type DraftRecord = Sealed & { id: string }
/** A summary of a chat, up to a run of an exchange, see chat-keys.ts for its id. */
export type SummaryRecord = Sealed & { id: string; channelId: string }
/**
 * A source of a channel, see source-records.ts for its id; or a document of a data file, whose `channelId` is its id.
 * `contentId`: under which `files` has its file and text.
 */
export type DocumentRecord = Sealed & { id: string; channelId: string; contentId?: string }
/** A piece of a source's file or text: no record is so large that it could not be read, moved or sealed at once. */
export type FileRecord = Sealed & { id: string }
type OutboxRecord = Sealed & { id: string; channelId: string; at: string }

export interface Schema extends DBSchema {
  channels: { key: string; value: ChannelRecord }
  chats: { key: string; value: ChatRecord }
  exchanges: { key: [string, number]; value: ExchangeRecord; indexes: { byId: [string, string] } }
  runs: { key: [string, string, string]; value: RunRecord; indexes: { byId: [string, string] } }
  summaries: { key: string; value: SummaryRecord }
  drafts: { key: string; value: DraftRecord }
  outbox: { key: string; value: OutboxRecord }
  users: { key: string; value: Sealed & { id: string } }
  assistants: { key: string; value: Sealed & { id: string } }
  documents: { key: string; value: DocumentRecord }
  files: { key: string; value: FileRecord }
  /** Copies of chats that an import replaced. `id`: `{channelId}|{time of the import}`. */
  undo: { key: string; value: Sealed & { id: string; channelId: string; at: string } }
  meta: { key: string; value: { id: string; value: string } }
}

export type LocalDatabase = IDBPDatabase<Schema>
export type TableName = StoreNames<Schema>
export type Table = Exclude<TableName, 'meta'>

/** Every table. A change of keys must re-encrypt each record of the sealed ones, or they could never be read again. */
const tables = {
  channels: 'sealed',
  chats: 'plain',
  exchanges: 'sealed',
  runs: 'sealed',
  summaries: 'sealed',
  drafts: 'sealed',
  outbox: 'sealed',
  users: 'sealed',
  assistants: 'sealed',
  documents: 'sealed',
  files: 'sealed',
  undo: 'sealed',
  meta: 'plain',
} as const satisfies { [T in TableName]: Schema[T]['value'] extends Sealed ? 'sealed' : 'plain' }

export type SealedTable = { [T in TableName]: (typeof tables)[T] extends 'sealed' ? T : never }[TableName]
export type SealedRecord = Schema[SealedTable]['value']

export const tableNames = Object.keys(tables) as TableName[]
export const sealedTables = tableNames.filter((name): name is SealedTable => tables[name] === 'sealed')

const version = 5

/** The id in `meta` of how far the messages of version 2 have been converted. */
export const conversionId = 'conversion'
export const conversionIsOver = 'over'

/** The name of an account's vault: each account has its own database of records and its own keys. */
export const vaultName = (userId: string): string => `${product.slug}-${userId}`

/** Opens the database of a vault's records; its keys are in another one. The default name is the anonymous vault's. */
export function openDatabase(name: string = product.slug): Promise<LocalDatabase> {
  return orStorageError(() =>
    openDB<Schema>(name, version, {
      upgrade(db, oldVersion, _newVersion, tx) {
        // Version 3 gives the table of version 2 another name, which takes as long for many records as for none.
        const before = unwrap(tx)
        if (before.objectStoreNames.contains('messages')) before.objectStore('messages').name = 'exchanges'
        for (const table of tableNames) if (!db.objectStoreNames.contains(table)) createTable(db, table)
        if (oldVersion === 0) void tx.objectStore('meta').put({ id: conversionId, value: conversionIsOver })
      },
      // Another tab wants to upgrade or delete the database: an open connection would block it for ever.
      blocking: (_current, _blocked, event) => {
        const { target } = event
        if (target instanceof IDBDatabase) target.close()
      },
    }),
  )
}

/** The fields that make the key of a record; one of `id` alone is not a list. */
export const keyPathOf = (table: TableName): string | string[] =>
  table === 'exchanges' ? ['chatId', 'position'] : table === 'runs' ? ['chatId', 'exchangeId', 'id'] : 'id'

/** The fields of the index `byId`. */
export const indexPath = ['chatId', 'id']

function createTable(db: LocalDatabase, table: TableName): void {
  const keyPath = keyPathOf(table)
  if (table === 'exchanges') db.createObjectStore(table, { keyPath }).createIndex('byId', indexPath, { unique: true })
  else if (table === 'runs') db.createObjectStore(table, { keyPath }).createIndex('byId', indexPath)
  else db.createObjectStore(table, { keyPath })
}
