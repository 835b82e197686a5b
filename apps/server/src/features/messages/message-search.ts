import type { MessageHit } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { passageOf, type SearchWords, searchWords } from '@parley/contract/search-text'
import type { Db } from '../../db/client'
import { findBest, findNewest, type MatchingMessage, type SortKey } from './message-search-store'
import { fromStored, isStorable } from './public/stored-text'

type SearchRequest = { q: string; order?: 'best' | 'newest' | undefined; cursor?: string | undefined }
type SearchPage = { results: MessageHit[]; cursor?: string }

/**
 * Messages that contain all words of the query, in channels that the person owns or is a member of. Throws validation
 * for an invalid cursor.
 */
export async function searchMessages(
  db: Db,
  actorId: string,
  { q, order = 'best', cursor }: SearchRequest,
): Promise<SearchPage> {
  const words = searchWords(q)
  const size = serverLimits.cloud.searchResults
  // One more than the page shows tells whether there are more.
  const limit = size + 1
  if (order === 'newest') {
    const after = cursor === undefined ? undefined : sortKeyOf(cursor)
    const matches = words.terms.length === 0 ? [] : await findNewest(db, actorId, words.terms, { limit, after })
    return pageOf(matches, words, (last) => cursorOf(last.sortKey))
  }
  const offset = cursor === undefined ? 0 : offsetOf(cursor)
  const matches = words.terms.length === 0 ? [] : await findBest(db, actorId, words.terms, { limit, offset })
  return pageOf(matches, words, () => String(offset + size))
}

function pageOf(
  matches: readonly MatchingMessage[],
  words: SearchWords,
  cursorAfter: (last: MatchingMessage) => string,
): SearchPage {
  const page = matches.slice(0, serverLimits.cloud.searchResults)
  const last = page.at(-1)
  const results = page.map(({ channelId, channelName, mId, askedAt, question, answer }) => ({
    channelId,
    channelName,
    mId,
    datetime: fromStored(askedAt),
    ...passageOf(fromStored(question), fromStored(answer), words),
  }))
  return { results, ...(last && matches.length > page.length ? { cursor: cursorAfter(last) } : {}) }
}

const cursorOf = ({ time, position, channelId }: SortKey): string => `${time}.${position}.${channelId}`

function sortKeyOf(cursor: string): SortKey {
  const [, time = '', position = '', channelId = ''] = /^(\d{1,16})\.(\d{1,15})\.(.+)$/s.exec(cursor) ?? []
  if (channelId === '' || !isStorable(channelId)) throw new AppError('validation')
  return { time, position: Number(position), channelId }
}

function offsetOf(cursor: string): number {
  if (!/^\d{1,4}$/.test(cursor)) throw new AppError('validation')
  return Number(cursor)
}
