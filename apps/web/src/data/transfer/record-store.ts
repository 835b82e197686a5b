import * as z from 'zod/mini'
import { openDevice } from '../local/device'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import type { DataRecord, RecordType } from './entries'

const Stored = z.looseObject({ id: z.string() })
const place = (type: RecordType, id: string) => ({ table: type, id, channelId: id })

/** The assistants, documents and users that are kept on this device. What cannot be read is left out. */
export async function deviceRecords(type: RecordType): Promise<DataRecord[]> {
  return orStorageError(async () => {
    const { db, vault } = await openDevice()
    const records: DataRecord[] = []
    for (const sealed of await db.getAll(type)) {
      const { data } = z.safeParse(Stored, await vault.open(place(type, sealed.id), sealed).catch(() => undefined))
      if (data) records.push(data)
    }
    return records
  })
}

/** Answers false where there is one with this id that is not to be replaced. */
export async function putDeviceRecord(type: RecordType, record: DataRecord, isReplacing: boolean): Promise<boolean> {
  return orStorageError(() =>
    writeSealed(openDevice, [type], async ({ vault }) => {
      const sealed = await vault.seal(place(type, record.id), record)
      return async (records) => {
        if (!isReplacing && (await records.read(type).getKey(record.id)) !== undefined) return false
        // A document is found by its channel; one that belongs to none stands by itself.
        await records.put(type, type === 'documents' ? { channelId: record.id, id: record.id, ...sealed } : { id: record.id, ...sealed })
        return true
      }
    }),
  )
}
