import type { Message } from '@parley/contract/chat'
import type { Db } from '../../db/client'
import { nameOf } from './member-service'
import { nameParts } from './member-store'
import { type MessageRow, messageOf } from './message-row'
import { fromStored } from './stored-text'

/** Messages as one person reads them: what others asked carries their name, empty where their account is gone. */
export async function messagesFor(db: Db, readerId: string, rows: readonly MessageRow[]): Promise<Message[]> {
  const others = rows.flatMap(({ authorUserId }) => (authorUserId === null || authorUserId === readerId ? [] : [authorUserId]))
  const names = await nameParts(db, [...new Set(others)])
  return rows.map((row) => {
    const message = messageOf(row)
    if (row.authorUserId === readerId) return message
    const parts = names.get(row.authorUserId ?? '')
    const author = row.authorUserId === null || !parts ? { name: fromStored(row.authorName ?? '') } : { id: row.authorUserId, name: nameOf(parts) }
    return { ...message, author }
  })
}
