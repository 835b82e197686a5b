import type { MessageHit } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { passageOf, type SearchWords, searchWords } from '@parley/contract/search-text'
import type { Db } from '../../db/client'
import { type FoundMessage, findBest, findNewest, type HitPlace } from './search-store'
import { fromStored, isStorable } from './stored-text'

type Wanted = { q: string; order?: 'best' | 'newest' | undefined; cursor?: string | undefined }
type Hits = { results: MessageHit[]; cursor?: string }

/** Messages of one's own channels, and of those one is a member of, that hold all words of the query. Throws validation for a cursor that is none. */
export async function searchMessages(db: Db, actorId: string, { q, order = 'best', cursor }: Wanted): Promise<Hits> {
  const words = searchWords(q)
  const size = limits.cloud.searchResults
  // One more than is shown tells whether there are more.
  const limit = size + 1
  if (order === 'newest') {
    const after = cursor === undefined ? undefined : placeOf(cursor)
    const found = words.terms.length === 0 ? [] : await findNewest(db, actorId, words.terms, { limit, after })
    return hitsOf(found, words, (last) => cursorOf(last.place))
  }
  const offset = cursor === undefined ? 0 : offsetOf(cursor)
  const found = words.terms.length === 0 ? [] : await findBest(db, actorId, words.terms, { limit, offset })
  return hitsOf(found, words, () => String(offset + size))
}

function hitsOf(found: readonly FoundMessage[], words: SearchWords, cursorAfter: (last: FoundMessage) => string): Hits {
  const page = found.slice(0, limits.cloud.searchResults)
  const last = page.at(-1)
  const results = page.map(({ channelId, channelName, mId, askedAt, question, answer }) => ({
    channelId,
    channelName,
    mId,
    datetime: fromStored(askedAt),
    ...passageOf(fromStored(question), fromStored(answer), words),
  }))
  return { results, ...(last && found.length > page.length ? { cursor: cursorAfter(last) } : {}) }
}

const cursorOf = ({ time, position, channelId }: HitPlace): string => `${time}.${position}.${channelId}`

function placeOf(cursor: string): HitPlace {
  const [, time = '', position = '', channelId = ''] = /^(\d{1,16})\.(\d{1,15})\.(.+)$/s.exec(cursor) ?? []
  if (channelId === '' || !isStorable(channelId)) throw new AppError('validation')
  return { time, position: Number(position), channelId }
}

function offsetOf(cursor: string): number {
  if (!/^\d{1,4}$/.test(cursor)) throw new AppError('validation')
  return Number(cursor)
}
