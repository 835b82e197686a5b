import { type DBSchema, deleteDB, openDB } from 'idb'

/** A data key that can encrypt and decrypt and cannot be read out by a script. On the disk its bytes lie open: that is why it has a database of its own. */
export type StoredKey = { kid: string; key: CryptoKey; createdAt: string }

interface KeySchema extends DBSchema {
  keys: { key: string; value: StoredKey }
}

const keysName = (name: string): string => `${name}-keys`

/** Opened for one action and closed again: open, it would block the deletion that erases the keys. */
async function withKeys<T>(name: string, action: (db: Awaited<ReturnType<typeof openKeys>>) => Promise<T>): Promise<T> {
  const db = await openKeys(name)
  try {
    return await action(db)
  } finally {
    db.close()
  }
}

const openKeys = (name: string) => openDB<KeySchema>(keysName(name), 1, { upgrade: (fresh) => void fresh.createObjectStore('keys', { keyPath: 'kid' }) })

export function readKeys(name: string): Promise<StoredKey[]> {
  return withKeys(name, (db) => db.getAll('keys'))
}

export function storeKeys(name: string, keys: readonly StoredKey[]): Promise<void> {
  return withKeys(name, async (db) => {
    const tx = db.transaction('keys', 'readwrite', { durability: 'strict' })
    await Promise.all([...keys.map((key) => tx.store.put(key)), tx.done])
  })
}

/**
 * Deletes the whole database: deleting records leaves their bytes on the disk. Chromium rewrites the files that hold a deleted database, but what stands only in
 * its log goes into a new file as it is, deleted or not, and a file that was replaced goes with the next rewriting. So another database is deleted before it,
 * which ends the log, and after it.
 */
export async function eraseKeys(name: string): Promise<void> {
  await rewriteFiles(name)
  await deleteDB(keysName(name))
  await rewriteFiles(name)
}

async function rewriteFiles(name: string): Promise<void> {
  const filler = `${name}-filler`
  const db = await openDB(filler, 1)
  db.close()
  await deleteDB(filler)
}
