import type { Message } from '@parley/contract/chat'
import { answerVersions, treeOf, versionOf } from '@parley/contract/conversation-tree'
import type { Db } from '../../../db/client'
import { displayNamesOf } from '../../auth/public/display-name'
import type { OwnedChannel } from '../../channels/public/channel-row-store'
import type { PathStep } from '../path-store'
import { exchangeOf } from '../run-row'
import { followersOf, placesOf, runHeadsOf } from '../version-store'
import { type MessageRow, shownRunOf } from './message-row'
import { shownMessages } from './shown-messages'
import { fromStored } from './stored-text'

type Reader = OwnedChannel & { actorId: string }

/**
 * Messages of one channel as somebody reads them: other people's with their author's name, which is empty for a deleted
 * account, and each with its versions. `path`: what they read, in a channel with branches.
 */
export async function messagesForReader(
  db: Db,
  reader: Reader,
  rows: readonly MessageRow[],
  path?: readonly PathStep[],
): Promise<Message[]> {
  if (rows.length === 0) return []
  const messages = await shownMessages(db, reader, rows, path)
  const authors = await authorsOf(db, reader.actorId, rows)
  const versions = await versionsOf(db, reader, rows, path)
  const places = path ? new Map<string, string | null>() : await placesOf(db, reader, unplaced(rows))
  return messages.map((message, index) => {
    const row = rows[index]
    if (!row) return message
    const [author, ownVersions] = [authors.get(row.mId), versions.get(row.mId)]
    return {
      ...message,
      ...(author ? { author } : {}),
      afterRunId: places.get(row.mId) ?? (row.afterRunId || null),
      ...(row.isPinned ? { isPinned: true as const } : {}),
      ...(ownVersions ? { versions: ownVersions } : {}),
    }
  })
}

const unplaced = (rows: readonly MessageRow[]): string[] =>
  rows.filter(({ afterRunId }) => afterRunId === '').map(({ mId }) => mId)

type AuthorRow = Pick<MessageRow, 'mId' | 'authorUserId' | 'authorName'>

/** The authors of these messages, other than the reader, by message. */
export async function authorsOf(
  db: Db,
  readerId: string,
  rows: readonly AuthorRow[],
): Promise<Map<string, NonNullable<Message['author']>>> {
  const others = rows.filter(({ authorUserId }) => authorUserId !== readerId)
  const authorIds = others.flatMap(({ authorUserId }) => (authorUserId === null ? [] : [authorUserId]))
  const names = await displayNamesOf(db, [...new Set(authorIds)])
  return new Map(
    others.map(({ mId, authorUserId, authorName }) => {
      const name = names.get(authorUserId ?? '')
      return authorUserId === null || name === undefined
        ? [mId, { name: fromStored(authorName ?? '') }]
        : [mId, { id: authorUserId, name }]
    }),
  )
}

/** Questions have versions only in a channel with branches. */
async function versionsOf(
  db: Db,
  which: OwnedChannel,
  rows: readonly MessageRow[],
  path: readonly PathStep[] | undefined,
): Promise<Map<string, NonNullable<Message['versions']>>> {
  const mIds = rows.map(({ mId }) => mId)
  const runs = await runHeadsOf(db, which, mIds)
  const onPath = new Map(path?.map(({ mId, runId }) => [mId, runId]))
  const followed = rows.map(({ afterRunId }) => afterRunId)
  const siblings = path ? await followersOf(db, which, [...new Set(followed)]) : []
  const found = new Map<string, NonNullable<Message['versions']>>()
  for (const row of rows) {
    const questions = siblings.filter(({ afterRunId }) => afterRunId === row.afterRunId).map(({ mId }) => mId)
    // A tree of its own: imported messages may name one run twice.
    const own = runs.filter(({ exchangeId }) => exchangeId === row.mId)
    const tree = treeOf([exchangeOf(row)], own)
    const answers = answerVersions(tree, row.mId).map(({ id }) => id)
    const shownId = onPath.get(row.mId) ?? shownRunOf(row)
    const versions = {
      ...(questions.length > 1 ? { questions } : {}),
      ...(answers.length > 1 ? { answers, answer: versionOf(tree, shownId)?.id ?? shownId } : {}),
    }
    if (Object.keys(versions).length > 0) found.set(row.mId, versions)
  }
  return found
}
