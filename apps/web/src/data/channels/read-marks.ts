// How far a person has read each channel on this device. A mark tells ids and times and nothing of what was said, so
// that it is plain, in the vault of its person.
import * as z from 'zod/mini'
import type { LocalDatabase } from '../local/database'
import { readMarkId, readMarkRange } from './chat-keys'
import { openDeviceOf } from './device-of'

/** The last message that the person has looked at. `isOver`: with its whole answer. */
const ReadMark = z.object({ mId: z.string(), isOver: z.boolean(), at: z.string() })
export type ReadMark = Pick<z.infer<typeof ReadMark>, 'mId' | 'isOver'>

/** Marks of channels that are gone from the cloud make room for new ones. */
const maxMarks = 500

/** Undefined where this person has never looked at the channel on this device, and for a mark that cannot be read. */
export async function readReadMark(channelId: string): Promise<ReadMark | undefined> {
  const { db } = await openDeviceOf(channelId)
  return markOf((await db.get('meta', readMarkId(channelId)))?.value)
}

/** Notes how far the person has read. The oldest mark goes where there are too many. */
export async function writeReadMark(channelId: string, { mId, isOver }: ReadMark, now = new Date()): Promise<void> {
  const { db } = await openDeviceOf(channelId)
  const id = readMarkId(channelId)
  const isNew = (await db.get('meta', id)) === undefined
  await db.put('meta', { id, value: JSON.stringify({ mId, isOver, at: now.toISOString() }) })
  if (isNew) await removeOldest(db)
}

async function removeOldest(db: LocalDatabase): Promise<void> {
  const records = await db.getAll('meta', readMarkRange())
  if (records.length <= maxMarks) return
  const marks = records.map(({ id, value }) => ({ id, at: markOf(value)?.at ?? '' }))
  const oldest = marks.sort((a, b) => (a.at < b.at ? -1 : 1)).slice(0, -maxMarks)
  await Promise.all(oldest.map(({ id }) => db.delete('meta', id)))
}

function markOf(value: string | undefined): z.infer<typeof ReadMark> | undefined {
  if (value === undefined) return undefined
  try {
    const mark = z.safeParse(ReadMark, JSON.parse(value))
    return mark.success ? mark.data : undefined
  } catch {
    return undefined
  }
}
