import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../db/client'
import { passageVectors, sources } from '../../db/schema/sources'
import type { Embedder } from '../../providers/embeddings/embedder'
import { openPgvector } from '../../testing/pgvector-database'
import { runsOf } from '../../testing/seeded'
import { emptyTables } from '../../testing/test-databases'
import { VectorSearch } from './vector-search'
import { hasPgvector, nearestByDatabase, nearestHere } from './vector-store'

let database: Database
beforeAll(async () => {
  database = await openPgvector()
})
afterAll(() => database.close())
beforeEach(() => emptyTables(database.db))

type Vectors = { ownerId?: string; sourceId?: string; key?: string; readingId?: string; first?: number }

const [ana, ben] = [randomUUID(), randomUUID()]
const readingId = randomUUID()
const unit = (numbers: readonly number[]): Float32Array =>
  Float32Array.from(numbers, (number) => number / Math.hypot(...numbers))
const axis = (at: number, length = 3): number[] => Array.from({ length }, (_, index) => (index === at ? 1 : 0))

async function aSource(ownerId = ana): Promise<string> {
  const id = randomUUID()
  const createdAt = new Date(0)
  await withoutParents(async (db) => {
    await db.insert(sources).values({
      ...{ id, ownerId, readingId, type: 'document', name: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: id },
      ...{ status: 'processed', createdAt, updatedAt: createdAt },
    })
  })
  return id
}

/** Passage 0 has the first vector. */
async function store(sourceId: string, vectors: readonly (readonly number[])[], more: Vectors = {}): Promise<void> {
  const { first = 0, ...row } = { ownerId: ana, readingId, key: 'm#3', ...more }
  await withoutParents(async (db) => {
    await db
      .insert(passageVectors)
      .values(vectors.map((vector, at) => ({ sourceId, ...row, index: first + at, vector: [...unit(vector)] })))
  })
}

/** Without people and passages, on which the search does not look. */
const withoutParents = (write: (db: Database['db']) => Promise<void>): Promise<void> =>
  database.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await write(tx)
  })

const question = (sourceIds: string[], numbers: readonly number[], more: object = {}) => ({
  ...{ ownerId: ana, sourceIds, key: 'm#3', vector: unit(numbers), limit: 100 },
  ...more,
})
const indexesOf = (found: readonly { index: number }[]): number[] => found.map(({ index }) => index)

