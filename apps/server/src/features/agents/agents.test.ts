import type { AgentPage, Likes, OwnAgent } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import { eq, inArray, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { agentLikes, agents } from '../../db/agents-schema'
import { users } from '../../db/schema'
import { aDraft, anAgent, secretKnowledge, secretPrompt } from '../../testing/agent-drafts'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'
import { AgentService } from './agent-service'
import { PictureService } from './picture-service'

async function anApp(kind: (typeof databases)[number]) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
  return { app, ana: await aPerson(app, 'ana@example.org'), eve: await aPerson(app, 'eve@example.com'), nobody: new Client(app) }
}

const page = async (person: Client, path: string): Promise<AgentPage> => {
  const { status, body } = await person.send('GET', path)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as AgentPage
}
const namesOf = ({ assistants }: AgentPage): string[] => assistants.map(({ name }) => name)
const community = '/v1/assistants/community/free'
const mine = '/v1/assistants/community/private'
const one = (id: string): string => `/v1/assistant?assistant_id=${encodeURIComponent(id)}`
const likeOf = (person: Awaited<ReturnType<typeof aPerson>>, assistantId: string) => ({ assistantId, userId: person.answer.user.id })

describe.each(databases)('agents on %s', (kind) => {
  it('are made, read, changed and deleted by their owner [AG-034, AG-035, AG-055, AG-066, AG-067]', async () => {
    const { ana } = await anApp(kind)
    const answer = await ana.post('/v1/assistants', aDraft({ private: true }))
    expect(answer).toMatchObject({ status: 201, body: { category: 'Assistant', userId: ana.answer.user.id, userEmail: 'ana@example.org', userName: 'ana' } })
    const agent = answer.body as OwnAgent
    expect(agent).toMatchObject({
      source: 'community',
      prompt: secretPrompt,
      knowledge: secretKnowledge,
      private: true,
      enabled: true,
      likes: 0,
      likedByMe: false,
    })
    expect(agent.defaultGreetings).toBe("Hi, I'm Lighthouse keeper: Knows the coast. How can I help you?")
    expect((await ana.send('GET', one(agent._id))).body).toEqual(agent)

    // As the form has it: without knowledge, with the greeting that was made of the old name, and with another language.
    const portuguese = { language: 'pt' as const, role: 'Conhece a costa', about: 'Sabe de faróis.', prompt: 'Você conhece faróis.' }
    const { knowledge: _, ...form } = aDraft({
      _id: agent._id,
      name: 'Keeper',
      private: false,
      languages: [portuguese],
      defaultGreetings: agent.defaultGreetings,
    })
    const changed = (await ana.post('/v1/assistants', form)).body as OwnAgent
    expect(changed).toMatchObject({ _id: agent._id, name: 'Keeper', private: false, knowledge: secretKnowledge, created_at: agent.created_at })
    expect(changed.languages.map(({ language, defaultGreetings, prompt }) => [language, defaultGreetings, prompt])).toEqual([
      ['en', "Hi, I'm Keeper: Knows the coast. How can I help you?", secretPrompt],
      ['pt', 'Olá, eu sou Keeper: Conhece a costa. Como posso ajudar?', 'Você conhece faróis.'],
    ])

    expect(await ana.send('DELETE', `/v1/assistants/${agent._id}`)).toMatchObject({ status: 204 })
    expect(await ana.send('GET', one(agent._id))).toMatchObject({ status: 404, body: { code: 'agent.not-found', message: 'Assistant not found.' } })
    expect(namesOf(await page(ana, mine))).toEqual([])
  })

  it('of somebody else cannot be changed or deleted, and their calls need a sign-in [AG-005, AG-006]', async () => {
    const { ana, eve, nobody } = await anApp(kind)
    const [open, hidden] = [await anAgent(ana), await anAgent(ana, { private: true })]
    for (const { _id } of [open, hidden]) {
      const before = (await ana.send('GET', one(_id))).body
      for (const draft of [aDraft({ _id }), aDraft({ _id, profileImage: '/api/faces/x.svg' })])
        expect(await eve.post('/v1/assistants', draft)).toMatchObject({ status: 404, body: { code: 'agent.not-found' } })
      expect(await eve.send('DELETE', `/v1/assistants/${_id}`)).toMatchObject({ status: 404, body: { code: 'agent.not-found' } })
      expect((await ana.send('GET', one(_id))).body).toEqual(before)
    }
    const like = likeOf(eve, open._id)
    // In another's name.
    for (const method of ['POST', 'DELETE'])
      expect(await ana.send(method, '/v1/assistants/likes', like)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    const signedIn: [string, string, object?][] = [
      ['GET', mine],
      ['POST', '/v1/assistants', aDraft()],
      ['POST', '/v1/assistants', aDraft({ _id: open._id })],
      ['DELETE', `/v1/assistants/${open._id}`],
      ['POST', '/v1/assistants/likes', like],
      ['DELETE', '/v1/assistants/likes', like],
      ['GET', '/v1/assistants/images'],
      ['POST', '/v1/assistants/images'],
    ]
    for (const [method, path, body] of signedIn) expect(await nobody.send(method, path, body)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    for (const path of [community, '/v1/assistants/company', `/v1/assistants/public/user?user_id=${ana.answer.user.id}`, one(open._id)]) {
      const answer = await nobody.send('GET', path)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
    }
    expect(await page(ana, mine)).toMatchObject({ total_count: 2 })
    expect(await page(eve, mine)).toEqual({ assistants: [], total_count: 0 })
  })

  it('that are private or switched off are in nothing that others get [AG-032, AG-085, AG-087]', async () => {
    const { ana, eve, nobody } = await anApp(kind)
    const hidden = await anAgent(ana, { name: 'Obelisk', private: true })
    const off = await anAgent(ana, { name: 'Obelisk off', enabled: false })
    for (const person of [eve, nobody]) {
      expect(await person.send('GET', one(hidden._id))).toMatchObject({
        status: 403,
        body: { code: 'agent.private', message: 'Private assistant', error: 'Private assistant' },
      })
      expect(await page(person, community)).toEqual({ assistants: [], total_count: 0 })
      for (const sort of ['', '&sort=likes']) expect(await page(person, `${community}?search_terms=Obelisk${sort}`)).toEqual({ assistants: [], total_count: 0 })
      expect(await page(person, `/v1/assistants/company?search_terms=Obelisk`)).toEqual({ assistants: [], total_count: 0 })
      expect(await page(person, `/v1/assistants/public/user?user_id=${ana.answer.user.id}`)).toEqual({ assistants: [], total_count: 0 })
      // Whoever has its address may look at it, but not chat.
      expect((await person.send('GET', one(off._id))).body).toMatchObject({ name: 'Obelisk off', enabled: false })
    }
    expect(await page(eve, `${mine}?search_terms=Obelisk`)).toEqual({ assistants: [], total_count: 0 })
    for (const method of ['POST', 'DELETE'])
      expect(await eve.send(method, '/v1/assistants/likes', likeOf(eve, hidden._id))).toMatchObject({ status: 403, body: { code: 'agent.private' } })
    expect(await page(ana, `${mine}?search_terms=obel`)).toMatchObject({ total_count: 2 })
    // From public to private and back.
    await ana.post('/v1/assistants', aDraft({ _id: hidden._id, name: 'Obelisk', private: false }))
    expect(await page(eve, `${community}?search_terms=Obelisk`)).toMatchObject({ total_count: 1 })
    await ana.post('/v1/assistants', aDraft({ _id: hidden._id, name: 'Obelisk', private: true }))
    expect(await page(eve, `${community}?search_terms=Obelisk`)).toMatchObject({ total_count: 0 })
  })

  it('give their prompt, their knowledge and the e-mail of their creator to nobody else [AG-033, AG-036]', async () => {
    const { app, ana, eve, nobody } = await anApp(kind)
    const languages = [{ language: 'es' as const, role: 'Sabe de la costa', about: 'Faros.', prompt: secretPrompt }]
    const agent = await anAgent(ana, { languages })
    await eve.post('/v1/assistants/likes', likeOf(eve, agent._id))
    const paths = [
      one(agent._id),
      community,
      `${community}?sort=likes`,
      `${community}?search_terms=light`,
      `${community}?search_terms=CANARY-PROMPT`,
      `${community}?search_terms=vermilion`,
      `/v1/assistants/public/user?user_id=${ana.answer.user.id}`,
    ]
    for (const person of [eve, nobody])
      for (const path of paths) {
        const text = JSON.stringify(await person.send('GET', path))
        expect(text).not.toMatch(/CANARY|"prompt"|"knowledge"|userEmail|likedby\b|example\.org/)
      }
    // What is secret is not even found by.
    for (const word of ['CANARY-PROMPT', 'vermilion']) expect(await page(eve, `${community}?search_terms=${word}`)).toMatchObject({ total_count: 0 })
    expect(app.logs()).not.toMatch(/CANARY/)
    expect((await ana.send('GET', one(agent._id))).body).toMatchObject({ prompt: secretPrompt, knowledge: secretKnowledge, userEmail: 'ana@example.org' })
  })

  it("come in pages, newest first or by likes, in a language, one's own in all of them, with an exact count [AG-019, AG-020, AG-026, AG-027, AG-029, AG-030]", async () => {
    const { ana, eve } = await anApp(kind)
    const spanish = { language: 'es' as const, role: 'r', about: 'a', prompt: 'p' }
    for (let n = 1; n <= 23; n++) await anAgent(ana, { name: `Agent ${n}`, languages: n % 2 ? [spanish] : [] })
    const first = await page(eve, `${community}?page_number=0&_t=1`)
    expect([first.total_count, first.assistants.length, first.assistants[0]?.name]).toEqual([23, 21, 'Agent 23'])
    expect(namesOf(await page(eve, `${community}?page_number=1`))).toEqual(['Agent 2', 'Agent 1'])
    expect(await page(eve, `${community}?page_number=9`)).toEqual({ assistants: [], total_count: 23 })
    expect(await page(eve, `${community}?lang=es&page_size=100`)).toMatchObject({ total_count: 12 })
    expect(await page(ana, `${mine}?lang=es`)).toMatchObject({ total_count: 23 })
    expect(await page(eve, `${community}?lang=pt`)).toEqual({ assistants: [], total_count: 0 })
    expect(await page(ana, `${mine}?page_size=50`)).toMatchObject({ total_count: 23, assistants: { length: 23 } })
    const [, second, , fourth] = first.assistants
    await eve.post('/v1/assistants/likes', likeOf(eve, second?._id ?? ''))
    for (const person of [ana, eve]) await person.post('/v1/assistants/likes', likeOf(person, fourth?._id ?? ''))
    const liked = await page(eve, `${community}?sort=likes`)
    expect(liked.assistants.slice(0, 3).map(({ name, likes, likedByMe }) => [name, likes, likedByMe])).toEqual([
      ['Agent 20', 2, true],
      ['Agent 22', 1, true],
      ['Agent 23', 0, false],
    ])
    for (const wrong of ['page_size=101', 'page_size=0', 'page_number=-1', 'sort=name', 'lang=xx'])
      expect(await eve.send('GET', `${community}?${wrong}`)).toMatchObject({ status: 400, body: { code: 'validation' } })
  })

  it("show one creator's others [AG-075]", async () => {
    const { ana, eve } = await anApp(kind)
    await anAgent(ana, { name: 'First' })
    await anAgent(ana, { name: 'Second' })
    await anAgent(eve, { name: 'Other' })
    expect(await page(eve, `/v1/assistants/public/user?user_id=${ana.answer.user.id}&lang=en`)).toMatchObject({
      total_count: 2,
      assistants: [{ name: 'Second', userName: 'ana' }, { name: 'First' }],
    })
    for (const strange of ['x', '%00', uuidv7(), "'; drop table agents; --"])
      expect(await page(eve, `/v1/assistants/public/user?user_id=${encodeURIComponent(strange)}`)).toEqual({ assistants: [], total_count: 0 })
  })

  it('are liked once by each person, however many calls arrive at once [AG-076, AG-080, AG-081]', async () => {
    const { ana, eve } = await anApp(kind)
    const { _id } = await anAgent(ana)
    const answers = await Promise.all(Array.from({ length: 200 }, () => eve.post('/v1/assistants/likes', likeOf(eve, _id))))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))).toEqual(new Set(['200 {"likes":1,"likedByMe":true}']))
    expect((await ana.post('/v1/assistants/likes', likeOf(ana, _id))).body).toEqual({ likes: 2, likedByMe: true })
    const taken = await Promise.all(Array.from({ length: 20 }, () => eve.send('DELETE', '/v1/assistants/likes', likeOf(eve, _id))))
    expect(taken.every(({ body }) => (body as Likes).likes === 1 && !(body as Likes).likedByMe)).toBe(true)
    expect((await eve.send('GET', one(_id))).body).toMatchObject({ likes: 1, likedByMe: false })
    // A like outlives the agent's privacy only until it is taken back.
    await ana.post('/v1/assistants', aDraft({ _id, private: true }))
    expect((await ana.send('GET', one(_id))).body).toMatchObject({ likes: 1, likedByMe: true })
  })

  it('have exact counts with a thousand people, also when half of them go', async () => {
    const { app, ana } = await anApp(kind)
    const { _id } = await anAgent(ana)
    const service = serviceOf(app)
    const ids = Array.from({ length: 1_000 }, () => uuidv7())
    await app.db.insert(users).values(ids.map((id) => ({ id, kind: 'email' as const, email: `${id}@example.org` })))
    // Many at a time, every tenth of them twice.
    const wishes = ids.flatMap((userId, index) => (index % 10 === 0 ? [userId, userId] : [userId]))
    for (let at = 0; at < wishes.length; at += 100)
      await Promise.all(wishes.slice(at, at + 100).map((userId) => service.like(userId, { assistantId: _id, userId })))
    expect(await counts(app, _id)).toEqual([1_000, 1_000, 1_000])
    await service.forget(ids[0] ?? '', { keepsPublic: false })
    await app.db.delete(users).where(inArray(users.id, ids.slice(0, 500)))
    expect(await counts(app, _id)).toEqual([500, 500, 500])
  })

  it('go with the account, and so do its likes', async () => {
    const { app, ana, eve } = await anApp(kind)
    const gone = await anAgent(eve, { name: 'Xylograph' })
    const kept = await anAgent(ana)
    await eve.post('/v1/assistants/likes', likeOf(eve, kept._id))
    expect((await eve.send('DELETE', '/api/user/account', { userId: eve.answer.user.id })).status).toBe(204)
    expect(await ana.send('GET', one(gone._id))).toMatchObject({ status: 404 })
    expect((await ana.send('GET', one(kept._id))).body).toMatchObject({ likes: 0 })
    const { rows } = await app.db.execute<{ n: number }>(sql`select count(*)::integer as n from agent_words where word in ('xylograph', 'lighthouse')`)
    expect(rows[0]?.n).toBe(1)
  })

  it('stay as nobody’s when whoever leaves wishes it: the public ones, without name and picture', async () => {
    const { app, ana, eve } = await anApp(kind)
    const agent = await anAgent(eve, { name: 'Xylograph' })
    const hidden = await anAgent(eve, { private: true })
    const off = await anAgent(eve, { enabled: false })
    await app.db.update(agents).set({ profileImage: '/api/pictures/0b6dd1c9-37b3-4b63-8f6a-5a52c4a1f0aa' }).where(eq(agents.id, agent._id))
    await ana.post('/v1/assistants/likes', likeOf(ana, agent._id))
    expect((await eve.send('DELETE', '/api/user/account', { userId: eve.answer.user.id, keepsAgents: true })).status).toBe(204)
    for (const { _id } of [hidden, off]) expect(await ana.send('GET', one(_id))).toMatchObject({ status: 404 })
    const seen = (await ana.send('GET', one(agent._id))).body
    expect(seen).toMatchObject({ userId: null, userName: '', likes: 1, profileImage: `/api/faces/${agent._id}.svg` })
    expect(JSON.stringify(seen)).not.toContain('eve')
    expect((await ana.send('GET', '/v1/assistants/community/free?search_terms=xylograph')).body).toMatchObject({ total_count: 1 })
    // It is nobody's to change.
    expect((await ana.post('/v1/assistants', aDraft({ _id: agent._id }))).status).toBe(404)
  })

  it('are as many as one person may have, also when they are made at once', async () => {
    const { app, ana } = await anApp(kind)
    const first = await anAgent(ana)
    const [row] = await app.db.select().from(agents).where(eq(agents.id, first._id))
    if (!row) throw new Error('the agent is not there')
    const { isListed: _, ...copy } = row
    await app.db.insert(agents).values(Array.from({ length: limits.agents.perPerson - 2 }, () => ({ ...copy, id: uuidv7() })))
    const answers = await Promise.all(Array.from({ length: 5 }, () => ana.post('/v1/assistants', aDraft())))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'agent.limit' })
    // One that is there can be changed all the same.
    expect((await ana.post('/v1/assistants', aDraft({ _id: first._id, name: 'Still' }))).status).toBe(201)
  })

  it('with hostile texts are text, and ids that cannot be are nobody [AG-050]', async () => {
    const { ana, eve } = await anApp(kind)
    const html = '<img src=x onerror=alert(1)>'
    const agent = await anAgent(ana, { name: html, role: `\u202Egnirts\u2066 ${html}\nsecond line`, about: `a\u0000b\u2028c\r\n\u0007d \ud800 ${html}` })
    expect(agent).toMatchObject({ name: html, role: `gnirts ${html} second line`, about: `a\ufffdb\nc\nd \ufffd ${html}` })
    expect((await eve.send('GET', one(agent._id))).body).toMatchObject({ name: html, role: `gnirts ${html} second line` })
    expect(namesOf(await page(eve, `${community}?search_terms=${encodeURIComponent("onerror ' \\ & | ! :* <->")}`))).toEqual([html])
    const secret = 'Prompt \u0000 with \ud800 and \u202E kept \r\n as it is'
    expect(await anAgent(ana, { prompt: secret, knowledge: secret })).toMatchObject({ prompt: secret.replace('\u0000', '\ufffd').replace('\ud800', '\ufffd') })
    const family = '👩‍👩‍👧 Ñandú'
    expect(await anAgent(ana, { name: family })).toMatchObject({ name: family })

    const refused = [
      { name: '' },
      { name: 'x'.repeat(31) },
      { name: '\u202E\u200b ' },
      { role: ' \n ' },
      { about: '' },
      { prompt: '' },
      { about: 'x'.repeat(1_001) },
    ]
    for (const fields of refused)
      expect(await ana.post('/v1/assistants', { ...aDraft(), ...fields })).toMatchObject({ status: 400, body: { code: 'validation' } })
    for (const id of ['\u0000', '\ud800', '../x', 'product-none', '%', "' or 1=1 --"]) {
      expect(await eve.send('GET', one(id.replace('\ud800', '\ufffd')))).toMatchObject({ status: 404, body: { code: 'agent.not-found' } })
      expect(await ana.post('/v1/assistants', { ...aDraft(), _id: id })).toMatchObject({ status: 404, body: { code: 'agent.not-found' } })
      expect(await ana.post('/v1/assistants/likes', likeOf(ana, id))).toMatchObject({ status: 404, body: { code: 'agent.not-found' } })
    }
  })
})

function serviceOf({ db, log }: TestApp): AgentService {
  const now = Date.now
  const bus = { count: async () => ({ count: 1, resetMs: 1 }) }
  const pictures = new PictureService({ db, bus, log, images: undefined, publicUrl: 'http://localhost', rateLimitScale: 0, now })
  return new AgentService({ db, pictures, now })
}

/** By the agent, by its copy for searches, and by the likes themselves. */
async function counts({ db }: TestApp, id: string): Promise<number[]> {
  const [agent] = await db.select({ likes: agents.likes }).from(agents).where(eq(agents.id, id))
  const { rows } = await db.execute<{ likes: number }>(sql`select likes from agent_search where agent_id = ${id}`)
  const likes = await db.select({ userId: agentLikes.userId }).from(agentLikes).where(eq(agentLikes.agentId, id))
  return [agent?.likes ?? -1, rows[0]?.likes ?? -1, likes.length]
}
