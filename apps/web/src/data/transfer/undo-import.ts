// What an import replaced, sealed on this device for 30 days.
import { Channel, type StorageMode } from '@parley/contract/channels'
import { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import * as z from 'zod/mini'
import { allInCloud, fillCloud } from '../channels/fill-cloud'
import { cloudChannels, modeOf } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { isOfOneRecord } from '../channels/stops-everything'
import { whenAllowed } from '../channels/when-allowed'
import { announce } from '../local/changes'
import { openDevice } from '../local/device'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'

const Replaced = z.object({ channel: Channel, messages: z.array(Message) })
type Replaced = z.infer<typeof Replaced>
type Copy = Replaced & { id: string; at: string }

const place = (id: string, channelId: string) => ({ table: 'undo', id, channelId })
const maxAgeMs = limits.transfer.undoDays * 24 * 60 * 60 * 1_000

/** Kept before the chat is replaced. Throws AppError: then it must not be. `at`: of the import. */
export async function keepForUndo(replaced: Replaced, at: string): Promise<void> {
  const id = `${replaced.channel.id}|${at}`
  await orStorageError(() =>
    writeSealed(openDevice, ['undo'], async ({ vault }) => {
      const sealed = await vault.seal(place(id, replaced.channel.id), replaced)
      return (records) => records.put('undo', { id, channelId: replaced.channel.id, at, ...sealed })
    }),
  )
}

/** When the newest import that can be taken back was, and how many chats it replaced. What is too old is removed. */
export async function lastUndoable(now: Date = new Date()): Promise<{ at: string; chats: number } | undefined> {
  return orStorageError(async () => {
    const { db } = await openDevice()
    const records = await db.getAll('undo')
    const isOld = ({ at }: { at: string }): boolean => now.getTime() - Date.parse(at) > maxAgeMs
    const old = records.filter(isOld)
    if (old.length > 0)
      await writeSealed(openDevice, ['undo'], async () => async (write) => void (await Promise.all(old.map(({ id }) => write.removeWanted('undo', id)))))
    const times = records.filter((record) => !isOld(record)).map(({ at }) => at)
    const at = times.toSorted().at(-1)
    return at === undefined ? undefined : { at, chats: times.filter((each) => each === at).length }
  })
}

/**
 * Brings back the chats that the newest import replaced, each where it was. What was said in them since stays, after what they held; what the import brought
 * goes only where it took the place of something else. Answers how many chats that were. Called again after a failure it goes on.
 */
export async function undoImport(): Promise<number> {
  const last = await lastUndoable()
  if (!last) return 0
  let count = 0
  try {
    for (const copy of await copiesOfImport(last.at)) {
      await bringBack(copy)
      await writeSealed(openDevice, ['undo'], async () => (records) => records.removeWanted('undo', copy.id))
      count++
    }
    return count
  } finally {
    announce({ kind: 'channels' })
  }
}

async function copiesOfImport(at: string): Promise<Copy[]> {
  const { db, vault } = await openDevice()
  const copies: Copy[] = []
  for (const record of (await db.getAll('undo')).filter((each) => each.at === at)) {
    const value = await vault.open(place(record.id, record.channelId), record).catch((error: unknown) => {
      // One that cannot be read stays; the others can be brought back.
      if (!(error instanceof AppError && isOfOneRecord(error))) throw error
    })
    const replaced = z.safeParse(Replaced, value)
    if (replaced.success) copies.push({ ...replaced.data, id: record.id, at })
  }
  return copies
}

async function bringBack({ channel, messages, at }: Copy): Promise<void> {
  const mode: StorageMode = modeOf(channel)
  const known = new Set(messages.map(({ mId }) => mId))
  if (mode === 'local') {
    const now = await localChannels.readWhole(channel.id)
    const since = (now?.messages ?? []).filter(({ mId }) => !known.has(mId))
    await localChannels.importChannel({ ...channel, isLocked: now?.channel.isLocked ?? channel.isLocked }, [...messages, ...since], { isReplacing: true })
    announce({ kind: 'messages', channelId: channel.id })
    return
  }
  const there = await whenAllowed(() => cloudChannels.get(channel.id))
  if (!there) throw new AppError('channel.not-found')
  const since = (await allInCloud(channel.id)).filter(({ mId }) => !known.has(mId))
  const all = [...messages, ...since]
  // Kept with the copy before the chat is emptied: cut off there, the next try brings back all of it.
  if (since.length > 0) await keepForUndo({ channel, messages: all }, at)
  await whenAllowed(() => cloudChannels.clear(channel.id))
  await fillCloud(channel.id, all)
  if (there.channelName !== channel.channelName) await whenAllowed(() => cloudChannels.rename(channel.id, channel.channelName))
}
