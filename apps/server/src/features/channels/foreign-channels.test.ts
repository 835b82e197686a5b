import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { databases, type TestApp } from '../../testing/build-test-app'
import { aMessage, anApp, cloudOf } from '../../testing/cloud-channels'
import { aPerson } from '../../testing/person'

describe.each(databases)("another person's channels on %s", (kind) => {
  const stateOf = async (app: TestApp) => [
    await app.db.select().from(channels).orderBy(channels.id),
    await app.db.select().from(messages).orderBy(messages.mId),
  ]

  it('do not exist: every call answers 404 as for an unknown id, and nothing changes [ST-199]', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id } = await cloud.create({ channelName: 'Secret plans' })
    await cloud.fill(id, [aMessage({ mId: 'm1', chat_request: 'The canary question' })])
    const eve = await aPerson(app, 'eve@example.org')
    const before = await stateOf(app)
    const calls = (channelId: string, mId: string): [string, string, object?][] => [
      ['GET', `/api/channel/${channelId}`],
      ['PUT', '/api/channel', { channelId, channelName: 'Mine now' }],
      ['PATCH', `/api/channel/${channelId}/settings`, { instructions: 'Mine now' }],
      ['DELETE', `/api/channel/${channelId}`],
      ['DELETE', `/api/channel/${channelId}/clear`],
      ['GET', `/api/chat/documents/0/10/${channelId}`],
      ['GET', `/api/chat/documents/0/10/${channelId}?before=5`],
      ['GET', `/api/chat/documents/0/10/${channelId}?after=1`],
      ['GET', `/api/chat/documents/0/10/${channelId}?around=${mId}`],
      ['GET', `/api/chat/${channelId}/messages/${mId}`],
      ['DELETE', `/api/chat/${mId}?channelId=${channelId}`],
      ['DELETE', `/api/chat/${mId}`],
      [
        'PUT',
        `/api/chat/${channelId}/messages`,
        { messages: [aMessage({ mId: 'm2' }), aMessage({ mId: 'm1', chat_request: 'Changed' })] },
      ],
    ]
    const unknown = calls('no-such-channel', 'no-such-message')
    for (const [index, [method, path, body]] of calls(id, 'm1').entries()) {
      const answer = await eve.send(method, path, body)
      expect(answer.status, `${method} ${path}`).toBe(404)
      const [, otherPath = '', otherBody] = unknown[index] ?? []
      expect(answer.body).toEqual((await eve.send(method, otherPath, otherBody)).body)
    }
    expect(await cloudOf(eve).list()).toEqual([])
    expect(await cloudOf(eve).search('canary')).toEqual([])
    expect((await eve.send('DELETE', '/api/channel/delete/all')).body).toEqual({ deleted: 0, skipped: 0 })
    expect(await stateOf(app)).toEqual(before)
    expect((await ana.send('GET', `/api/chat/${id}/messages/m1`)).status).toBe(200)
  })

  it('stay closed when her own channel holds a message with the same id', async () => {
    const { app, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await cloud.fill(id, [aMessage({ mId: 'shared', chat_request: 'Hers' })])
    const eve = await aPerson(app, 'eve@example.org')
    const hers = await cloudOf(eve).create()
    await cloudOf(eve).fill(hers.id, [aMessage({ mId: 'shared', chat_request: 'Mine' })])
    expect((await eve.send('DELETE', '/api/chat/shared')).status).toBe(204)
    expect(await cloud.message(id, 'shared')).toMatchObject({ chat_request: 'Hers' })
  })

  it('cannot be changed from a page of another site', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const origin = { origin: 'https://evil.example' }
    expect(await ana.send('DELETE', `/api/channel/${id}`, undefined, origin)).toMatchObject({ status: 403 })
    expect(await ana.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage()] }, origin)).toMatchObject({
      status: 403,
    })
    expect((await cloud.page(id, 0, 1)).total).toBe(0)
  })
})
