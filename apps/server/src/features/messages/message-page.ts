import type { MessagesPage } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import { type AccessRequest, type ChannelAccess, requireAccess } from '../channels/public/channel-access'
import { hasMessagesFrom, nextMessages, positionOf } from './message-lookup-store'
import { type PathStep, pathTo, treeIn } from './path-store'
import type { MessageRow } from './public/message-row'
import { countMessages, messagesOf, newestMessages } from './public/message-store'
import { messagesForReader } from './public/messages-for-reader'
import { readPath } from './public/shown-messages'
import { isStorable } from './public/stored-text'
import { newestThrough } from './tree-choice'

/** `before` and `after` are cursors, `around` is the id of a message; each of them overrides `page`. */
type PageRequest = {
  page: number
  size: number
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
}

/** Consecutive messages, oldest first, and whether the channel has others on either side. */
type Slice = { rows: MessageRow[]; hasOlder: boolean; hasNewer: boolean }

/**
 * A page of the messages that somebody reads of a channel; page 0 is the newest. In a channel with branches these are
 * the ones on the path to their head or, `around` one that is not there, on the newest path through that. Throws
 * channel.not-found; not-found for an unknown `around`.
 */
export async function messagesPage(db: Db, access: AccessRequest, request: PageRequest): Promise<MessagesPage> {
  const which = await requireAccess(db, access)
  const path = await pathOf(db, which, request.around)
  const { rows, hasOlder, hasNewer } = await (path
    ? sliceOfPath(db, which, path, request)
    : sliceOf(db, which, request))
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    content: await messagesForReader(db, which, rows, path),
    page: request.page,
    size: request.size,
    total: path ? path.length : await countMessages(db, which),
    ...(hasOlder && first ? { cursor: String(first.position) } : {}),
    ...(hasNewer && last ? { newer: String(last.position + 1) } : {}),
  }
}

async function pathOf(db: Db, which: ChannelAccess, around: string | undefined): Promise<PathStep[] | undefined> {
  const path = await readPath(db, which)
  if (!path || around === undefined || path.some(({ mId }) => mId === around)) return path
  const leaf = newestThrough(await treeIn(db, which), around)
  if (leaf === undefined) throw new AppError('not-found')
  return pathTo(db, which, leaf)
}

/** The page of a path, which is cut before its rows are read. */
async function sliceOfPath(
  db: Db,
  which: ChannelAccess,
  path: readonly PathStep[],
  { page, size, before, after, around }: PageRequest,
): Promise<Slice> {
  const indexOf = (position: number): number => {
    const index = path.findIndex((step) => step.position >= position)
    return index === -1 ? path.length : index
  }
  const start = (): number => {
    if (around !== undefined) return Math.max(0, path.findIndex(({ mId }) => mId === around) - Math.floor(size / 2))
    if (after !== undefined) return indexOf(positionOfCursor(after))
    return (before === undefined ? path.length - page * size : indexOf(positionOfCursor(before))) - size
  }
  const from = start()
  const [first, end] = [Math.max(0, from), Math.max(0, from + size)]
  const rows = await messagesOf(
    db,
    which,
    path.slice(first, end).map(({ mId }) => mId),
  )
  return { rows, hasOlder: first > 0, hasNewer: end < path.length }
}

function sliceOf(db: Db, which: ChannelAccess, { page, size, before, after, around }: PageRequest): Promise<Slice> {
  if (around !== undefined) return sliceAround(db, which, around, size)
  if (after !== undefined) return sliceAfter(db, which, positionOfCursor(after), size)
  return sliceBefore(
    db,
    which,
    before === undefined ? { offset: page * size } : { before: positionOfCursor(before) },
    size,
  )
}

// Each query reads one row more than it returns, which tells whether there are more.

async function sliceBefore(
  db: Db,
  which: ChannelAccess,
  end: { offset: number } | { before: number },
  size: number,
): Promise<Slice> {
  const newest = await newestMessages(db, which, { ...end, limit: size + 1 })
  const rows = newest.slice(0, size).reverse()
  const last = rows.at(-1)
  const isNewest = 'offset' in end && end.offset === 0
  return {
    rows,
    hasOlder: newest.length > size,
    hasNewer: !isNewest && last !== undefined && (await hasMessagesFrom(db, which, last.position + 1)),
  }
}

async function sliceAfter(db: Db, which: ChannelAccess, from: number, size: number): Promise<Slice> {
  const [next, older] = [
    await nextMessages(db, which, { from, limit: size + 1 }),
    await newestMessages(db, which, { before: from, limit: 1 }),
  ]
  return { rows: next.slice(0, size), hasOlder: older.length > 0, hasNewer: next.length > size }
}

async function sliceAround(db: Db, which: ChannelAccess, mId: string, size: number): Promise<Slice> {
  const position = isStorable(mId) ? await positionOf(db, { ...which, mId }) : undefined
  if (position === undefined) throw new AppError('not-found')
  const olderSize = Math.floor(size / 2)
  const older = await newestMessages(db, which, { before: position, limit: olderSize + 1 })
  const next = await nextMessages(db, which, { from: position, limit: size - olderSize + 1 })
  const rows = [...older.slice(0, olderSize).reverse(), ...next.slice(0, size - olderSize)]
  return { rows, hasOlder: older.length > olderSize, hasNewer: next.length > size - olderSize }
}

function positionOfCursor(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new AppError('validation')
  return Number(cursor)
}
