import { type DBSchema, deleteDB, type IDBPDatabase, openDB, wrap } from 'idb'

/** A data key that can encrypt and decrypt and cannot be read out by a script. On the disk its bytes lie open: that is why it has a database of its own. */
export type StoredKey = { kid: string; key: CryptoKey; createdAt: string }

interface KeySchema extends DBSchema {
  keys: { key: string; value: StoredKey }
}

type OpenKeys = () => Promise<IDBPDatabase<KeySchema>>

/** Not in TypeScript's library yet: https://wicg.github.io/storage-buckets */
type StorageBuckets = { open(name: string): Promise<{ indexedDB: IDBFactory }>; delete(name: string): Promise<void> }

/** The keys of one vault. */
export class KeyDatabase {
  protected constructor(private readonly open: OpenKeys) {}

  /** In a database beside the records, so that the browser keeps or drops both together: for keys that nothing could bring back. */
  static besideRecords(name: string): KeyDatabase {
    return new KeyDatabase(() => openKeys(indexedDB, databaseName(name)))
  }

  read(): Promise<StoredKey[]> {
    return this.with(async (db) => {
      const tx = db.transaction('keys')
      // Until its end: a deletion that comes before it would abort it.
      const [keys] = await Promise.all([tx.store.getAll(), tx.done])
      return keys
    })
  }

  store(keys: readonly StoredKey[]): Promise<void> {
    return this.with(async (db) => {
      const tx = db.transaction('keys', 'readwrite', { durability: 'strict' })
      await Promise.all([...keys.map((key) => tx.store.put(key)), tx.done])
    })
  }

  /** Opened for one action and closed again: open, it would block the deletion that erases the keys. */
  private async with<T>(action: (db: IDBPDatabase<KeySchema>) => Promise<T>): Promise<T> {
    const db = await this.open()
    try {
      return await action(db)
    } finally {
      db.close()
    }
  }
}

/**
 * Keys that can be erased. Deleting a database does not do that in Chromium: about one time in ten its bytes stay in the files that all databases of an origin
 * share. A storage bucket has files of its own, which are gone with it. Where there are no buckets the database is deleted, and others around it, which makes
 * the browser rewrite its files.
 */
export class ErasableKeyDatabase extends KeyDatabase {
  private constructor(
    private readonly name: string,
    private readonly buckets: StorageBuckets | undefined,
  ) {
    super(async () => openKeys(buckets ? (await buckets.open(databaseName(name))).indexedDB : indexedDB, databaseName(name)))
  }

  static of(name: string): ErasableKeyDatabase {
    return new ErasableKeyDatabase(name, 'storageBuckets' in navigator ? (navigator.storageBuckets as StorageBuckets) : undefined)
  }

  async erase(): Promise<void> {
    if (this.buckets) return this.buckets.delete(databaseName(this.name))
    await rewriteFiles(this.name)
    await deleteDB(databaseName(this.name))
    await rewriteFiles(this.name)
  }
}

const databaseName = (name: string): string => `${name}-keys`

function openKeys(factory: IDBFactory, name: string): Promise<IDBPDatabase<KeySchema>> {
  const request = factory.open(name, 1)
  request.onupgradeneeded = () => void request.result.createObjectStore('keys', { keyPath: 'kid' })
  return wrap(request) as Promise<IDBPDatabase<KeySchema>>
}

async function rewriteFiles(name: string): Promise<void> {
  const filler = `${name}-filler`
  const db = await openDB(filler, 1)
  db.close()
  await deleteDB(filler)
}
