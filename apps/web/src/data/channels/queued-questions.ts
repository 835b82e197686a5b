// Questions that wait in a channel until its answer has ended. They are records of the table `drafts`: written by the
// person and asked of nobody yet, removed with their channel in the same transaction, and re-encrypted with the others.
import { FilePart } from '@parley/contract/parts'
import * as z from 'zod/mini'
import { announce, announceHere } from '../local/changes'
import type { Device } from '../local/device'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import { openDevice } from '../vault/open-device'
import { queuedId, queuedIdsOf, queueRange } from './chat-keys'
import { openDeviceOf } from './device-of'
import { isTemporary, temporaryDevice } from './temporary-chats'

const Stored = z.object({
  text: z.string(),
  files: z.optional(z.array(FilePart)),
  isUrgent: z.optional(z.literal(true)),
})

/**
 * A question that waits, with what was added to it. `mId`: of the message that it becomes, so that a message with this
 * id tells that it was sent.
 * `isUrgent`: it goes before the others, also after an answer that failed.
 */
export type QueuedQuestion = { mId: string } & z.infer<typeof Stored>

const bindingOf = (id: string) => ({ table: 'drafts', id, channelId: id })

/** The name of the lock that a tab holds while it sends or changes a queue: one tab at a time over all tabs. */
export const queueLock = (channelId: string): string => `queue:${channelId}`

/** Of a temporary chat no other tab hears. */
export const tellOfQueue = (channelId: string): void =>
  (isTemporary(channelId) ? announceHere : announce)({ kind: 'queue', channelId })

/** In the order of sending. Unreadable records are skipped and kept. */
export function readQueue(channelId: string): Promise<QueuedQuestion[]> {
  return orStorageError(async () => queueOf(await openDeviceOf(channelId), channelId))
}

/** What waits in a vault for a channel. */
export async function queueOf({ db, vault }: Device, channelId: string): Promise<QueuedQuestion[]> {
  const records = await db.getAll('drafts', queueRange(channelId))
  const opened = await Promise.all(
    records.map(async (record) => {
      const value = await vault.open(bindingOf(record.id), record).catch(() => undefined)
      const [stored, ids] = [z.safeParse(Stored, value), queuedIdsOf(record.id)]
      return stored.success && ids ? [{ mId: ids.mId, ...stored.data }] : []
    }),
  )
  // The keys are in the order of asking.
  return opened.flat().toSorted((a, b) => Number(b.isUrgent ?? false) - Number(a.isUrgent ?? false))
}

/** The channels with questions that wait. */
export function queuedChannels(): Promise<Set<string>> {
  return orStorageError(async () => {
    const inMemory = (await temporaryDevice()?.db.getAllKeys('drafts')) ?? []
    const ids = [...inMemory, ...(await (await openDevice()).db.getAllKeys('drafts'))]
    return new Set(ids.flatMap((id) => queuedIdsOf(id)?.channelId ?? []))
  })
}

/** Adds a question, or replaces the one with its id. */
export async function putQueued(channelId: string, { mId, ...stored }: QueuedQuestion): Promise<void> {
  const id = queuedId(channelId, mId)
  await orStorageError(() =>
    writeSealed(
      () => openDeviceOf(channelId),
      ['drafts'],
      async ({ vault }) => {
        const sealed = await vault.seal(bindingOf(id), stored)
        return async (records) => void (await records.put('drafts', { id, ...sealed }))
      },
    ),
  )
  tellOfQueue(channelId)
}

export async function removeQueued(channelId: string, mId: string): Promise<void> {
  await orStorageError(async () => (await openDeviceOf(channelId)).db.delete('drafts', queuedId(channelId, mId)))
  tellOfQueue(channelId)
}

/** Removes the queue of a channel that was deleted, cleared or left. */
export async function forgetQueue(channelId: string): Promise<void> {
  await orStorageError(async () => (await openDeviceOf(channelId)).db.delete('drafts', queueRange(channelId)))
  tellOfQueue(channelId)
}