describe('pgvector', () => {
  it('is found where the migrations made it', async () => {
    expect(await hasPgvector(database.db)).toBe(true)
  })

  it('finds the passages that point nearest to the question first, and no more than are asked for', async () => {
    const source = await aSource()
    await store(source, [[-1, 0, 0], axis(1), [0.9, 0.1, 0], axis(0), [0.5, 0.5, 0]])
    expect(indexesOf(await nearestByDatabase(database.db, question([source], axis(0))))).toEqual([3, 2, 4, 1, 0])
    const two = await nearestByDatabase(database.db, question([source], axis(0), { limit: 2 }))
    expect(two).toEqual([
      { sourceId: source, index: 3 },
      { sourceId: source, index: 2 },
    ])
  })

  it('gives what is equally near the order of sources and passages, as the server does by itself', async () => {
    const both = [await aSource(), await aSource()]
    for (const source of both) await store(source, [axis(0), axis(1), axis(0)])
    const near = question(both, axis(0), { limit: 3 })
    const [first = '', second = ''] = both.toSorted()
    const expected = [
      { sourceId: first, index: 0 },
      { sourceId: first, index: 2 },
      { sourceId: second, index: 0 },
    ]
    expect(await nearestByDatabase(database.db, near)).toEqual(expected)
    expect(await nearestHere(database.db, near)).toEqual(expected)
  })

  it('compares no vector of another model or length, nor one of a former reading', async () => {
    const source = await aSource()
    await store(source, [axis(1)])
    await store(source, [axis(0)], { first: 1, key: 'other#3' })
    await store(source, [axis(0, 12)], { first: 2, key: 'm#12' })
    await store(source, [axis(0)], { readingId: randomUUID() })
    expect(indexesOf(await nearestByDatabase(database.db, question([source], axis(0))))).toEqual([0])
    const longer = question([source], axis(0, 12), { key: 'm#12' })
    expect(indexesOf(await nearestByDatabase(database.db, longer))).toEqual([2])
  })

  it('finds nothing of other people, nor of sources that were not named', async () => {
    const [own, other, bens] = [await aSource(), await aSource(), await aSource(ben)]
    await store(own, [axis(1)])
    await store(other, [axis(0)])
    await store(bens, [axis(0)], { ownerId: ben })
    expect(await nearestByDatabase(database.db, question([own, bens], axis(0)))).toEqual([{ sourceId: own, index: 0 }])
    expect(await nearestByDatabase(database.db, question([], axis(0)))).toEqual([])
  })

  it('compares the longest vectors that a service may have', async () => {
    const source = await aSource()
    await store(source, [axis(1, 4_096), axis(4_095, 4_096)], { key: 'm#4096' })
    const asked = question([source], axis(4_095, 4_096), { key: 'm#4096' })
    expect(indexesOf(await nearestByDatabase(database.db, asked))).toEqual([1, 0])
  })

  it('gives any vectors the order that the server gives them by itself', { timeout: 120_000 }, async () => {
    const number = fc.oneof(fc.constantFrom(0, 1, -1), fc.float({ min: -1, max: 1, noNaN: true }))
    const vectors = fc
      .integer({ min: 1, max: 24 })
      .chain((length) => fc.array(fc.array(number, { minLength: length, maxLength: length }), { minLength: 2 }))
      .map((all) => all.filter((numbers) => Math.hypot(...numbers) > 1e-3))
      .filter((all) => all.length > 1)
    await fc.assert(
      fc.asyncProperty(vectors, fc.integer({ min: 1, max: 12 }), async ([asked, ...stored], limit) => {
        await emptyTables(database.db)
        const both = [await aSource(), await aSource()]
        for (const source of both) await store(source, stored)
        const near = question(both, asked ?? [], { limit })
        const scoreOf = ({ index }: { index: number }): number =>
          unit(stored[index] ?? []).reduce((sum, value, at) => sum + value * (near.vector[at] ?? 0), 0)
        const [there, here] = [await nearestByDatabase(database.db, near), await nearestHere(database.db, near)]
        expect(there).toHaveLength(here.length)
        for (const [at, found] of there.entries()) {
          const same = here[at]
          if (!same) throw new Error('as many')
          // pgvector adds up with fewer digits: what differs after the sixth may change its turn.
          if (Math.abs(scoreOf(found) - scoreOf(same)) > 1e-6) expect(found).toEqual(same)
        }
      }),
      { numRuns: runsOf(500) },
    )
  })
})

describe('a search by meaning', () => {
  const embedder: Embedder = {
    key: async () => 'm#3',
    embed: async (texts) => texts.map(() => unit(axis(0))),
  }
  const search = () => new VectorSearch({ db: database.db, embedder, log: pino({ level: 'silent' }), now: Date.now })

  it('compares every passage where pgvector is, more than the server compares by itself', async () => {
    const source = await aSource()
    await withoutParents(async (db) => {
      await db.execute(sql`
        insert into passage_vectors (source_id, reading_id, "index", owner_id, key, vector)
        select ${source}::uuid, ${readingId}::uuid, n, ${ana}::uuid, 'm#3', array[0, 1, 0]::real[]
        from generate_series(0, 6999) n`)
    })
    await store(source, [axis(0)], { first: 7_000 })
    expect((await search().nearest('what?', { ownerId: ana, sourceIds: [source] }))[0]?.index).toBe(7_000)
    expect((await nearestHere(database.db, question([source], axis(0))))[0]?.index).toBe(0)
  })

  it('goes on without pgvector where an administrator keeps it in a schema that the server does not look into', async () => {
    const source = await aSource()
    await store(source, [axis(1), axis(0)])
    await database.db.execute(sql`create schema apart`)
    await database.db.execute(sql`alter extension vector set schema apart`)
    onTestFinished(async () => {
      await database.db.execute(sql`alter extension vector set schema public`)
      await database.db.execute(sql`drop schema apart`)
    })
    const found = await search().nearest('what?', { ownerId: ana, sourceIds: [source] })
    expect(indexesOf(found)).toEqual([1, 0])
  })
})
