import { vectorLimits } from '@parley/contract/limits/sources'
import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/build-test-app'
import { startEmbedding } from '../../testing/embedding-stand-in'
import { aPerson, Client } from '../../testing/person'

const path = '/api/sources/vectors'
const { maxTexts, maxTextLength, maxCharacters } = vectorLimits

async function aServer(env: Record<string, string> = {}) {
  const service = await startEmbedding()
  onTestFinished(service.close)
  const app = await buildTestApp({
    env: { RATE_LIMIT_SCALE: '0', EMBEDDING_MODEL: 'meaning-1', EMBEDDING_BASE_URL: service.url, ...env },
  })
  return { service, app, ana: await aPerson(app, 'ana@example.org') }
}

/** Every row of every table, as text. */
async function everythingIn({ db }: TestApp): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const texts: string[] = []
  for (const { name } of rows) {
    const all = await db.execute<{ text: string }>(
      sql`select coalesce(json_agg(t)::text, '') as text from ${sql.identifier(name)} t`,
    )
    texts.push(String(all.rows[0]?.text))
  }
  return texts.join('\n')
}

const numbersOf = (base64: string | null | undefined): number[] => {
  const bytes = Buffer.from(base64 ?? '', 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}

it('makes vectors of the texts of a device in their order, and keeps and logs nothing of them', async () => {
  const { service, app, ana } = await aServer()
  service.state.refuses = 'CANARY-REFUSED'
  const texts = ['CANARY-ONE quimple', 'CANARY-TWO zorbat', 'CANARY-REFUSED', 'a lamp']
  const { status, body } = await ana.post(path, { texts })
  const { key, vectors } = body as { key: string; vectors: (string | null)[] }
  expect([status, key, vectors.length, vectors[2]]).toEqual([200, 'meaning-1#8', 4, null])
  const [one, two, , lamp] = vectors.map(numbersOf)
  expect(one).toEqual(two)
  expect(one).not.toEqual(lamp)
  expect(Math.hypot(...(one ?? []))).toBeCloseTo(1)
  expect(service.calls.some(({ input }) => input.includes('CANARY-ONE quimple'))).toBe(true)
  expect(await everythingIn(app)).not.toContain('CANARY')
  expect(app.logs()).not.toContain('CANARY')
  const config = (await app.call('/api/config').then((response) => response.json())) as { vectors?: unknown }
  expect(config.vectors).toEqual({ model: 'meaning-1' })
})

it('refuses whoever is not signed in, other sites, and more than one call may have, without asking the model', async () => {
  const { service, app, ana } = await aServer()
  const stranger = await new Client(app).post(path, { texts: ['a lamp'] })
  expect(stranger).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  expect(await ana.post(path, { texts: ['a lamp'] }, { origin: 'https://evil.example' })).toMatchObject({ status: 403 })
  const long = 'x'.repeat(maxTextLength)
  for (const texts of [
    [],
    [''],
    [`${long}x`],
    Array.from({ length: maxTexts + 1 }, () => 'x'),
    Array.from({ length: Math.floor(maxCharacters / maxTextLength) + 1 }, () => long),
  ])
    expect(await ana.post(path, { texts })).toMatchObject({ status: 400, body: { code: 'validation' } })
  // The node itself asks how long the vectors are.
  expect(service.calls.flatMap(({ input }) => input).filter((text) => text !== 'dimensions')).toEqual([])
  const most = Array.from({ length: maxCharacters / maxTextLength }, () => '字'.repeat(maxTextLength))
  expect((await ana.post(path, { texts: most })).status).toBe(200)
})

it('says so where the model is away, or there is none, and tells the log nothing of what was asked', async () => {
  const { service, app, ana } = await aServer()
  service.state.isAway = true
  const away = await ana.post(path, { texts: ['CANARY lamp'] })
  expect(away).toMatchObject({ status: 503, body: { code: 'source.vectors-away' } })
  expect(app.logs()).toContain('a device gets no vectors')
  expect(app.logs()).not.toContain('CANARY')
  service.state.isAway = false
  expect((await ana.post(path, { texts: ['a lamp'] })).status).toBe(200)
  const without = await buildTestApp({ env: { RATE_LIMIT_SCALE: '0' } })
  const bob = await aPerson(without, 'bob@example.org')
  expect(await bob.post(path, { texts: ['a lamp'] })).toMatchObject({
    status: 404,
    body: { code: 'source.vectors-off' },
  })
  expect(await without.call('/api/config').then((response) => response.json())).not.toHaveProperty('vectors')
})
