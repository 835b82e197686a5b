import type { Message } from '@parley/contract/chat'
import { describe, expect, it } from 'vitest'
import { messages } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { aChannelOf, aMessage, aSharedChannel, type Person } from '../../testing/shared-conversation'

describe.each(databases)('forwarding on %s', (kind) => {
  it('puts a copy at the end of other channels, marked, in the name of whoever forwards [ST-203]', async () => {
    const { app, bruno, id } = await aSharedChannel(kind)
    const [one, two] = [await aChannelOf(bruno, 'One', [aMessage('first')]), await aChannelOf(bruno, 'Two')]
    const answer = await bruno.post('/api/chat/forward-message', { messageId: 'm1', channelIds: [one, two, one] })
    expect(answer.status).toBe(201)
    const { forwarded } = answer.body as { forwarded: { channelId: string; mId: string }[] }
    expect(forwarded.map(({ channelId }) => channelId).sort()).toEqual([one, two].sort())
    const page = (await bruno.send('GET', `/api/chat/documents/0/10/${one}`)).body as { content: Message[] }
    expect(
      page.content.map(({ chat_request, chat_response, forwarded, author }) => [
        chat_request,
        chat_response.content,
        forwarded,
        author,
      ]),
    ).toEqual([
      ['Question first', 'Answer first', undefined, undefined],
      ['Question m1', 'Answer m1', true, undefined],
    ])
    expect((await app.db.select().from(messages)).filter(({ channelId }) => channelId === id)).toHaveLength(2)
    const { results } = (await bruno.send('GET', '/api/channel/search?q=m1')).body as {
      results: { channelId: string }[]
    }
    expect(results.map(({ channelId }) => channelId)).toEqual(expect.arrayContaining([one, two]))
  })

  it('is all or nothing: where one channel is unknown, another’s or not to be written in, nothing is forwarded', async () => {
    const { app, ana, bruno, carla, id } = await aSharedChannel(kind)
    const hers = await aChannelOf(ana, 'Hers alone')
    const [own, carlas] = [await aChannelOf(bruno, 'Own'), await aChannelOf(carla, 'Own')]
    const before = await app.db.select().from(messages)
    const forward = (person: Person, channelIds: string[]) =>
      person.post('/api/chat/forward-message', { messageId: 'm1', channelIds })
    expect(await forward(bruno, [own, hers])).toMatchObject({ status: 404, body: { code: 'channel.not-found' } })
    expect(await forward(bruno, [own, 'unknown'])).toMatchObject({ status: 404, body: { code: 'channel.not-found' } })
    expect(await forward(carla, [carlas, id])).toMatchObject({ status: 403, body: { code: 'channel.read-only' } })
    expect((await forward(bruno, [])).status).toBe(400)
    expect(await app.db.select().from(messages)).toEqual(before)
  })
})
