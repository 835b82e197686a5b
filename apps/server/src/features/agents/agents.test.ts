import type { OwnAgent } from '@parley/contract/agents'
import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { agents } from '../../db/schema/agents'
import { anAgentApp, community, likeOf, mine, namesOf, pageOf, pathOf } from '../../testing/agent-calls'
import { aDraft, anAgent, secretKnowledge, secretPrompt } from '../../testing/agent-drafts'
import { databases } from '../../testing/build-test-app'

describe.each(databases)('agents on %s', (kind) => {
  it('are made, read, changed and deleted by their owner [AG-034, AG-035, AG-055, AG-066, AG-067]', async () => {
    const { ana } = await anAgentApp(kind)
    const answer = await ana.post('/v1/assistants', aDraft({ private: true }))
    expect(answer).toMatchObject({
      status: 201,
      body: { category: 'Assistant', userId: ana.answer.user.id, userEmail: 'ana@example.org', userName: 'ana' },
    })
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
    expect((await ana.send('GET', pathOf(agent._id))).body).toEqual(agent)

    // As the form has it: without knowledge, with the greeting that was made of the old name, and with another
    // language.
    const portuguese = {
      language: 'pt' as const,
      role: 'Conhece a costa',
      about: 'Sabe de faróis.',
      prompt: 'Você conhece faróis.',
    }
    const { knowledge: _, ...form } = aDraft({
      _id: agent._id,
      name: 'Keeper',
      private: false,
      languages: [portuguese],
      defaultGreetings: agent.defaultGreetings,
    })
    const changed = (await ana.post('/v1/assistants', form)).body as OwnAgent
    expect(changed).toMatchObject({
      _id: agent._id,
      name: 'Keeper',
      private: false,
      knowledge: secretKnowledge,
      created_at: agent.created_at,
    })
    expect(
      changed.languages.map(({ language, defaultGreetings, prompt }) => [language, defaultGreetings, prompt]),
    ).toEqual([
      ['en', "Hi, I'm Keeper: Knows the coast. How can I help you?", secretPrompt],
      ['pt', 'Olá, eu sou Keeper: Conhece a costa. Como posso ajudar?', 'Você conhece faróis.'],
    ])

    expect(await ana.send('DELETE', `/v1/assistants/${agent._id}`)).toMatchObject({ status: 204 })
    expect(await ana.send('GET', pathOf(agent._id))).toMatchObject({
      status: 404,
      body: { code: 'agent.not-found', message: 'Assistant not found.' },
    })
    expect(namesOf(await pageOf(ana, mine))).toEqual([])
  })

  it('of somebody else cannot be changed or deleted, and their calls need a sign-in [AG-005, AG-006]', async () => {
    const { ana, eve, nobody } = await anAgentApp(kind)
    const [open, hidden] = [await anAgent(ana), await anAgent(ana, { private: true })]
    for (const { _id } of [open, hidden]) {
      const before = (await ana.send('GET', pathOf(_id))).body
      for (const draft of [aDraft({ _id }), aDraft({ _id, profileImage: '/api/faces/x.svg' })])
        expect(await eve.post('/v1/assistants', draft)).toMatchObject({
          status: 404,
          body: { code: 'agent.not-found' },
        })
      expect(await eve.send('DELETE', `/v1/assistants/${_id}`)).toMatchObject({
        status: 404,
        body: { code: 'agent.not-found' },
      })
      expect((await ana.send('GET', pathOf(_id))).body).toEqual(before)
    }
    const like = likeOf(eve, open._id)
    // In another's name.
    for (const method of ['POST', 'DELETE'])
      expect(await ana.send(method, '/v1/assistants/likes', like)).toMatchObject({
        status: 404,
        body: { code: 'not-found' },
      })
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
    for (const [method, path, body] of signedIn)
      expect(await nobody.send(method, path, body)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    for (const path of [
      community,
      '/v1/assistants/company',
      `/v1/assistants/public/user?user_id=${ana.answer.user.id}`,
      pathOf(open._id),
    ]) {
      const answer = await nobody.send('GET', path)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
    }
    expect(await pageOf(ana, mine)).toMatchObject({ total_count: 2 })
    expect(await pageOf(eve, mine)).toEqual({ assistants: [], total_count: 0 })
  })

  it('that are private or switched off are in nothing that others get [AG-032, AG-085, AG-087]', async () => {
    const { ana, eve, nobody } = await anAgentApp(kind)
    const hidden = await anAgent(ana, { name: 'Obelisk', private: true })
    const off = await anAgent(ana, { name: 'Obelisk off', enabled: false })
    for (const person of [eve, nobody]) {
      expect(await person.send('GET', pathOf(hidden._id))).toMatchObject({
        status: 403,
        body: { code: 'agent.private', message: 'Private assistant', error: 'Private assistant' },
      })
      expect(await pageOf(person, community)).toEqual({ assistants: [], total_count: 0 })
      for (const sort of ['', '&sort=likes'])
        expect(await pageOf(person, `${community}?search_terms=Obelisk${sort}`)).toEqual({
          assistants: [],
          total_count: 0,
        })
      expect(await pageOf(person, `/v1/assistants/company?search_terms=Obelisk`)).toEqual({
        assistants: [],
        total_count: 0,
      })
      expect(await pageOf(person, `/v1/assistants/public/user?user_id=${ana.answer.user.id}`)).toEqual({
        assistants: [],
        total_count: 0,
      })
      // Whoever has its address may look at it, but not chat.
      expect((await person.send('GET', pathOf(off._id))).body).toMatchObject({ name: 'Obelisk off', enabled: false })
    }
    expect(await pageOf(eve, `${mine}?search_terms=Obelisk`)).toEqual({ assistants: [], total_count: 0 })
    for (const method of ['POST', 'DELETE'])
      expect(await eve.send(method, '/v1/assistants/likes', likeOf(eve, hidden._id))).toMatchObject({
        status: 403,
        body: { code: 'agent.private' },
      })
    expect(await pageOf(ana, `${mine}?search_terms=obel`)).toMatchObject({ total_count: 2 })
    // From public to private and back.
    await ana.post('/v1/assistants', aDraft({ _id: hidden._id, name: 'Obelisk', private: false }))
    expect(await pageOf(eve, `${community}?search_terms=Obelisk`)).toMatchObject({ total_count: 1 })
    await ana.post('/v1/assistants', aDraft({ _id: hidden._id, name: 'Obelisk', private: true }))
    expect(await pageOf(eve, `${community}?search_terms=Obelisk`)).toMatchObject({ total_count: 0 })
  })

  it('give their prompt, their knowledge and the e-mail of their creator to nobody else [AG-033, AG-036]', async () => {
    const { app, ana, eve, nobody } = await anAgentApp(kind)
    const languages = [{ language: 'es' as const, role: 'Sabe de la costa', about: 'Faros.', prompt: secretPrompt }]
    const agent = await anAgent(ana, { languages })
    await eve.post('/v1/assistants/likes', likeOf(eve, agent._id))
    const paths = [
      pathOf(agent._id),
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
    for (const word of ['CANARY-PROMPT', 'vermilion'])
      expect(await pageOf(eve, `${community}?search_terms=${word}`)).toMatchObject({ total_count: 0 })
    expect(app.logs()).not.toMatch(/CANARY/)
    expect((await ana.send('GET', pathOf(agent._id))).body).toMatchObject({
      prompt: secretPrompt,
      knowledge: secretKnowledge,
      userEmail: 'ana@example.org',
    })
  })

  it('are as many as one person may have, also when they are made at once', async () => {
    const { app, ana } = await anAgentApp(kind)
    const first = await anAgent(ana)
    const [row] = await app.db.select().from(agents).where(eq(agents.id, first._id))
    if (!row) throw new Error('the agent is not there')
    const { isListed: _, ...copy } = row
    await app.db
      .insert(agents)
      .values(Array.from({ length: serverLimits.agents.perPerson - 2 }, () => ({ ...copy, id: uuidv7() })))
    const answers = await Promise.all(Array.from({ length: 5 }, () => ana.post('/v1/assistants', aDraft())))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'agent.limit' })
    // One that is there can be changed all the same.
    expect((await ana.post('/v1/assistants', aDraft({ _id: first._id, name: 'Still' }))).status).toBe(201)
  })

  it('with hostile texts are text, and ids that cannot be are nobody [AG-050]', async () => {
    const { ana, eve } = await anAgentApp(kind)
    const html = '<img src=x onerror=alert(1)>'
    const agent = await anAgent(ana, {
      name: html,
      role: `\u202Egnirts\u2066 ${html}\nsecond line`,
      about: `a\u0000b\u2028c\r\n\u0007d \ud800 ${html}`,
    })
    expect(agent).toMatchObject({
      name: html,
      role: `gnirts ${html} second line`,
      about: `a\ufffdb\nc\nd \ufffd ${html}`,
    })
    expect((await eve.send('GET', pathOf(agent._id))).body).toMatchObject({
      name: html,
      role: `gnirts ${html} second line`,
    })
    expect(
      namesOf(await pageOf(eve, `${community}?search_terms=${encodeURIComponent("onerror ' \\ & | ! :* <->")}`)),
    ).toEqual([html])
    const secret = 'Prompt \u0000 with \ud800 and \u202E kept \r\n as it is'
    expect(await anAgent(ana, { prompt: secret, knowledge: secret })).toMatchObject({
      prompt: secret.replace('\u0000', '\ufffd').replace('\ud800', '\ufffd'),
    })
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
      expect(await ana.post('/v1/assistants', { ...aDraft(), ...fields })).toMatchObject({
        status: 400,
        body: { code: 'validation' },
      })
    for (const id of ['\u0000', '\ud800', '../x', 'product-none', '%', "' or 1=1 --"]) {
      expect(await eve.send('GET', pathOf(id.replace('\ud800', '\ufffd')))).toMatchObject({
        status: 404,
        body: { code: 'agent.not-found' },
      })
      expect(await ana.post('/v1/assistants', { ...aDraft(), _id: id })).toMatchObject({
        status: 404,
        body: { code: 'agent.not-found' },
      })
      expect(await ana.post('/v1/assistants/likes', likeOf(ana, id))).toMatchObject({
        status: 404,
        body: { code: 'agent.not-found' },
      })
    }
  })
})
