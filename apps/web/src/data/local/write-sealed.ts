import { AppError } from '@parley/contract/errors'
import type { IDBPTransaction, StoreNames } from 'idb'
import type { Schema } from './database'
import type { Device } from './device'
import { generationId } from './vault-record'

type Table = Exclude<StoreNames<Schema>, 'meta'>
type Write<T extends Table> = IDBPTransaction<Schema, (T | 'meta')[], 'readwrite'>

/**
 * Writes what was sealed, in one transaction that looks whether its key is still the one to write with: after a change of the vault in another tab the device
 * is opened again and everything sealed anew. `relaxed` is sooner done, but a loss of power may take it. `seal` gets the device and gives what writes; waiting for anything but the transaction would end it.
 */
export async function writeSealed<T extends Table, R>(
  openDevice: () => Promise<Device>,
  tables: readonly T[],
  seal: (device: Device) => Promise<(tx: Write<T>) => Promise<R>>,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<R> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const device = await openDevice()
    const write = await seal(device)
    const tx = device.db.transaction([...tables, 'meta'], 'readwrite', { durability })
    const ended = tx.done.catch(() => undefined)
    try {
      const generation = Number((await tx.objectStore('meta').get(generationId))?.value ?? 0)
      if (generation === device.generation) {
        const result = await write(tx)
        await tx.done
        return result
      }
      device.forget()
      await ended
    } catch (error) {
      abort(tx)
      await ended
      throw error
    }
  }
  throw new AppError('storage.unavailable')
}

function abort(tx: { abort(): void }): void {
  try {
    tx.abort()
  } catch {
    // It has ended by itself.
  }
}
