import { product } from '@parley/contract/product'
import { type DBSchema, type IDBPDatabase, openDB, type StoreNames } from 'idb'
import { orStorageError } from './storage-error'

/** An encrypted value and what binds it to its place. Times, ids and sizes are readable; everything that a person wrote is in `c`. */
export type Sealed = {
  v: number
  /** The key that it was made with. */
  kid: string
  /** Nonce, 96 random bits. */
  n: Uint8Array<ArrayBuffer>
  c: ArrayBuffer
}

/** `at` is the last activity, ISO 8601 UTC. */
export type ChannelRecord = Sealed & { id: string; at: string }
/** Messages of a chat in their order: `position` grows. */
export type MessageRecord = Sealed & { id: string; chatId: string; channelId: string; position: number; at: string }
export type ChatRecord = { id: string; channelId: string; count: number; lastPosition: number }
type DraftRecord = Sealed & { id: string }
type OutboxRecord = Sealed & { id: string; channelId: string; at: string }

export interface Schema extends DBSchema {
  channels: { key: string; value: ChannelRecord }
  chats: { key: string; value: ChatRecord }
  messages: { key: [string, number]; value: MessageRecord; indexes: { byId: [string, string] } }
  drafts: { key: string; value: DraftRecord }
  outbox: { key: string; value: OutboxRecord }
  users: { key: string; value: Sealed & { id: string } }
  assistants: { key: string; value: Sealed & { id: string } }
  documents: { key: string; value: Sealed & { id: string; channelId: string } }
  /** Chats as they were before an import replaced them. `id`: `{channelId}|{when}`. */
  undo: { key: string; value: Sealed & { id: string; channelId: string; at: string } }
  meta: { key: string; value: { id: string; value: string } }
}

export type LocalDatabase = IDBPDatabase<Schema>
export type TableName = StoreNames<Schema>
export type Table = Exclude<TableName, 'meta'>

/** Every table. The records of a sealed one are encrypted; a change of keys has to reach each of them, or it could never be read again. */
const tables = {
  channels: 'sealed',
  chats: 'plain',
  messages: 'sealed',
  drafts: 'sealed',
  outbox: 'sealed',
  users: 'sealed',
  assistants: 'sealed',
  documents: 'sealed',
  undo: 'sealed',
  meta: 'plain',
} as const satisfies { [T in TableName]: Schema[T]['value'] extends Sealed ? 'sealed' : 'plain' }

export type SealedTable = { [T in TableName]: (typeof tables)[T] extends 'sealed' ? T : never }[TableName]
export type SealedRecord = Schema[SealedTable]['value']

const tableNames = Object.keys(tables) as TableName[]
export const sealedTables = tableNames.filter((name): name is SealedTable => tables[name] === 'sealed')

const version = 2

/** Each account has a vault of its own in a browser: data and keys of another name. */
export const vaultName = (userId: string): string => `${product.slug}-${userId}`

/** The vault's data, apart from its keys. The name of an account's vault carries the account; the anonymous one is the product's. */
export function openDatabase(name: string = product.slug): Promise<LocalDatabase> {
  return orStorageError(() =>
    openDB<Schema>(name, version, {
      upgrade(db) {
        // Every version so far has only added tables.
        for (const name of tableNames) {
          if (db.objectStoreNames.contains(name)) continue
          if (name !== 'messages') db.createObjectStore(name, { keyPath: 'id' })
          else db.createObjectStore(name, { keyPath: ['chatId', 'position'] }).createIndex('byId', ['chatId', 'id'], { unique: true })
        }
      },
      // Another tab wants to upgrade or delete: holding on would block it for ever.
      blocking: (_current, _blocked, event) => {
        const { target } = event
        if (target instanceof IDBDatabase) target.close()
      },
    }),
  )
}
