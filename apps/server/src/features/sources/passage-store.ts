import type { Passage } from '@parley/contract/read-document'
import { foldedMessage } from '@parley/contract/search-text'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { sourcePassages, sources } from '../../db/schema/sources'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { fromStored, toStored } from '../messages/public/stored-text'

type Reading = { ownerId: string; channelId: string; sourceId: string; readingId: string }

/** They count once the attempt is the one whose text the source has. */
export async function insertPassages(db: Db, reading: Reading, passages: readonly Passage[]): Promise<void> {
  if (passages.length === 0) return
  await db.insert(sourcePassages).values(
    passages.map(({ index, text, page, headings, blocks: [firstBlock, endBlock] }) => ({
      ...reading,
      ...{ index, firstBlock, endBlock },
      text: toStored(text),
      page: page ?? null,
      headings: headings.map(toStored),
      folded: foldedMessage(headings.join(' '), text),
    })),
  )
}

export type ActiveSource = Pick<
  typeof sources.$inferSelect,
  'id' | 'name' | 'mediaType' | 'bytes' | 'url' | 'pages' | 'characters' | 'passages'
>

/** What answers of a channel are drawn from, oldest first. */
export async function listActive(db: Db, { userId, channelId }: OwnedChannel): Promise<ActiveSource[]> {
  const { id, name, mediaType, bytes, url, pages, characters, passages } = sources
  return db
    .select({ id, name, mediaType, bytes, url, pages, characters, passages })
    .from(sources)
    .where(
      and(
        eq(sources.channelId, channelId),
        eq(sources.ownerId, userId),
        eq(sources.status, 'processed'),
        eq(sources.isActive, true),
      ),
    )
    .orderBy(asc(sources.createdAt), asc(sources.id))
}

export type FoundPassage = Passage & { sourceId: string }

const columns = {
  sourceId: sourcePassages.sourceId,
  index: sourcePassages.index,
  text: sourcePassages.text,
  page: sourcePassages.page,
  headings: sourcePassages.headings,
  firstBlock: sourcePassages.firstBlock,
  endBlock: sourcePassages.endBlock,
}

/** All passages of some sources, in their order. */
export async function readPassages(db: Db, ownerId: string, sourceIds: string[]): Promise<FoundPassage[]> {
  const rows = await db
    .select(columns)
    .from(sourcePassages)
    .innerJoin(sources, and(eq(sources.id, sourcePassages.sourceId), eq(sources.readingId, sourcePassages.readingId)))
    .where(and(inArray(sourcePassages.sourceId, sourceIds), eq(sourcePassages.ownerId, ownerId)))
    .orderBy(asc(sourcePassages.sourceId), asc(sourcePassages.index))
  return rows.map(passageOf)
}

/** At most so many passages of some sources: the beginning of each, and others at equal distances. */
export async function spreadPassages(
  db: Db,
  ownerId: string,
  sourceIds: string[],
  most: number,
): Promise<FoundPassage[]> {
  const rows = await db
    .select(columns)
    .from(sourcePassages)
    .innerJoin(sources, and(eq(sources.id, sourcePassages.sourceId), eq(sources.readingId, sourcePassages.readingId)))
    .where(
      and(
        inArray(sourcePassages.sourceId, sourceIds),
        eq(sourcePassages.ownerId, ownerId),
        sql`${sourcePassages.index} % greatest(1, ceil(${sources.passages}::numeric * ${sourceIds.length}::int / ${most}::int)::int) = 0`,
      ),
    )
    .orderBy(asc(sourcePassages.sourceId), asc(sourcePassages.index))
  return rows.map(passageOf)
}

/** Whether all of these may be sent: nobody has removed them or switched them off. */
export async function areActive(db: Db, { userId, channelId }: OwnedChannel, ids: string[]): Promise<boolean> {
  const active = new Set((await listActive(db, { userId, channelId })).map(({ id }) => id))
  return ids.every((id) => active.has(id))
}

/** Whether one of a channel is being read, or waits for it. */
export async function isReadingAny(db: Db, { userId, channelId }: OwnedChannel): Promise<boolean> {
  const rows = await db
    .select({ id: sources.id })
    .from(sources)
    .where(
      and(
        eq(sources.channelId, channelId),
        eq(sources.ownerId, userId),
        inArray(sources.status, ['queued', 'processing']),
      ),
    )
    .limit(1)
  return rows.length > 0
}

type Search = { sourceIds: string[]; terms: string[]; limit: number }

/**
 * Those that have the rarest of the words, best first: each word counts by how few passages of the channel have it.
 */
export async function searchPassages(
  db: Db,
  { userId, channelId }: OwnedChannel,
  { sourceIds, terms, limit }: Search,
): Promise<FoundPassage[]> {
  if (terms.length === 0) return []
  const inChannel = `'#${channelId.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  const { rows } = await db.execute<Row>(sql`
    with matches as materialized (
      select term, p.source_id, p.reading_id, p.index
      from unnest(${sql.param(terms)}::text[]) term
      join source_passages p on p.search @@ (${inChannel}::tsquery && to_tsquery('simple', term || ':*'))
      join sources s on s.id = p.source_id and s.reading_id = p.reading_id
      where p.owner_id = ${userId}::uuid and s.owner_id = ${userId}::uuid and s.id = any(${sql.param(sourceIds)}::uuid[])
    ), weights as (
      select term, 1.0 / (1 + count(*)) as weight from matches group by term
    ), best as (
      select source_id, reading_id, index, sum(weight) as score
      from matches join weights using (term) group by source_id, reading_id, index
      order by score desc, source_id, index limit ${limit}
    )
    select p.source_id as "sourceId", p.index, p.text, p.page, p.headings, p.first_block as "firstBlock", p.end_block as "endBlock"
    from best join source_passages p using (source_id, reading_id, index)
    where p.owner_id = ${userId}::uuid order by best.score desc, p.source_id, p.index`)
  return rows.map(passageOf)
}

type Row = Pick<typeof sourcePassages.$inferSelect, keyof typeof columns>

function passageOf({ sourceId, index, text, page, headings, firstBlock, endBlock }: Row): FoundPassage {
  const at = page === null ? {} : { page }
  return {
    ...{ sourceId, index, ...at },
    text: fromStored(text),
    headings: headings.map(fromStored),
    blocks: [firstBlock, endBlock],
  }
}
