import { serverLimits } from '@parley/contract/limits/server'
import { and, asc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { passageVectors, sourcePassages, sources } from '../../db/schema/sources'
import { fromStored } from '../messages/public/stored-text'
import type { OwnedSource } from './source-store'

/** Of a reading whose passages are to have vectors. */
type VectorTarget = OwnedSource & { readingId: string }

/** Undefined where it is gone, or not read. */
export async function findTarget(db: Db, { ownerId, sourceId }: OwnedSource): Promise<VectorTarget | undefined> {
  const [row] = await db
    .select({ readingId: sources.readingId })
    .from(sources)
    .where(and(eq(sources.id, sourceId), eq(sources.ownerId, ownerId), eq(sources.status, 'processed')))
  return row?.readingId ? { ownerId, sourceId, readingId: row.readingId } : undefined
}

/** Passages after this one that have no vector of this key, in their order. */
export async function passagesWithout(
  db: Db,
  { ownerId, sourceId, readingId }: VectorTarget,
  { key, after, limit }: { key: string; after: number; limit: number },
): Promise<{ index: number; text: string; headings: string[] }[]> {
  const { index, text, headings } = sourcePassages
  const rows = await db
    .select({ index, text, headings })
    .from(sourcePassages)
    .leftJoin(
      passageVectors,
      and(
        eq(passageVectors.sourceId, sourcePassages.sourceId),
        eq(passageVectors.readingId, sourcePassages.readingId),
        eq(passageVectors.index, sourcePassages.index),
        eq(passageVectors.key, key),
      ),
    )
    .where(
      and(
        eq(sourcePassages.sourceId, sourceId),
        eq(sourcePassages.readingId, readingId),
        eq(sourcePassages.ownerId, ownerId),
        gt(sourcePassages.index, after),
        isNull(passageVectors.index),
      ),
    )
    .orderBy(asc(sourcePassages.index))
    .limit(limit)
  return rows.map((row) => ({ ...row, text: fromStored(row.text), headings: row.headings.map(fromStored) }))
}

/** Those of another key are replaced. Fails where the passages are gone. */
export async function writeVectors(
  db: Db,
  target: VectorTarget,
  { key, vectors }: { key: string; vectors: readonly { index: number; vector: Float32Array }[] },
): Promise<void> {
  if (vectors.length === 0) return
  await db
    .insert(passageVectors)
    .values(vectors.map(({ index, vector }) => ({ ...target, index, key, vector: [...vector] })))
    .onConflictDoUpdate({
      target: [passageVectors.sourceId, passageVectors.readingId, passageVectors.index],
      set: { key: sql`excluded.key`, vector: sql`excluded.vector` },
    })
}

/** All of its passages have vectors of this key, but those that the service refuses. */
export async function markVectors(db: Db, { ownerId, sourceId, readingId }: VectorTarget, key: string): Promise<void> {
  await db
    .update(sources)
    .set({ vectorsKey: key })
    .where(and(eq(sources.id, sourceId), eq(sources.ownerId, ownerId), eq(sources.readingId, readingId)))
}

/** Names no owner: what of everybody's is read and has no vectors of this key, the newest first. */
export async function sourcesWithout(db: Db, key: string, limit: number): Promise<OwnedSource[]> {
  return db
    .select({ ownerId: sources.ownerId, sourceId: sources.id })
    .from(sources)
    .where(and(eq(sources.status, 'processed'), or(isNull(sources.vectorsKey), ne(sources.vectorsKey, key))))
    .orderBy(sql`${sources.createdAt} desc`)
    .limit(limit)
}

/** Also where it is: in a schema that is not looked into it cannot be used by its name. */
export async function hasPgvector(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from pg_extension e join pg_type t on t.typnamespace = e.extnamespace and t.typname = 'vector'
    where e.extname = 'vector' and pg_type_is_visible(t.oid)`)
  return rows.length > 0
}

/** A passage, by its source. */
export type PassageKey = { sourceId: string; index: number }

type Near = { ownerId: string; sourceIds: string[]; key: string; vector: Float32Array; limit: number }

/** The passages of these sources that point nearest to the question, best first: every one is compared. */
export async function nearestByDatabase(
  db: Db,
  { ownerId, sourceIds, key, vector, limit }: Near,
): Promise<PassageKey[]> {
  const { rows } = await db.execute<PassageKey>(sql`
    select v.source_id as "sourceId", v.index
    from passage_vectors v join sources s on s.id = v.source_id and s.reading_id = v.reading_id
    where v.owner_id = ${ownerId}::uuid and v.source_id = any(${sql.param(sourceIds)}::uuid[]) and v.key = ${key}
    order by v.vector::vector <=> ${`[${vector.join()}]`}::vector, v.source_id, v.index limit ${limit}`)
  return rows.map(({ sourceId, index }) => ({ sourceId, index }))
}

/** The same without pgvector, for at most `maxCompared` passages: the vectors come here, a page at a time. */
export async function nearestHere(db: Db, { ownerId, sourceIds, key, vector, limit }: Near): Promise<PassageKey[]> {
  const { maxCompared, comparedPage } = serverLimits.embeddings
  const hits: (PassageKey & { score: number })[] = []
  let after = { sourceId: '00000000-0000-0000-0000-000000000000', index: -1 }
  for (let read = 0; read < maxCompared; read += comparedPage) {
    const { rows } = await db.execute<PassageKey & { bytes: Uint8Array }>(sql`
      select v.source_id as "sourceId", v.index, array_send(v.vector) as bytes
      from passage_vectors v join sources s on s.id = v.source_id and s.reading_id = v.reading_id
      where v.owner_id = ${ownerId}::uuid and v.source_id = any(${sql.param(sourceIds)}::uuid[]) and v.key = ${key}
        and (v.source_id, v.index) > (${after.sourceId}::uuid, ${after.index}::int)
      order by v.source_id, v.index limit ${comparedPage}`)
    for (const { sourceId, index, bytes } of rows) hits.push({ sourceId, index, score: product(bytes, vector) })
    const last = rows.at(-1)
    if (!last || rows.length < comparedPage) break
    after = last
  }
  return hits
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ sourceId, index }) => ({ sourceId, index }))
}

/** Five numbers before the elements of an array of one dimension, and its length before each: `array_send`. */
const headerBytes = 20
const elementBytes = 8

function product(bytes: Uint8Array, vector: Float32Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  for (let at = 0; at < vector.length; at++)
    sum += (vector[at] ?? 0) * view.getFloat32(headerBytes + at * elementBytes + 4)
  return sum
}
