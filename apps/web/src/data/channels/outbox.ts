import { CreateChatMessage } from '@parley/contract/chat'
import * as z from 'zod/mini'
import type { Device } from '../local/device'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import { openDevice } from '../vault/open-device'
import { openDeviceOf } from './device-of'
import { temporaryDevice } from './temporary-chats'

/** A question until its answer is stored, exactly as it is sent. `mId`: its message in the channel. */
export type OutboxEntry = { mId: string; body: CreateChatMessage }

const Entry = z.object({ mId: z.string(), body: CreateChatMessage })
const bindingOf = (id: string, channelId: string) => ({ table: 'outbox', id, channelId })

export const outbox = {
  add(entry: OutboxEntry): Promise<void> {
    const { messageId: id, channelId } = entry.body
    return orStorageError(() =>
      writeSealed(
        () => openDeviceOf(channelId),
        ['outbox'],
        async ({ vault }) => {
          const sealed = await vault.seal(bindingOf(id, channelId), entry)
          return async (records) =>
            void (await records.put('outbox', { id, channelId, at: new Date().toISOString(), ...sealed }))
        },
      ),
    )
  },

  async remove(messageId: string): Promise<void> {
    const temporary = temporaryDevice()
    if (temporary && (await temporary.db.get('outbox', messageId))) return temporary.db.delete('outbox', messageId)
    await orStorageError(async () => (await openDevice()).db.delete('outbox', messageId))
  },

  async get(messageId: string): Promise<OutboxEntry | undefined> {
    return (await outbox.list()).find(({ body }) => body.messageId === messageId)
  },

  /** Oldest first, and those of temporary chats first. Unreadable entries are skipped and kept. */
  async list(): Promise<OutboxEntry[]> {
    const temporary = temporaryDevice()
    const inMemory = temporary ? await entriesIn(temporary) : []
    // A locked vault does not keep back what is only in this tab.
    const stored = orStorageError(async () => entriesIn(await openDevice()))
    return [...inMemory, ...(await (inMemory.length === 0 ? stored : stored.catch(() => [])))]
  },
}

async function entriesIn({ db, vault }: Device): Promise<OutboxEntry[]> {
  const records = (await db.getAll('outbox')).sort((a, b) => a.at.localeCompare(b.at))
  const opened = await Promise.all(
    records.map((record) => vault.open(bindingOf(record.id, record.channelId), record).catch(() => undefined)),
  )
  return opened.flatMap((value) => {
    const entry = z.safeParse(Entry, value)
    return entry.success ? [entry.data] : []
  })
}
