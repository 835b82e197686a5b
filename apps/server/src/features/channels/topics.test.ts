import type { Message } from '@parley/contract/chat'
import type { TopicChannel } from '@parley/contract/topics'
import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'
import { TopicService } from './topic-service'

type Person = Awaited<ReturnType<typeof aPerson>>
type List = { content: TopicChannel[]; page: number; size: number; total: number }

async function people(kind: (typeof databases)[number]) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
  return { app, ana: await aPerson(app, 'ana@example.org'), eve: await aPerson(app, 'eve@example.org') }
}
const open = async (person: Person, body: object): Promise<TopicChannel> => {
  const answer = await person.post('/api/channel/action', body)
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body as TopicChannel
}
const listOf = async (person: Person, path: string): Promise<List> =>
  (await person.send('GET', `/api/channels-topic/${path}`)).body as List

describe.each(databases)('topics on %s', (kind) => {
  it('open a channel about a subject, one for each topic, however often and however many at once [ST-071, ST-200]', async () => {
    const { app, ana } = await people(kind)
    const made = await Promise.all(
      Array.from({ length: 5 }, () =>
        open(ana, { subject: 'Lunar \u0000 travel', topicId: 'moon', assistantId: 'agent' }),
      ),
    )
    expect(new Set(made.map(({ channelId }) => channelId)).size).toBe(1)
    const [topic] = made
    expect(topic).toMatchObject({
      topicId: 'moon',
      subject: 'Lunar \u0000 travel',
      user: ana.answer.user.id,
      assistantId: 'agent',
      chat_response: { content: '' },
    })
    expect(Date.parse(topic?.datetime ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(await app.db.select().from(channels)).toHaveLength(1)
    expect((await ana.send('GET', `/api/channel/${topic?.channelId}`)).body).toMatchObject({
      channelName: 'Lunar   travel',
      assistantId: 'agent',
    })
    for (const id of ['moon', topic?.channelId])
      expect((await ana.send('GET', `/api/channel/topic/${id}`)).body).toEqual(topic)
    const second = await open(ana, { subject: 'Lunar travel', topicId: 'moon-2', assistantId: 'agent' })
    expect(second.channelId).not.toBe(topic?.channelId)
    for (const body of [
      { subject: ' ', topicId: 'x' },
      { subject: 'x', topicId: '' },
      { subject: 'x', topicId: '\u0000' },
      { topicId: 'x' },
    ])
      expect((await ana.post('/api/channel/action', body)).status).toBe(400)
  })

  it('are listed under their agent, newest first, without the one that is open [ST-200]', async () => {
    const { ana } = await people(kind)
    const topics: TopicChannel[] = []
    for (const topicId of ['a', 'b', 'c'])
      topics.push(await open(ana, { subject: topicId, topicId, assistantId: 'agent' }))
    await open(ana, { subject: 'other', topicId: 'other' })
    await ana.post('/api/channel', { channelName: 'No topic', assistantId: 'agent' })
    expect((await listOf(ana, '0/2/agent/-')).content.map(({ topicId }) => topicId)).toEqual(['c', 'b'])
    expect(await listOf(ana, '1/2/agent/-')).toMatchObject({ content: [{ topicId: 'a' }], page: 1, size: 2, total: 3 })
    expect(await listOf(ana, `0/10/agent/${topics[1]?.channelId}`)).toMatchObject({
      content: [{ topicId: 'c' }, { topicId: 'a' }],
      total: 2,
    })
    expect((await listOf(ana, '0/10/-/-')).content.map(({ topicId }) => topicId)).toEqual(['other'])
    expect((await ana.send('GET', '/api/channels-topic/0/101/agent/-')).status).toBe(400)
  })

  it('of somebody else do not exist', async () => {
    const { ana, eve } = await people(kind)
    const topic = await open(ana, { subject: 'Hers', topicId: 'moon', assistantId: 'agent' })
    for (const id of ['moon', topic.channelId, 'unknown', '%00'])
      expect(await eve.send('GET', `/api/channel/topic/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'channel.not-found' },
      })
    expect(await listOf(eve, '0/10/agent/-')).toMatchObject({ content: [], total: 0 })
    expect((await eve.send('GET', `/api/channels-topic/0/10/agent/${topic.channelId}`)).status).toBe(404)
    expect((await open(eve, { subject: 'Mine', topicId: 'moon', assistantId: 'agent' })).channelId).not.toBe(
      topic.channelId,
    )
  })

  it('begin with the greeting of their agent, where it has one [ST-064]', async () => {
    const { app, ana } = await people(kind)
    const greetingOf = async (assistantId: string | null) => (assistantId === 'agent' ? 'Welcome aboard.' : undefined)
    const topics = new TopicService({ db: app.db, greetingOf, now: Date.now })
    const topic = await topics.open(ana.answer.user.id, { subject: 'Moon', topicId: 'moon', assistantId: 'agent' })
    expect(topic.chat_response.content).toBe('Welcome aboard.')
    const { content } = (await ana.send('GET', `/api/chat/documents/0/10/${topic.channelId}`)).body as {
      content: Message[]
    }
    expect(content).toMatchObject([
      { chat_request: '', chat_response: { content: 'Welcome aboard.' }, status: 'completed' },
    ])
    expect((await ana.send('GET', '/api/channel/topic/moon')).body).toEqual(topic)
    expect(
      (await topics.open(ana.answer.user.id, { subject: 'Sun', topicId: 'sun', assistantId: null })).chat_response
        .content,
    ).toBe('')
  })

  it('are not there without their greeting: whoever asks again after a failure gets both', async () => {
    const { app, ana } = await people(kind)
    // What cannot be stored: the channel is in the transaction already.
    let greeting: unknown = { length: 1 }
    const topics = new TopicService({ db: app.db, greetingOf: async () => greeting as string, now: Date.now })
    const open = () => topics.open(ana.answer.user.id, { subject: 'Moon', topicId: 'moon', assistantId: 'agent' })
    await expect(open()).rejects.toThrow()
    expect(await app.db.select().from(channels)).toEqual([])
    greeting = 'Welcome aboard.'
    expect((await open()).chat_response.content).toBe('Welcome aboard.')
  })

  it('are listed with their greetings', async () => {
    const { app, ana } = await people(kind)
    const topics = new TopicService({ db: app.db, greetingOf: async (id) => `Hello from ${id}.`, now: Date.now })
    for (const topicId of ['sun', 'moon'])
      await topics.open(ana.answer.user.id, { subject: topicId, topicId, assistantId: 'agent' })
    const { content } = await listOf(ana, '0/10/agent/-')
    expect(content.map(({ topicId, chat_response }) => [topicId, chat_response.content])).toEqual([
      ['moon', 'Hello from agent.'],
      ['sun', 'Hello from agent.'],
    ])
  })
})
