import { AppError } from '@parley/contract/errors'
import type { IDBPTransaction } from 'idb'
import type { Schema, SealedRecord, Table, TableName } from './database'
import type { Device } from './device'
import { assertReadable, type Found, isSameRecord } from './readable'
import type { Vault } from './vault'
import { generationId, readGeneration } from './vault-record'

type Transaction = IDBPTransaction<Schema, TableName[], 'readwrite'>
type Key<T extends Table> = Schema[T]['key'] | IDBKeyRange

/** Each turn proves the records that the one before met; only another tab that writes all the time makes more of them. */
const maxTurns = 10

/** So many of the records that a page has written last need no opening before they are written again: an answer is saved each second. */
const maxRecent = 50
const recent = new WeakMap<Vault, Map<string, SealedRecord>>()

/**
 * Writes what was sealed, in one transaction that looks whether its key is still the one to write with: after a change of the vault in another tab the device
 * is opened again and everything sealed anew. `relaxed` is sooner done, but a loss of power may take it. `seal` gets the device and gives what writes; it may be
 * called again. Waiting for anything but the transaction would end it.
 */
export async function writeSealed<R>(
  openDevice: () => Promise<Device>,
  tables: readonly Table[],
  seal: (device: Device) => Promise<(records: WritableRecords) => Promise<R>>,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<R> {
  const readable = new Map<string, SealedRecord>()
  let sealed: { device: Device; write: (records: WritableRecords) => Promise<R> } | undefined
  for (let turn = 0; turn < maxTurns; turn++) {
    const device = await openDevice()
    try {
      if (sealed?.device !== device) sealed = { device, write: await seal(device) }
    } catch (error) {
      // With keys of before a change nothing can be said about what they do not open.
      if ((await readGeneration(device.db)) === device.generation) throw error
      device.forget()
      continue
    }
    const tx: Transaction = device.db.transaction([...tables, 'meta'], 'readwrite', { durability })
    const ended = tx.done.catch(() => undefined)
    try {
      const generation = Number((await tx.objectStore('meta').get(generationId))?.value ?? 0)
      if (generation === device.generation) {
        const written: Found[] = []
        const known = recent.get(device.vault)
        const isReadable = ({ table, record }: Found): boolean => {
          const name = nameOf({ table, record })
          return [readable.get(name), known?.get(name)].some((each) => each !== undefined && isSameRecord(each, record))
        }
        const result = await sealed.write(new WritableRecords(tx, isReadable, written))
        await tx.done
        remember(device.vault, written)
        return result
      }
      device.forget()
      await ended
    } catch (error) {
      abort(tx)
      await ended
      if (!(error instanceof UnprovedRecords)) throw error
      for (const found of error.records) await assertReadable(device.vault, found)
      for (const found of error.records) readable.set(nameOf(found), found.record)
    }
  }
  throw new AppError('storage.unavailable')
}

/** Not known yet to be readable: the transaction begins again once they were opened. */
class UnprovedRecords extends Error {
  constructor(readonly records: Found[]) {
    super('records that nobody has opened yet')
  }
}

/**
 * The one way to change records. It holds the rule that what cannot be read, because its key is gone, it was damaged or a later version wrote it, is never
 * written over and never moved away: a record is replaced, or removed after a copy, only when this call has opened it as it stands. Throws
 * storage.unreadable and storage.newer-version.
 */
export class WritableRecords {
  constructor(
    private readonly tx: Transaction,
    private readonly isReadable: (found: Found) => boolean,
    private readonly written: Found[],
  ) {}

  /** The record as it stands; what is written because of it must be able to trust it. */
  async own<T extends Table>(table: T, key: Schema[T]['key']): Promise<Schema[T]['value'] | undefined> {
    const record = await this.read(table).get(key)
    if (record) this.assertProved(table, [record])
    return record
  }

  read<T extends Table>(table: T) {
    const store = this.tx.objectStore(table)
    return {
      get: (key: Schema[T]['key']): Promise<Schema[T]['value'] | undefined> => store.get(key),
      getAll: (range?: IDBKeyRange): Promise<Schema[T]['value'][]> => store.getAll(range),
      getKey: (key: Schema[T]['key']): Promise<Schema[T]['key'] | undefined> => store.getKey(key),
    }
  }

  /** A message by its id; its place in the chat is not known. */
  message(chatId: string, mId: string): Promise<Schema['messages']['value'] | undefined> {
    return this.tx.objectStore('messages').index('byId').get([chatId, mId])
  }

  /** Fails where there is one with this key already. */
  async add<T extends Table>(table: T, record: Schema[T]['value']): Promise<void> {
    await this.tx.objectStore(table).add(record)
  }

  async put<T extends Table>(table: T, record: Schema[T]['value']): Promise<void> {
    const key = 'chatId' in record ? [record.chatId, record.position] : record.id
    await this.own(table, key as Schema[T]['key'])
    await this.tx.objectStore(table).put(record)
    if ('c' in record) this.written.push({ table, record } as Found)
  }

  /** Of what was copied elsewhere, or is replaced. */
  async removeReadable<T extends Table>(table: T, key: Key<T>): Promise<void> {
    this.assertProved(table, await this.tx.objectStore(table).getAll(key))
    await this.tx.objectStore(table).delete(key)
  }

  /** By the person's own word, who sees what cannot be read as such. */
  async removeWanted<T extends Table>(table: T, key: Key<T>): Promise<void> {
    await this.tx.objectStore(table).delete(key)
  }

  private assertProved(table: Table, records: readonly Schema[Table]['value'][]): void {
    const unproved: Found[] = []
    for (const record of records) {
      if (!('c' in record)) continue
      const found = { table, record } as Found
      if (!this.isReadable(found)) unproved.push(found)
    }
    if (unproved.length > 0) throw new UnprovedRecords(unproved)
  }
}

function remember(vault: Vault, written: readonly Found[]): void {
  const known = recent.get(vault) ?? new Map<string, SealedRecord>()
  for (const found of written.slice(-maxRecent)) {
    known.delete(nameOf(found))
    known.set(nameOf(found), found.record)
  }
  for (const name of known.keys()) if (known.size > maxRecent) known.delete(name)
  recent.set(vault, known)
}

const nameOf = ({ table, record }: Found): string => JSON.stringify([table, record.id, 'chatId' in record && record.chatId])

function abort(tx: { abort(): void }): void {
  try {
    tx.abort()
  } catch {
    // It has ended by itself.
  }
}
