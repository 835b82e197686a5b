import type { Likes } from '@parley/contract/agents'
import { uuidv7 } from '@parley/contract/uuid'
import { eq, inArray, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { agentLikes, agents } from '../../db/schema/agents'
import { users } from '../../db/schema/users'
import { anAgentApp, likeOf, pathOf } from '../../testing/agent-calls'
import { aDraft, anAgent } from '../../testing/agent-drafts'
import { databases, type TestApp } from '../../testing/build-test-app'
import { AgentService } from './agent-service'
import { PictureService } from './picture-service'

describe.each(databases)('agents on %s', (kind) => {
  it('are liked once by each person, however many calls arrive at once [AG-076, AG-080, AG-081]', async () => {
    const { ana, eve } = await anAgentApp(kind)
    const { _id } = await anAgent(ana)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => eve.post('/v1/assistants/likes', likeOf(eve, _id))),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))).toEqual(
      new Set(['200 {"likes":1,"likedByMe":true}']),
    )
    expect((await ana.post('/v1/assistants/likes', likeOf(ana, _id))).body).toEqual({ likes: 2, likedByMe: true })
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => eve.send('DELETE', '/v1/assistants/likes', likeOf(eve, _id))),
    )
    expect(taken.every(({ body }) => (body as Likes).likes === 1 && !(body as Likes).likedByMe)).toBe(true)
    expect((await eve.send('GET', pathOf(_id))).body).toMatchObject({ likes: 1, likedByMe: false })
    // A like outlives the agent's privacy only until it is taken back.
    await ana.post('/v1/assistants', aDraft({ _id, private: true }))
    expect((await ana.send('GET', pathOf(_id))).body).toMatchObject({ likes: 1, likedByMe: true })
  })

  it('have exact counts with a thousand people, also when half of them go', async () => {
    const { app, ana } = await anAgentApp(kind)
    const { _id } = await anAgent(ana)
    const service = serviceOf(app)
    const ids = Array.from({ length: 1_000 }, () => uuidv7())
    await app.db.insert(users).values(ids.map((id) => ({ id, kind: 'email' as const, email: `${id}@example.org` })))
    // Many at a time, every tenth of them twice.
    const likes = ids.flatMap((userId, index) => (index % 10 === 0 ? [userId, userId] : [userId]))
    for (let at = 0; at < likes.length; at += 100)
      await Promise.all(likes.slice(at, at + 100).map((userId) => service.like(userId, { assistantId: _id, userId })))
    expect(await counts(app, _id)).toEqual([1_000, 1_000, 1_000])
    await service.forget(ids[0] ?? '', { keepsPublic: false })
    await app.db.delete(users).where(inArray(users.id, ids.slice(0, 500)))
    expect(await counts(app, _id)).toEqual([500, 500, 500])
  })
})

function serviceOf({ db, log }: TestApp): AgentService {
  const now = Date.now
  const bus = { count: async () => ({ count: 1, resetMs: 1 }) }
  const pictures = new PictureService({
    db,
    bus,
    log,
    images: undefined,
    publicUrl: 'http://localhost',
    rateLimitScale: 0,
    now,
  })
  return new AgentService({ db, pictures, now })
}

/** By the agent, by its copy for searches, and by the likes themselves. */
async function counts({ db }: TestApp, id: string): Promise<number[]> {
  const [agent] = await db.select({ likes: agents.likes }).from(agents).where(eq(agents.id, id))
  const { rows } = await db.execute<{ likes: number }>(sql`select likes from agent_search where agent_id = ${id}`)
  const likes = await db.select({ userId: agentLikes.userId }).from(agentLikes).where(eq(agentLikes.agentId, id))
  return [agent?.likes ?? -1, rows[0]?.likes ?? -1, likes.length]
}
