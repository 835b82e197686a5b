import { eq, isNull } from 'drizzle-orm'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { passageVectors, sources as sourceRows } from '../../db/schema/sources'
import { createEgress } from '../../providers/egress'
import { createEmbedder } from '../../providers/embeddings/embedder'
import { agentFilesOf } from '../../testing/agent-file-calls'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { cloudOf } from '../../testing/cloud-channels'
import { startEmbedding } from '../../testing/embedding-stand-in'
import { aPerson } from '../../testing/person'
import { sourcesOf } from '../../testing/source-calls'
import { SourcePassages } from './public/source-passages'
import { VectorSearch } from './vector-search'

const filler = (n: number): string => `Chapter ${n}. ${'The text that all chapters have in common. '.repeat(20)}`
const book = (chapters: number): string =>
  [...Array.from({ length: chapters }, (_, n) => filler(n)), 'A zorbat lives here.', filler(chapters)].join('\n\n')

async function aService(dimensions?: number) {
  const service = await startEmbedding(dimensions)
  onTestFinished(service.close)
  return service
}

const embedderOf = (baseUrl: string, model = 'meaning-1') =>
  createEmbedder({ baseUrl, apiKey: undefined, model, egress: createEgress() })

async function aNode(kind: (typeof databases)[number], env: Record<string, string>, more: object = {}) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0', ...env }, ...more })
  return { app, ana: await aPerson(app, 'ana@example.org') }
}

async function aWorld(kind: (typeof databases)[number], env: (url: string) => Record<string, string>) {
  const service = await aService()
  const { app, ana } = await aNode(kind, env(service.url))
  const { id: channelId } = await cloudOf(ana).create()
  const ask = (question: string, { model = 'meaning-1', roomTokens = 600, now = Date.now } = {}) => {
    const vectors = new VectorSearch({
      ...{ db: app.db, embedder: embedderOf(service.url, model), log: pino({ level: 'silent' }), now },
    })
    const ownerId = ana.answer.user.id
    return new SourcePassages({ db: app.db, vectors }).passagesFor({ ownerId, channelId, question, roomTokens })
  }
  return { service, app, ana, channelId, sources: sourcesOf(ana), ask }
}

const embedding = (url: string) => ({
  EMBEDDING_MODEL: 'meaning-1',
  EMBEDDING_BASE_URL: url,
  EMBEDDING_API_KEY: 'a-key',
})
const textsOf = (sent: Awaited<ReturnType<SourcePassages['passagesFor']>>): string =>
  sent.flatMap(({ passages }) => passages.map(({ text }) => text)).join('\n')
const keysOf = async ({ db }: TestApp): Promise<(string | null)[]> =>
  (await db.select({ key: sourceRows.vectorsKey }).from(sourceRows)).map(({ key }) => key)
const settled = (app: TestApp, key: string) =>
  expect.poll(() => keysOf(app), { timeout: 50_000 }).toSatisfy((keys: unknown[]) => keys.every((each) => each === key))

