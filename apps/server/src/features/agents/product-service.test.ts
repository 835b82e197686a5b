import type { AgentPage } from '@parley/contract/agents'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type ProductAgent, readProductAgents } from '../../content/product-agents'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'
import { seedProductAgents } from './product-service'

const texts = (word: string) => ({
  role: `Role ${word}`,
  about: `About ${word}`,
  prompt: `CANARY-PROMPT ${word}`,
  defaultGreetings: `Hello ${word}`,
})
const anAgent = (slug: string): ProductAgent => ({
  id: `product-${slug}`,
  name: `Agent ${slug}`,
  category: 'Work',
  face: slug,
  texts: { en: texts(`${slug} one`), pt: texts(`${slug} um`), es: texts(`${slug} uno`) },
})

describe.each(databases)("the team's agents on %s", (kind) => {
  it('are there from the start, in their order and in three languages, without their prompts [AG-003, AG-028]', async () => {
    const app = await buildTestApp({ kind, productAgents: [anAgent('b'), anAgent('a')] })
    const answer = await new Client(app).send('GET', '/v1/assistants/company?page_size=100')
    const { assistants, total_count } = answer.body as AgentPage
    expect([total_count, assistants.map(({ _id }) => _id)]).toEqual([2, ['product-b', 'product-a']])
    expect(assistants[0]).toMatchObject({
      source: 'product',
      userId: null,
      userName: 'Parley',
      profileImage: '/api/faces/b.svg',
      category: 'Work',
      enabled: true,
    })
    expect(assistants[0]?.languages.map(({ language, defaultGreetings }) => [language, defaultGreetings])).toEqual([
      ['en', 'Hello b one'],
      ['pt', 'Hello b um'],
      ['es', 'Hello b uno'],
    ])
    expect(JSON.stringify(answer)).not.toMatch(/CANARY|"prompt"/)
    expect((await new Client(app).send('GET', '/v1/assistants/company?search_terms=uno')).body).toMatchObject({
      total_count: 2,
    })
    expect((await new Client(app).send('GET', '/v1/assistants/community/free')).body).toMatchObject({ total_count: 0 })
    expect((await new Client(app).send('GET', '/v1/assistant?assistant_id=product-a')).body).toMatchObject({
      name: 'Agent a',
    })
  })

  it('are brought up to date by several nodes at once, keep their likes, and are nobody to change', async () => {
    const app = await buildTestApp({ kind, productAgents: [anAgent('a'), anAgent('b')] })
    const ana = await aPerson(app, 'ana@example.org')
    const like = { assistantId: 'product-a', userId: ana.answer.user.id }
    await ana.post('/v1/assistants/likes', like)
    const state = async () =>
      (
        await app.db.execute<{ id: string; version: string }>(
          sql`select id, xmin::text as version from agents order by id`,
        )
      ).rows
    const before = await state()
    await seedProductAgents(app.db, [anAgent('a'), anAgent('b')], Date.now)
    expect(await state()).toEqual(before)

    const changed = { ...anAgent('a'), name: 'Renamed' }
    await Promise.all(Array.from({ length: 4 }, () => seedProductAgents(app.db, [changed, anAgent('c')], Date.now)))
    const { assistants } = (await ana.send('GET', '/v1/assistants/company')).body as AgentPage
    expect(assistants.map(({ name, likes, likedByMe }) => [name, likes, likedByMe])).toEqual([
      ['Renamed', 1, true],
      ['Agent c', 0, false],
    ])
    // One that went may come back.
    expect(await ana.send('GET', '/v1/assistant?assistant_id=product-b')).toMatchObject({ status: 404 })
    await seedProductAgents(app.db, [changed, anAgent('b')], Date.now)
    expect((await ana.send('GET', '/v1/assistants/company')).body).toMatchObject({ total_count: 2 })
    expect(await ana.send('DELETE', '/v1/assistants/product-a')).toMatchObject({
      status: 404,
      body: { code: 'agent.not-found' },
    })
  })
})

it("are the product's own, all of them", async () => {
  const productAgents = readProductAgents()
  const app = await buildTestApp({ productAgents })
  expect((await new Client(app).send('GET', '/v1/assistants/company?page_size=100')).body).toMatchObject({
    total_count: productAgents.length,
  })
})
