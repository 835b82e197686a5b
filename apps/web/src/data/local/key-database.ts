import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'

/**
 * A data key that scripts can use and not export. Its bytes lie unencrypted on the disk: that is why it has a database
 * of its own, which can be erased.
 */
export type StoredKey = { kid: string; key: CryptoKey; createdAt: string }

interface KeySchema extends DBSchema {
  keys: { key: string; value: StoredKey }
}

/** One spare database is deleted before the keys, the others after them. */
const spareCount = 4
/** The time until the browser starts to rewrite its files after a deletion. */
const rewriteMs = 100

const keysName = (name: string): string => `${name}-keys`
const spareNames = (name: string): string[] =>
  Array.from({ length: spareCount }, (_, index) => `${name}-spare-${index + 1}`)

/** Opens the database for one action: a connection that stays open would block the deletion that erases the keys. */
async function withKeys<T>(name: string, action: (db: IDBPDatabase<KeySchema>) => Promise<T>): Promise<T> {
  const db = await openDB<KeySchema>(keysName(name), 1, {
    upgrade: (fresh) => void fresh.createObjectStore('keys', { keyPath: 'kid' }),
  })
  try {
    return await action(db)
  } finally {
    db.close()
  }
}

export function readKeys(name: string): Promise<StoredKey[]> {
  return withKeys(name, (db) => db.getAll('keys'))
}

export function storeKeys(name: string, keys: readonly StoredKey[]): Promise<void> {
  return withKeys(name, async (db) => {
    const tx = db.transaction('keys', 'readwrite', { durability: 'strict' })
    await Promise.all([...keys.map((key) => tx.store.put(key)), tx.done])
  })
}

/** Stores keys that `eraseKeys` can erase later. */
export async function storeErasableKeys(name: string, keys: readonly StoredKey[]): Promise<void> {
  // The spares must be older than the keys: see eraseKeys.
  for (const spare of spareNames(name)) (await openDB(spare)).close()
  await storeKeys(name, keys)
}

/** How long a deletion waits for a tab that has the database open. */
const blockedMs = 2_000

/**
 * Deletes a database. Another tab's transaction blocks the deletion until it ends: a sign-out does not wait for that,
 * and the browser deletes the database as soon as it can.
 */
export async function deleteUnlessBlocked(name: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const blocked = (): void => {
      timer ??= setTimeout(resolve, blockedMs)
    }
    deleteDB(name, { blocked })
      .finally(() => clearTimeout(timer))
      .then(resolve, reject)
  })
}

/**
 * Deletes the key database so that its bytes leave the disk. Deleting records would leave them there, and in Chromium
 * so does deleting one database about one time in ten: all databases of an origin share their files, and after a
 * deletion a file is rewritten only if it already contains the end of the deleted range, which it does not when
 * something else is written at that moment. Therefore spare databases are deleted before and after it. Each deletion
 * rewrites its files, and these are the same files, because a file contains a contiguous range of databases and the
 * spares are older than the keys. (A storage bucket would have its own files; but when Chromium is killed after one was
 * deleted it can lose the origin's other databases too.)
 */
export async function eraseKeys(name: string): Promise<void> {
  const [first, ...others] = spareNames(name)
  for (const database of [first, keysName(name), ...others]) {
    if (database === undefined) continue
    await deleteUnlessBlocked(database)
    await new Promise((resolve) => setTimeout(resolve, rewriteMs))
  }
}
