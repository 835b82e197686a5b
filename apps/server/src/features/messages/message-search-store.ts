import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import type { MessageRow } from './public/message-row'

export type MatchingMessage = Pick<MessageRow, 'channelId' | 'mId' | 'question' | 'answer' | 'askedAt'> & {
  channelName: string
  sortKey: SortKey
}

/** Orders matches, newest first. `time` is microseconds since 1970 as decimal digits, which a number cannot hold. */
export type SortKey = { time: string; channelId: string; position: number }

/** Only the newest matches are ranked, because ranking reads each of them. */
const maxRanked = 200

/** Of other people's channels the latest joined are searched: their ids have to fit into one query of the index. */
const maxShared = 5_000

/** A frequent word fills a page from this many newest messages, faster than the index collects all its matches. */
const recentMessages = 2_000

/** Matches, newest first; `after` is the sort key of the last one of the page before. */
export async function findNewest(
  db: Db,
  actorId: string,
  terms: readonly string[],
  { limit, after }: { limit: number; after?: SortKey | undefined },
): Promise<MatchingMessage[]> {
  const matches = await matching(db, { actorId, terms, limit, after })
  return read(db, actorId, matches, sql`order by m.updated_at desc, m.channel_id desc, m.position desc limit ${limit}`)
}

/** The newest matches, best first. */
export async function findBest(
  db: Db,
  actorId: string,
  terms: readonly string[],
  { limit, offset }: { limit: number; offset: number },
): Promise<MatchingMessage[]> {
  const matches = await matching(db, { actorId, terms, limit: maxRanked })
  const order = sql`order by ts_rank(m.search, ${tsQueryOf(terms)}) desc, m.updated_at desc, m.channel_id desc, m.position desc`
  return read(db, actorId, matches, sql`${order} limit ${limit} offset ${offset}`)
}

type Key = { channelId: string; mId: string }
type Query = { actorId: string; terms: readonly string[]; limit: number; after?: SortKey | undefined }

/** At most `limit` of the person's own channels, and as many of other people's; the caller sorts and cuts them. */
async function matching(db: Db, query: Query): Promise<Key[]> {
  const recent = await recentOwn(db, query)
  const own = recent.length < query.limit ? await indexedOwn(db, query) : recent
  return [...own, ...(await shared(db, query))]
}

/** Each term matches the words that begin with it. */
const tsQueryOf = (terms: readonly string[]): SQL =>
  sql`to_tsquery('simple', ${terms.map((term) => `${term}:*`).join(' & ')})`
const keys = sql.raw('channel_id as "channelId", m_id as "mId"')
const columns = sql.raw('channel_id, m_id, position, updated_at')
const newestFirst = sql.raw('order by updated_at desc, channel_id desc, position desc')

function isAfter(key: SortKey | undefined): SQL {
  if (!key) return sql`true`
  const time = sql`timestamptz 'epoch' + ${key.time}::bigint * interval '1 microsecond'`
  // The first condition repeats the time alone, because an index serves it.
  return sql`updated_at <= ${time} and (updated_at, channel_id, position) < (${time}, ${key.channelId}::text, ${key.position}::bigint)`
}

async function recentOwn(db: Db, { actorId, terms, limit, after }: Query): Promise<Key[]> {
  const { rows } = await db.execute<Key>(sql`
    select ${keys} from (
      select ${columns}, search from messages where owner_id = ${actorId}::uuid and ${isAfter(after)} ${newestFirst} limit ${recentMessages}) recent
    where search @@ ${tsQueryOf(terms)} ${newestFirst} limit ${limit}`)
  return rows
}

async function indexedOwn(db: Db, { actorId, terms, limit, after }: Query): Promise<Key[]> {
  // Materialized: otherwise the planner may read the newest messages one by one until enough match, perhaps all of
  // them.
  const { rows } = await db.execute<Key>(sql`
    with found as materialized (
      select ${columns} from messages where search @@ (${`'@${actorId}'`}::tsquery && ${tsQueryOf(terms)}) and owner_id = ${actorId}::uuid and ${isAfter(after)})
    select ${keys} from found ${newestFirst} limit ${limit}`)
  return rows
}

async function shared(db: Db, { actorId, terms, limit, after }: Query): Promise<Key[]> {
  const channelIds = await sharedWith(db, actorId)
  if (channelIds.length === 0) return []
  const inShared = channelIds.map((id) => `'#${id.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(' | ')
  const { rows } = await db.execute<Key>(sql`
    with found as materialized (
      select ${columns} from messages
      where search @@ (${inShared}::tsquery && ${tsQueryOf(terms)})
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

/** Reads the rows of the matches, and checks once more that the person is in their channels. */
async function read(db: Db, actorId: string, matches: readonly Key[], order: SQL): Promise<MatchingMessage[]> {
  if (matches.length === 0) return []
  const ids = sql`unnest(${sql.param(matches.map(({ channelId }) => channelId))}::text[], ${sql.param(matches.map(({ mId }) => mId))}::text[])`
  const { rows } = await db.execute<Omit<MatchingMessage, 'sortKey'> & { position: string; time: string }>(sql`
    select m.channel_id as "channelId", m.m_id as "mId", m.question, m.answer, m.asked_at as "askedAt", c.channel_name as "channelName",
      m.position, (extract(epoch from m.updated_at) * 1000000)::bigint::text as time
    from ${ids} as found (channel_id, m_id) join messages m using (channel_id, m_id) join channels c on c.id = m.channel_id and c.user_id = m.owner_id
    where c.user_id = ${actorId}::uuid or exists (select from channel_members r where r.channel_id = c.id and r.user_id = ${actorId}::uuid)
    ${order}`)
  return rows.map(({ position, time, ...row }) => ({
    ...row,
    sortKey: { time, channelId: row.channelId, position: Number(position) },
  }))
}
