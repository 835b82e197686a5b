import { AppError } from '@parley/contract/errors'
import type { IDBPTransaction } from 'idb'
import type { Device } from '../local/device'
import { scoped } from '../scope/scope'
import type { Schema, SealedRecord, Table, TableName } from './database'
import { exchangeBefore, exchangeById, readExchanges, type StoredExchange } from './exchange-records'
import { assertReadable, isSameRecord, type TableRecord } from './readable'
import type { Vault } from './vault'
import { generationId, readGeneration } from './vault-record'

type Transaction = IDBPTransaction<Schema, TableName[], 'readwrite'>
type Key<T extends Table> = Schema[T]['key'] | IDBKeyRange

/**
 * Each retry verifies the records that the last attempt would have overwritten; only another tab that writes all the
 * time causes more retries.
 */
const maxTurns = 10

/**
 * The number of recently written records that are known to be readable without decrypting them again: a streamed answer
 * is saved each second.
 */
const maxRecent = 50
const recentWrites = scoped(() => new WeakMap<Vault, Map<string, SealedRecord>>())

/** Tells that this call has decrypted a record. */
export type NoteRead = (...found: TableRecord[]) => void
type Seal<R> = (device: Device, noteRead: NoteRead) => Promise<(records: WritableRecords) => Promise<R>>

/** Thrown by a write whose records are not those that were read before its transaction: it is sealed again. */
export class OutdatedRead extends Error {}

/**
 * Writes encrypted records in one transaction, which checks that the vault's generation is still current: after another
 * tab has changed the vault, the device is opened again and everything encrypted again. `relaxed` commits sooner, but a
 * power loss may undo it. `seal` gets the device and returns the function that writes; it may be called again. Inside
 * the transaction, awaiting anything else would end it.
 */
