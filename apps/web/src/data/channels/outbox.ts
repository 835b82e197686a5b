import { CreateChatMessage } from '@parley/contract/chat'
import * as z from 'zod/mini'
import { openDevice } from '../local/device'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'

/** A question that the server has not accepted yet, exactly as it is sent. The message record it belongs to is `mId` of the channel. */
export type OutboxEntry = { mId: string; body: CreateChatMessage }

const Entry = z.object({ mId: z.string(), body: CreateChatMessage })
const place = (id: string, channelId: string) => ({ table: 'outbox', id, channelId })

export const outbox = {
  add(entry: OutboxEntry): Promise<void> {
    const { messageId: id, channelId } = entry.body
    return orStorageError(() =>
      writeSealed(openDevice, ['outbox'], async ({ vault }) => {
        const sealed = await vault.seal(place(id, channelId), entry)
        return async (records) => void (await records.put('outbox', { id, channelId, at: new Date().toISOString(), ...sealed }))
      }),
    )
  },

  remove(messageId: string): Promise<void> {
    return orStorageError(async () => (await openDevice()).db.delete('outbox', messageId))
  },

  async get(messageId: string): Promise<OutboxEntry | undefined> {
    return (await outbox.list()).find(({ body }) => body.messageId === messageId)
  },

  /** Oldest first. What cannot be opened stays where it is. */
  list(): Promise<OutboxEntry[]> {
    return orStorageError(async () => {
      const { db, vault } = await openDevice()
      const records = (await db.getAll('outbox')).sort((a, b) => a.at.localeCompare(b.at))
      const opened = await Promise.all(records.map((record) => vault.open(place(record.id, record.channelId), record).catch(() => undefined)))
      return opened.flatMap((value) => {
        const entry = z.safeParse(Entry, value)
        return entry.success ? [entry.data] : []
      })
    })
  },
}
