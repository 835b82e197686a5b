import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'

/** A data key that can encrypt and decrypt and cannot be read out by a script. On the disk its bytes lie open: that is why it has a database of its own. */
export type StoredKey = { kid: string; key: CryptoKey; createdAt: string }

interface KeySchema extends DBSchema {
  keys: { key: string; value: StoredKey }
}

/** One is deleted before the keys, the others after them. */
const spareCount = 4
/** Until the browser has begun to rewrite its files after a deletion. */
const rewriteMs = 100

const keysName = (name: string): string => `${name}-keys`
const spareNames = (name: string): string[] => Array.from({ length: spareCount }, (_, index) => `${name}-spare-${index + 1}`)

/** Opened for one action and closed again: open, it would block the deletion that erases the keys. */
async function withKeys<T>(name: string, action: (db: IDBPDatabase<KeySchema>) => Promise<T>): Promise<T> {
  const db = await openDB<KeySchema>(keysName(name), 1, { upgrade: (fresh) => void fresh.createObjectStore('keys', { keyPath: 'kid' }) })
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

/** Stores keys that are to be erased one day. */
export async function storeErasableKeys(name: string, keys: readonly StoredKey[]): Promise<void> {
  // Before the keys: see there.
  for (const spare of spareNames(name)) (await openDB(spare)).close()
  await storeKeys(name, keys)
}

/** So long another tab may hold on to a database that is to be deleted. */
const blockedMs = 2_000

/** Another tab's transaction keeps a database from being deleted until it ends: whoever logs out does not wait for that. The browser then deletes it as soon as it can. */
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
 * Deletes the database of the keys so that their bytes leave the disk. Deleting records would leave them there, and in Chromium so does deleting one database
 * about one time in ten: all databases of an origin share their files, and those that hold a deleted one are rewritten only if its end stands in a file already,
 * which it does not when something else is written at that moment. So empty databases are deleted before it and after it. Each has its files rewritten, and
 * these are the same files, since a file holds everything from the first database to the last one in it and the spares are older than the keys.
 * (A storage bucket would have files of its own; but when Chromium is killed after one was deleted it can lose the origin's other databases too.)
 */
export async function eraseKeys(name: string): Promise<void> {
  const [first, ...others] = spareNames(name)
  for (const database of [first, keysName(name), ...others]) {
    if (database === undefined) continue
    await deleteUnlessBlocked(database)
    await new Promise((resolve) => setTimeout(resolve, rewriteMs))
  }
}
