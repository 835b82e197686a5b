import { describe, expect, it } from 'vitest'
import { messageReceipts } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'
import { aChannelOf, aMessage, aSharedChannel, idOf, type Person } from '../../testing/shared-conversation'

describe.each(databases)('receipts of a shared channel on %s', (kind) => {
  it('tell the reader when a message arrived and was read, the first time [ST-068, ST-202]', async () => {
    const { ana, bruno, id, metaOf } = await aSharedChannel(kind)
    const sent = '2026-01-02T03:04:05.678Z'
    expect(await metaOf(bruno, 'm1')).toEqual({
      sender: idOf(ana),
      receiver: idOf(bruno),
      sent,
      received: null,
      read: null,
    })
    expect((await bruno.send('PATCH', `/api/chat/receive-message/m1?channelId=${id}`)).status).toBe(204)
    const received = (await metaOf(bruno, 'm1'))?.received
    expect(Date.parse(received ?? '')).toBeGreaterThan(Date.now() - 60_000)
    for (let n = 0; n < 2; n++) expect((await bruno.send('PATCH', '/api/chat/read-message/m1')).status).toBe(204)
    const meta = await metaOf(bruno, 'm1')
    expect(meta).toMatchObject({ received, read: expect.any(String) })
    await bruno.send('PATCH', '/api/chat/read-message/m1')
    expect(await metaOf(bruno, 'm1')).toEqual(meta)
  })

  it('tell the sender when everybody has, and nothing of what one wrote oneself', async () => {
    const { app, ana, bruno, carla, id, metaOf } = await aSharedChannel(kind)
    expect((await bruno.send('PATCH', `/api/chat/read-conversation/${id}`)).body).toEqual({ read: 2 })
    expect(await metaOf(ana, 'm1')).toMatchObject({ sender: idOf(ana), receiver: null, received: null, read: null })
    await carla.send('PATCH', '/api/chat/receive-message/m1')
    expect(await metaOf(ana, 'm1')).toMatchObject({ received: expect.any(String), read: null })
    expect((await carla.send('PATCH', `/api/chat/read-conversation/${id}`)).body).toEqual({ read: 2 })
    expect((await carla.send('PATCH', `/api/chat/read-conversation/${id}`)).body).toEqual({ read: 0 })
    expect(await metaOf(ana, 'm1')).toMatchObject({ read: expect.any(String) })
    expect((await ana.send('PATCH', `/api/chat/read-conversation/${id}`)).body).toEqual({ read: 0 })
    expect(await app.db.select().from(messageReceipts)).toHaveLength(4)
    await ana.send('DELETE', `/api/channel/${id}/members/${idOf(carla)}`)
    expect(await metaOf(ana, 'm1')).toMatchObject({ receiver: idOf(bruno), read: expect.any(String) })
  })

  it.skipIf(kind === 'pglite')(
    'touch what is new alone: what was read before may be held by somebody else',
    async () => {
      const { app, ana, bruno, id } = await aSharedChannel(kind)
      expect((await bruno.send('PATCH', `/api/chat/read-conversation/${id}`)).body).toEqual({ read: 2 })
      await ana.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('m3')] })
      await app.db.transaction(async (tx) => {
        await tx.select().from(messageReceipts).for('update')
        expect((await bruno.send('PATCH', `/api/chat/read-conversation/${id}`)).body).toEqual({ read: 1 })
      })
    },
  )

  it('name everybody else in the channel to whoever is in it, and nobody to a stranger', async () => {
    const { app, ana, bruno, carla, id } = await aSharedChannel(kind)
    await bruno.send('PUT', `/api/chat/${id}/messages`, {
      messages: [aMessage('m3', { chat_response: { role: 'assistant', content: '' } })],
    })
    await bruno.send('PATCH', `/api/chat/read-message/m1?channelId=${id}`)
    await carla.send('PATCH', `/api/chat/receive-message/m1?channelId=${id}`)
    const readers = (person: Person, messageIds: string[]) => person.post(`/api/chat/${id}/readers`, { messageIds })
    const person = (who: Person, name: string, more = {}) => ({
      userId: idOf(who),
      name,
      received: null,
      read: null,
      ...more,
    })
    const at = expect.any(String)
    const wanted = {
      messages: expect.arrayContaining([
        {
          mId: 'm1',
          readers: expect.arrayContaining([
            person(bruno, 'bruno', { received: at, read: at }),
            person(carla, 'carla', { received: at }),
          ]),
        },
        { mId: 'm3', readers: expect.arrayContaining([person(ana, 'ana'), person(carla, 'carla')]) },
      ]),
    }
    for (const who of [ana, bruno, carla]) {
      const answer = await readers(who, ['m1', 'm3', 'unknown'])
      expect(answer).toMatchObject({ status: 200, body: wanted })
      expect(
        (answer.body as { messages: { readers: unknown[] }[] }).messages.map((each) => each.readers.length),
      ).toEqual([2, 2])
    }
    const stranger = await aPerson(app, 'stranger@example.org')
    expect(await readers(stranger, ['m1'])).toMatchObject({ status: 404, body: { code: 'channel.not-found' } })
    // Of the ids of another channel nothing is told, and of people who are gone neither.
    const elsewhere = await aChannelOf(stranger, 'Elsewhere', [aMessage('theirs')])
    expect((await readers(ana, ['theirs'])).body).toEqual({ messages: [] })
    expect((await stranger.post(`/api/chat/${elsewhere}/readers`, { messageIds: ['theirs', 'm1'] })).body).toEqual({
      messages: [{ mId: 'theirs', readers: [] }],
    })
    await ana.send('DELETE', `/api/channel/${id}/members/${idOf(bruno)}`)
    expect((await readers(ana, ['m1'])).body).toEqual({
      messages: [{ mId: 'm1', readers: [person(carla, 'carla', { received: at })] }],
    })
    expect(await readers(ana, [])).toMatchObject({ status: 400 })
  })

  it('are kept once, however many calls note them at once', async () => {
    const { app, bruno, id } = await aSharedChannel(kind)
    const calls = ['receive-message/m1', 'read-message/m1', `read-conversation/${id}`]
    const answers = await Promise.all(
      [...calls, ...calls, ...calls].map((path) => bruno.send('PATCH', `/api/chat/${path}`)),
    )
    expect(answers.filter(({ status }) => status >= 300)).toEqual([])
    expect(await app.db.select().from(messageReceipts)).toHaveLength(2)
  })
})