describe.each(databases)('passages with vectors on %s', (kind) => {
  it('are found by what they mean where no word is the same, among few passages and among many', async () => {
    const { service, app, channelId, sources, ask } = await aWorld(kind, embedding)
    for (const chapters of [60, 900]) {
      const { id, passages } = await sources.ended((await sources.add(channelId, `${chapters}.txt`, book(chapters))).id)
      expect((passages ?? 0) > 600).toBe(chapters > 600)
      await settled(app, 'meaning-1#8')
      expect(textsOf(await ask('quimple?'))).toContain('A zorbat lives here.')
      await app.db.delete(sourceRows).where(eq(sourceRows.id, id))
    }
    expect(service.calls.every(({ key }) => key === 'Bearer a-key' || key === undefined)).toBe(true)
    expect(service.calls.some(({ input }) => input.length > 1)).toBe(true)
    expect(await app.db.select().from(passageVectors)).toEqual([])
    expect(app.logs()).not.toMatch(/zorbat|a-key/)
  })

  it('are found by their words alone while the service is away, and get their vectors when it is back', async () => {
    const { service, app, channelId, sources, ask } = await aWorld(kind, embedding)
    service.state.isAway = true
    await sources.ended((await sources.add(channelId, 'book.txt', book(60))).id)
    const asked = { now: () => 0 }
    expect(textsOf(await ask('zorbat?', asked))).toContain('A zorbat lives here.')
    expect(await keysOf(app)).toEqual([null])
    service.state.isAway = false
    await settled(app, 'meaning-1#8')
    expect(textsOf(await ask('quimple?'))).toContain('A zorbat lives here.')
  })

  it('are made of what was read before, and made anew for another model or length; questions meet their own alone', async () => {
    const { service, app, channelId, sources, ask } = await aWorld(kind, () => ({}))
    await sources.ended((await sources.add(channelId, 'book.txt', book(60))).id)
    expect(textsOf(await ask('quimple?'))).not.toContain('A zorbat lives here.')
    const restarted = (model: string) =>
      aNode(kind, { ...embedding(service.url), EMBEDDING_MODEL: model, DATA_DIR: app.dataDir }, { keepTables: true })
    await restarted('meaning-1')
    await settled(app, 'meaning-1#8')
    expect(textsOf(await ask('quimple?', { model: 'other' }))).not.toContain('A zorbat lives here.')
    service.state.dimensions = 12
    await restarted('meaning-2')
    await settled(app, 'meaning-2#12')
    const lengths = (await app.db.select().from(passageVectors)).map(({ vector, key }) => `${key} ${vector.length}`)
    expect(new Set(lengths)).toEqual(new Set(['meaning-2#12 12']))
    expect(textsOf(await ask('quimple?', { model: 'meaning-2' }))).toContain('A zorbat lives here.')
  })

  it('are those of all sources but a passage that the service refuses, and those of agents’ files', async () => {
    const { service, app, ana, channelId, sources } = await aWorld(kind, embedding)
    service.state.refuses = 'Chapter 3.'
    const { passages = 0 } = await sources.ended((await sources.add(channelId, 'book.txt', book(60))).id)
    await agentFilesOf(ana).read('lamp.txt', 'The lamp.')
    await settled(app, 'meaning-1#8')
    expect(await app.db.select().from(passageVectors)).toHaveLength(passages)
    expect(await app.db.select().from(sourceRows).where(isNull(sourceRows.vectorsKey))).toEqual([])
  })
})

describe('an embedding service', () => {
  it.each([
    ['of another number', { data: [] }],
    ['of no length', { data: [{ index: 0, embedding: [0, 0] }] }],
    ['of no numbers', { data: [{ index: 0, embedding: ['x'] }] }],
    ['at a place that was not asked for', { data: [{ index: 7, embedding: [1] }] }],
  ])('that answers vectors %s is not believed', async (_, json) => {
    const { startStandIn } = await import('../../testing/http-stand-in')
    const service = await startStandIn(() => ({ status: 200, json }))
    onTestFinished(service.close)
    await expect(embedderOf(service.url).key()).rejects.toThrow()
  })

  it('whose vectors change their length is not mixed with what there is', async () => {
    const service = await aService()
    const embedder = embedderOf(service.url)
    expect(await embedder.key()).toBe('meaning-1#8')
    service.state.dimensions = 9
    await expect(embedder.embed(['quimple'], AbortSignal.timeout(5_000))).rejects.toThrow('another length')
    expect(await embedder.key()).toBe('meaning-1#9')
    const [one, other, lamp] = await embedder.embed(['the quimple', 'a zorbat', 'a lamp'], AbortSignal.timeout(5_000))
    expect(one).toEqual(other)
    expect(one).not.toEqual(lamp)
    expect(Math.hypot(...(one ?? []))).toBeCloseTo(1)
  })
})
