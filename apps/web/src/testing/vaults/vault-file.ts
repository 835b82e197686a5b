import * as z from 'zod/mini'
import { fromBase64Url, toBase64Url } from '../../data/local/bytes'

// Vaults as files: what a version of the program left on a disk, for the tests of every later one.

/** One value of a record as JSON has it: bytes are spelt as { $bytes } and { $buffer }, keys as { $key }. */
type Spelt = null | boolean | number | string | Spelt[] | { [field: string]: Spelt }

export const VaultFile = z.object({
  /** The commit whose code wrote it. */
  madeBy: z.string(),
  databases: z.array(
    z.object({
      name: z.string(),
      version: z.number(),
      stores: z.array(
        z.object({
          name: z.string(),
          keyPath: z.union([z.string(), z.array(z.string())]),
          indexes: z.array(z.object({ name: z.string(), keyPath: z.array(z.string()), unique: z.boolean() })),
          records: z.array(z.record(z.string(), z.json())),
        }),
      ),
    }),
  ),
  /** What the version that wrote it answered for it: the channels, and the messages of each in their order. */
  channels: z.array(z.record(z.string(), z.json())),
  messages: z.record(z.string(), z.array(z.record(z.string(), z.json()))),
})
export type VaultFile = z.infer<typeof VaultFile>
type DatabaseFile = VaultFile['databases'][number]

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Everything that a database has, whatever its version. */
export async function dumpDatabase(name: string): Promise<DatabaseFile> {
  const db = await done(indexedDB.open(name))
  const stores: DatabaseFile['stores'] = []
  for (const store of db.objectStoreNames) {
    const { keyPath, indexNames, ...from } = describe(db.transaction(store).objectStore(store))
    const records = await Promise.all((await done<unknown[]>(from.store.getAll())).map(spell))
    const indexes = indexNames.map((each) => {
      const { keyPath: path, unique } = from.store.index(each)
      return { name: each, keyPath: [path].flat(), unique }
    })
    stores.push({ name: store, keyPath, indexes, records: records as DatabaseFile['stores'][number]['records'] })
  }
  const { version } = db
  db.close()
  return { name, version, stores }
}

const describe = (store: IDBObjectStore) => ({
  store,
  keyPath: store.keyPath as string | string[],
  indexNames: [...store.indexNames],
})

/** Puts a database on this browser's disk as the file has it, under another name where one is given. */
export async function restoreDatabase(file: DatabaseFile, name = file.name): Promise<void> {
  const opening = indexedDB.open(name, file.version)
  opening.onupgradeneeded = () => {
    for (const { name: store, keyPath, indexes } of file.stores) {
      const made = opening.result.createObjectStore(store, { keyPath })
      for (const index of indexes) made.createIndex(index.name, index.keyPath, { unique: index.unique })
    }
  }
  const db = await done(opening)
  for (const { name: store, records } of file.stores) {
    const values = await Promise.all(records.map((record) => readSpelt(record as Spelt)))
    const tx = db.transaction(store, 'readwrite')
    await Promise.all(values.map((value) => done(tx.objectStore(store).put(value))))
  }
  db.close()
}

async function spell(value: unknown): Promise<Spelt> {
  if (value instanceof Uint8Array) return { $bytes: toBase64Url(new Uint8Array(value)) }
  if (value instanceof ArrayBuffer) return { $buffer: toBase64Url(value) }
  if (value instanceof CryptoKey) return { $key: toBase64Url(await crypto.subtle.exportKey('raw', value)) }
  if (Array.isArray(value)) return Promise.all(value.map(spell))
  if (typeof value !== 'object' || value === null) return value as Spelt
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([field, each]) => [field, await spell(each)] as const)),
  )
}

async function readSpelt(spelt: Spelt): Promise<unknown> {
  if (Array.isArray(spelt)) return Promise.all(spelt.map(readSpelt))
  if (typeof spelt !== 'object' || spelt === null) return spelt
  if (typeof spelt.$bytes === 'string') return fromBase64Url(spelt.$bytes)
  if (typeof spelt.$buffer === 'string') return fromBase64Url(spelt.$buffer).buffer
  if (typeof spelt.$key === 'string')
    return crypto.subtle.importKey('raw', fromBase64Url(spelt.$key), 'AES-GCM', false, ['encrypt', 'decrypt'])
  return Object.fromEntries(
    await Promise.all(Object.entries(spelt).map(async ([field, each]) => [field, await readSpelt(each)] as const)),
  )
}
