import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import type { MessageRow } from './message-row'

export type FoundMessage = Pick<MessageRow, 'channelId' | 'mId' | 'question' | 'answer' | 'askedAt'> & { channelName: string; place: HitPlace }

/** Where a hit stands among all, newest first. `time` is in microseconds since 1970, in decimal digits: more than a number holds. */
export type HitPlace = { time: string; channelId: string; position: number }

/** Of so many of the newest messages that match, the best come first: ranking reads each of them. */
const maxRanked = 200

/** Of more channels of others, those that one came into last are searched: their names have to fit into one query of the index. */
const maxShared = 5_000

/** A word that stands in many messages stands in enough of so many of the newest: quicker than to collect all that the index has of it. */
const recentMessages = 2_000

/** All that match, newest first; `after` is the place of the last one that is known. */
export async function findNewest(
  db: Db,
  actorId: string,
  terms: readonly string[],
  { limit, after }: { limit: number; after?: HitPlace | undefined },
): Promise<FoundMessage[]> {
  const found = await matching(db, { actorId, terms, limit, after })
  return read(db, actorId, found, sql`order by m.updated_at desc, m.channel_id desc, m.position desc limit ${limit}`)
}

/** The best of the newest that match, best first. */
export async function findBest(
  db: Db,
  actorId: string,
  terms: readonly string[],
  { limit, offset }: { limit: number; offset: number },
): Promise<FoundMessage[]> {
  const found = await matching(db, { actorId, terms, limit: maxRanked })
  const order = sql`order by ts_rank(m.search, ${wordsOf(terms)}) desc, m.updated_at desc, m.channel_id desc, m.position desc`
  return read(db, actorId, found, sql`${order} limit ${limit} offset ${offset}`)
}

type Key = { channelId: string; mId: string }
type Wanted = { actorId: string; terms: readonly string[]; limit: number; after?: HitPlace | undefined }

/** The newest that match: so many of one's own, and as many of channels of others. */
async function matching(db: Db, wanted: Wanted): Promise<Key[]> {
  const recent = await recentOwn(db, wanted)
  const own = recent.length < wanted.limit ? await indexedOwn(db, wanted) : recent
  return [...own, ...(await ofOthers(db, wanted))]
}

/** Each term is the beginning of a word. */
const wordsOf = (terms: readonly string[]): SQL => sql`to_tsquery('simple', ${terms.map((term) => `${term}:*`).join(' & ')})`
const keys = sql.raw('channel_id as "channelId", m_id as "mId"')
const columns = sql.raw('channel_id, m_id, position, updated_at')
const newestFirst = sql.raw('order by updated_at desc, channel_id desc, position desc')

function isAfter(place: HitPlace | undefined): SQL {
  if (!place) return sql`true`
  const time = sql`timestamptz 'epoch' + ${place.time}::bigint * interval '1 microsecond'`
  // The time alone once more: an index leads to it.
  return sql`updated_at <= ${time} and (updated_at, channel_id, position) < (${time}, ${place.channelId}::text, ${place.position}::bigint)`
}

async function recentOwn(db: Db, { actorId, terms, limit, after }: Wanted): Promise<Key[]> {
  const { rows } = await db.execute<Key>(sql`
    select ${keys} from (
      select ${columns}, search from messages where owner_id = ${actorId}::uuid and ${isAfter(after)} ${newestFirst} limit ${recentMessages}) recent
    where search @@ ${wordsOf(terms)} ${newestFirst} limit ${limit}`)
  return rows
}

async function indexedOwn(db: Db, { actorId, terms, limit, after }: Wanted): Promise<Key[]> {
  // By itself, or the newest would be read one by one until there are enough that match: all of them, where few do.
  const { rows } = await db.execute<Key>(sql`
    with found as materialized (
      select ${columns} from messages where search @@ (${`'@${actorId}'`}::tsquery && ${wordsOf(terms)}) and owner_id = ${actorId}::uuid and ${isAfter(after)})
    select ${keys} from found ${newestFirst} limit ${limit}`)
  return rows
}

async function ofOthers(db: Db, { actorId, terms, limit, after }: Wanted): Promise<Key[]> {
  const shared = await sharedWith(db, actorId)
  if (shared.length === 0) return []
  const inShared = shared.map((id) => `'#${id.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(' | ')
  const { rows } = await db.execute<Key>(sql`
    with found as materialized (
      select ${columns} from messages
      where search @@ (${inShared}::tsquery && ${wordsOf(terms)})
        and channel_id in (select channel_id from channel_members where user_id = ${actorId}::uuid) and ${isAfter(after)})
    select ${keys} from found ${newestFirst} limit ${limit}`)
  return rows
}

async function sharedWith(db: Db, actorId: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select channel_id as id from channel_members where user_id = ${actorId}::uuid order by joined_at desc limit ${maxShared}`,
  )
  return rows.map(({ id }) => id)
}

/** What is shown of them, as far as this person may still read it. */
async function read(db: Db, actorId: string, found: readonly Key[], order: SQL): Promise<FoundMessage[]> {
  if (found.length === 0) return []
  const ids = sql`unnest(${sql.param(found.map(({ channelId }) => channelId))}::text[], ${sql.param(found.map(({ mId }) => mId))}::text[])`
  const { rows } = await db.execute<Omit<FoundMessage, 'place'> & { position: string; time: string }>(sql`
    select m.channel_id as "channelId", m.m_id as "mId", m.question, m.answer, m.asked_at as "askedAt", c.channel_name as "channelName",
      m.position, (extract(epoch from m.updated_at) * 1000000)::bigint::text as time
    from ${ids} as found (channel_id, m_id) join messages m using (channel_id, m_id) join channels c on c.id = m.channel_id and c.user_id = m.owner_id
    where c.user_id = ${actorId}::uuid or exists (select from channel_members r where r.channel_id = c.id and r.user_id = ${actorId}::uuid)
    ${order}`)
  return rows.map(({ position, time, ...row }) => ({ ...row, place: { time, channelId: row.channelId, position: Number(position) } }))
}
