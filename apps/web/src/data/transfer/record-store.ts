import * as z from 'zod/mini'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import { openDevice } from '../vault/open-device'
import type { DataRecord, RecordType } from './entries'

const Stored = z.looseObject({ id: z.string() })
const bindingOf = (type: RecordType, id: string) => ({ table: type, id, channelId: id })

/** The assistants, documents and users stored on this device. Unreadable records are skipped. */
export async function deviceRecords(type: RecordType): Promise<DataRecord[]> {
  return orStorageError(async () => {
    const { db, vault } = await openDevice()
    const records: DataRecord[] = []
    for (const sealed of await db.getAll(type)) {
      const { data } = z.safeParse(Stored, await vault.open(bindingOf(type, sealed.id), sealed).catch(() => undefined))
      if (data) records.push(data)
    }
    return records
  })
}

/** Answers false where a record with this id exists and must not be replaced. */
export async function putDeviceRecord(type: RecordType, record: DataRecord, isReplacing: boolean): Promise<boolean> {
  return orStorageError(() =>
    writeSealed(openDevice, [type], async ({ vault }) => {
      const sealed = await vault.seal(bindingOf(type, record.id), record)
      return async (records) => {
        if (!isReplacing && (await records.read(type).getKey(record.id)) !== undefined) return false
        // A document is stored under its channel; one without a channel under its own id.
        await records.put(
          type,
          type === 'documents' ? { channelId: record.id, id: record.id, ...sealed } : { id: record.id, ...sealed },
        )
        return true
      }
    }),
  )
}