export async function writeSealed<R>(
  openDevice: () => Promise<Device>,
  tables: readonly Table[],
  seal: Seal<R>,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<R> {
  const readable = new Map<string, SealedRecord>()
  const noteRead: NoteRead = (...found) => {
    for (const each of found) readable.set(nameOf(each), each.record)
  }
  let sealed: { device: Device; write: (records: WritableRecords) => Promise<R> } | undefined
  for (let turn = 0; turn < maxTurns; turn++) {
    const device = await openDevice()
    try {
      if (sealed?.device !== device) sealed = { device, write: await seal(device, noteRead) }
    } catch (error) {
      // With outdated keys a failure to decrypt says nothing about the record.
      if ((await readGeneration(device.db)) === device.generation) throw error
      device.forget()
      continue
    }
    const tx: Transaction = device.db.transaction([...tables, 'meta'], 'readwrite', { durability })
    const ended = tx.done.catch(() => undefined)
    try {
      const generation = Number((await tx.objectStore('meta').get(generationId))?.value ?? 0)
      if (generation === device.generation) {
        const written: TableRecord[] = []
        const known = recentWrites().get(device.vault)
        const isReadable = ({ table, record }: TableRecord): boolean => {
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
      if (error instanceof OutdatedRead) sealed = undefined
      else if (error instanceof UnverifiedRecords) {
        for (const found of error.records) await assertReadable(device.vault, found)
        noteRead(...error.records)
        remember(device.vault, error.records)
      } else throw error
    }
  }
  throw new AppError('storage.unavailable')
}

/** Records that are not known to be readable: the transaction is retried after they were decrypted. */
class UnverifiedRecords extends Error {
  constructor(readonly records: TableRecord[]) {
    super('records that nobody has opened yet')
  }
}

/**
 * The only way to change records. It enforces the rule that an unreadable record, because its key is gone, it was
 * damaged or a later version wrote it, is never overwritten and never moved away: a record is replaced, or removed
 * after a copy, only when this call has decrypted its current version. Throws storage.unreadable and
 * storage.newer-version.
 */
export class WritableRecords {
  constructor(
    private readonly tx: Transaction,
    private readonly isReadable: (found: TableRecord) => boolean,
    private readonly written: TableRecord[],
  ) {}

  /** The current record, known to be readable: the write that depends on it may trust it. */
  async own<T extends Table>(table: T, key: Schema[T]['key']): Promise<Schema[T]['value'] | undefined> {
    const record = await this.read(table).get(key)
    if (record) this.assertVerified(table, [record])
    return record
  }

  read<T extends Table>(table: T) {
    const store = this.tx.objectStore(table)
    return {
      get: (key: Schema[T]['key']): Promise<Schema[T]['value'] | undefined> => store.get(key),
      getAll: (range?: IDBKeyRange): Promise<Schema[T]['value'][]> => store.getAll(range),
      getKey: (key: Key<T>): Promise<Schema[T]['key'] | undefined> => store.getKey(key),
    }
  }

  /** An exchange by its id, without knowing its position, and its runs, oldest first. */
  async exchange(chatId: string, id: string): Promise<StoredExchange | undefined> {
    return exchangeById(this.tx, chatId, id)
  }

  /** The exchanges of a range of keys, with their runs. */
  exchanges(range: IDBKeyRange): Promise<StoredExchange[]> {
    return readExchanges(this.tx, range)
  }

  /** The last exchange of a chat before a position. */
  async exchangeBefore(chatId: string, position: number): Promise<StoredExchange | undefined> {
    return exchangeBefore(this.tx, chatId, position)
  }

  /** Notes how far something has come, with what it has written. */
  async note(id: string, value: string): Promise<void> {
    await this.tx.objectStore('meta').put({ id, value })
  }

  async removeNote(id: string): Promise<void> {
    await this.tx.objectStore('meta').delete(id)
  }

  /** Throws where a record with this key exists. */
  async add<T extends Table>(table: T, record: Schema[T]['value']): Promise<void> {
    await this.tx.objectStore(table).add(record)
  }

  async put<T extends Table>(table: T, record: Schema[T]['value']): Promise<void> {
    await this.own(table, keyOf(record) as Schema[T]['key'])
    await this.tx.objectStore(table).put(record)
    if ('c' in record) this.written.push({ table, record } as TableRecord)
  }

  /** Removes records that were copied elsewhere, or are replaced: only those that can be read. */
  async removeReadable<T extends Table>(table: T, ...keys: Key<T>[]): Promise<void> {
    const store = this.tx.objectStore(table)
    this.assertVerified(table, (await Promise.all(keys.map((key) => store.getAll(key)))).flat())
    await Promise.all(keys.map((key) => store.delete(key)))
  }

  /** Removes records because the person asked for it, also unreadable ones, which the person sees marked as such. */
  async removeAny<T extends Table>(table: T, key: Key<T>): Promise<void> {
    await this.tx.objectStore(table).delete(key)
  }

  private assertVerified(table: Table, records: readonly Schema[Table]['value'][]): void {
    const unproved: TableRecord[] = []
    for (const record of records) {
      if (!('c' in record)) continue
      const found = { table, record } as TableRecord
      if (!this.isReadable(found)) unproved.push(found)
    }
    if (unproved.length > 0) throw new UnverifiedRecords(unproved)
  }
}

function remember(vault: Vault, written: readonly TableRecord[]): void {
  const recent = recentWrites()
  const known = recent.get(vault) ?? new Map<string, SealedRecord>()
  for (const found of written.slice(-maxRecent)) {
    known.delete(nameOf(found))
    known.set(nameOf(found), found.record)
  }
  for (const name of known.keys()) if (known.size > maxRecent) known.delete(name)
  recent.set(vault, known)
}

const keyOf = (record: Schema[Table]['value']): IDBValidKey => {
  if ('exchangeId' in record) return [record.chatId, record.exchangeId, record.id]
  return 'position' in record ? [record.chatId, record.position] : record.id
}

const nameOf = ({ table, record }: TableRecord): string =>
  JSON.stringify([table, record.id, 'chatId' in record && record.chatId, 'exchangeId' in record && record.exchangeId])

function abort(tx: { abort(): void }): void {
  try {
    tx.abort()
  } catch {
    // The transaction has already ended.
  }
}
