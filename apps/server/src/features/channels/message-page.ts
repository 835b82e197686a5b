import type { MessagesPage } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import { type Access, type Asker, requireAccess } from './access-service'
import { messagesFor } from './message-authors'
import type { MessageRow } from './message-row'
import { countMessages, hasMessagesFrom, newestMessages, nextMessages, positionOf } from './message-store'
import { isStorable } from './stored-text'

/** `before` and `after` are cursors, `around` is the id of a message; each goes before the page's number. */
type Wanted = { page: number; size: number; before?: string | undefined; after?: string | undefined; around?: string | undefined }

/** Messages of a channel in their order, and whether it has others on either side. */
type Stretch = { rows: MessageRow[]; hasOlder: boolean; hasNewer: boolean }

/** A page of a channel's messages; page 0 is the newest. Throws channel.not-found; not-found where the message to be around is not in the channel. */
export async function messagesPage(db: Db, asker: Asker, wanted: Wanted): Promise<MessagesPage> {
  const which = await requireAccess(db, asker)
  const { rows, hasOlder, hasNewer } = await stretchOf(db, which, wanted)
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    content: await messagesFor(db, asker.actorId, rows),
    page: wanted.page,
    size: wanted.size,
    total: await countMessages(db, which),
    ...(hasOlder && first ? { cursor: String(first.position) } : {}),
    ...(hasNewer && last ? { newer: String(last.position + 1) } : {}),
  }
}

function stretchOf(db: Db, which: Access, { page, size, before, after, around }: Wanted): Promise<Stretch> {
  if (around !== undefined) return stretchAround(db, which, around, size)
  if (after !== undefined) return stretchAfter(db, which, cursorPosition(after), size)
  return stretchBefore(db, which, before === undefined ? { offset: page * size } : { before: cursorPosition(before) }, size)
}

// In all of them one more than asked for tells whether there are more.

async function stretchBefore(db: Db, which: Access, place: { offset: number } | { before: number }, size: number): Promise<Stretch> {
  const newest = await newestMessages(db, which, { ...place, limit: size + 1 })
  const rows = newest.slice(0, size).reverse()
  const last = rows.at(-1)
  const isNewest = 'offset' in place && place.offset === 0
  return { rows, hasOlder: newest.length > size, hasNewer: !isNewest && last !== undefined && (await hasMessagesFrom(db, which, last.position + 1)) }
}

async function stretchAfter(db: Db, which: Access, from: number, size: number): Promise<Stretch> {
  const [next, older] = [await nextMessages(db, which, { from, limit: size + 1 }), await newestMessages(db, which, { before: from, limit: 1 })]
  return { rows: next.slice(0, size), hasOlder: older.length > 0, hasNewer: next.length > size }
}

async function stretchAround(db: Db, which: Access, mId: string, size: number): Promise<Stretch> {
  const position = isStorable(mId) ? await positionOf(db, { ...which, mId }) : undefined
  if (position === undefined) throw new AppError('not-found')
  const olderSize = Math.floor(size / 2)
  const older = await newestMessages(db, which, { before: position, limit: olderSize + 1 })
  const next = await nextMessages(db, which, { from: position, limit: size - olderSize + 1 })
  const rows = [...older.slice(0, olderSize).reverse(), ...next.slice(0, size - olderSize)]
  return { rows, hasOlder: older.length > olderSize, hasNewer: next.length > size - olderSize }
}

function cursorPosition(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new AppError('validation')
  return Number(cursor)
}
