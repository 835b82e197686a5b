import { product } from '@parley/contract/product'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
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
  meta: { key: string; value: { id: string; value: string } }
}

export type LocalDatabase = IDBPDatabase<Schema>

const version = 1

/** The vault's data, apart from its keys. The name of an account's vault carries the account; the anonymous one is the product's. */
export function openDatabase(name: string = product.slug): Promise<LocalDatabase> {
  return orStorageError(() =>
    openDB<Schema>(name, version, {
      upgrade(db, from) {
        if (from < 1) {
          for (const store of ['channels', 'chats', 'drafts', 'outbox', 'users', 'assistants', 'documents', 'meta'] as const)
            db.createObjectStore(store, { keyPath: 'id' })
          const messages = db.createObjectStore('messages', { keyPath: ['chatId', 'position'] })
          messages.createIndex('byId', ['chatId', 'id'], { unique: true })
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
