import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { agents } from '../../db/schema/agents'
import { anAgentApp, likeOf, pathOf } from '../../testing/agent-calls'
import { aDraft, anAgent } from '../../testing/agent-drafts'
import { databases } from '../../testing/build-test-app'

describe.each(databases)('agents on %s', (kind) => {
  it('go with the account, and so do its likes', async () => {
    const { app, ana, eve } = await anAgentApp(kind)
    const gone = await anAgent(eve, { name: 'Xylograph' })
    const kept = await anAgent(ana)
    await eve.post('/v1/assistants/likes', likeOf(eve, kept._id))
    expect((await eve.send('DELETE', '/api/user/account', { userId: eve.answer.user.id })).status).toBe(204)
    expect(await ana.send('GET', pathOf(gone._id))).toMatchObject({ status: 404 })
    expect((await ana.send('GET', pathOf(kept._id))).body).toMatchObject({ likes: 0 })
    const { rows } = await app.db.execute<{ n: number }>(
      sql`select count(*)::integer as n from agent_words where word in ('xylograph', 'lighthouse')`,
    )
    expect(rows[0]?.n).toBe(1)
  })

  it('stay as nobody’s when whoever leaves asks for it: the public ones, without name and picture', async () => {
    const { app, ana, eve } = await anAgentApp(kind)
    const agent = await anAgent(eve, { name: 'Xylograph' })
    const hidden = await anAgent(eve, { private: true })
    const off = await anAgent(eve, { enabled: false })
    await app.db
      .update(agents)
      .set({ profileImage: '/api/pictures/0b6dd1c9-37b3-4b63-8f6a-5a52c4a1f0aa' })
      .where(eq(agents.id, agent._id))
    await ana.post('/v1/assistants/likes', likeOf(ana, agent._id))
    expect(
      (await eve.send('DELETE', '/api/user/account', { userId: eve.answer.user.id, keepsAgents: true })).status,
    ).toBe(204)
    for (const { _id } of [hidden, off]) expect(await ana.send('GET', pathOf(_id))).toMatchObject({ status: 404 })
    const seen = (await ana.send('GET', pathOf(agent._id))).body
    expect(seen).toMatchObject({ userId: null, userName: '', likes: 1, profileImage: `/api/faces/${agent._id}.svg` })
    expect(JSON.stringify(seen)).not.toContain('eve')
    expect((await ana.send('GET', '/v1/assistants/community/free?search_terms=xylograph')).body).toMatchObject({
      total_count: 1,
    })
    // It is nobody's to change.
    expect((await ana.post('/v1/assistants', aDraft({ _id: agent._id }))).status).toBe(404)
  })
})
