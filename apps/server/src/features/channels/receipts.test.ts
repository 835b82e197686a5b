import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ConversationMessage } from '@parley/contract/receipts'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { channels, messageReceipts, messages } from '../../db/schema'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'

type Person = Awaited<ReturnType<typeof aPerson>>
const idOf = (person: Person): string => person.answer.user.id

const aMessage = (mId: string, fields: Partial<Message> = {}): Message => ({
  mId,
  channelId: 'elsewhere',
  chat_request: `Question ${mId}`,
  chat_response: { role: 'assistant', content: `Answer ${mId}` },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
  ...fields,
})

async function aChannelOf(person: Person, channelName: string, given: Message[] = []): Promise<string> {
  const { data } = (await person.post('/api/channel', { channelName })).body as { data: Channel }
  if (given.length > 0) await person.send('PUT', `/api/chat/${data.id}/messages`, { messages: given })
  return data.id
}

async function letIn(owner: Person, channelId: string, guest: Person, role: 'read' | 'write'): Promise<void> {
  const { url } = (await owner.post(`/api/channel/${channelId}/invitations`, { role })).body as { url: string }
  expect((await guest.post(`/api/invitations/${url.split('/').at(-1)}/accept`, undefined)).status).toBe(200)
}

/** Ana shares a channel with two messages with Bruno and Carla. */
async function sharing(kind: (typeof databases)[number]) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
  const [ana, bruno, carla] = [await aPerson(app, 'ana@example.org'), await aPerson(app, 'bruno@example.org'), await aPerson(app, 'carla@example.org')]
  const id = await aChannelOf(ana, 'Plans', [aMessage('m1'), aMessage('m2')])
  await letIn(ana, id, bruno, 'write')
  await letIn(ana, id, carla, 'read')
  const conversation = async (person: Person, key = `${id}_`) =>
    ((await person.send('GET', '/api/chat/conversations')).body as { chats_by_channel_and_assistant_id: Record<string, ConversationMessage[]> })
      .chats_by_channel_and_assistant_id[key]
  const metaOf = async (person: Person, mId: string) => (await conversation(person))?.find((message) => message.mId === mId)?.meta
  return { app, ana, bruno, carla, id, conversation, metaOf }
}

describe.each(databases)('receipts of a shared channel on %s', (kind) => {
  it('tell the reader when a message arrived and was read, the first time [ST-068, ST-202]', async () => {
    const { ana, bruno, id, metaOf } = await sharing(kind)
    const sent = '2026-01-02T03:04:05.678Z'
    expect(await metaOf(bruno, 'm1')).toEqual({ sender: idOf(ana), receiver: idOf(bruno), sent, received: null, read: null })
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
    const { app, ana, bruno, carla, id, metaOf } = await sharing(kind)
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

  it.skipIf(kind === 'pglite')('touch what is new alone: what was read before may be held by somebody else', async () => {
    const { app, ana, bruno, id } = await sharing(kind)
    expect((await bruno.send('PATCH', `/api/chat/read-conversation/${id}`)).body).toEqual({ read: 2 })
    await ana.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('m3')] })
    await app.db.transaction(async (tx) => {
      await tx.select().from(messageReceipts).for('update')
      expect((await bruno.send('PATCH', `/api/chat/read-conversation/${id}`)).body).toEqual({ read: 1 })
    })
  })

  it('name everybody else in the channel to whoever is in it, and nobody to a stranger', async () => {
    const { app, ana, bruno, carla, id } = await sharing(kind)
    await bruno.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('m3', { chat_response: { role: 'assistant', content: '' } })] })
    await bruno.send('PATCH', `/api/chat/read-message/m1?channelId=${id}`)
    await carla.send('PATCH', `/api/chat/receive-message/m1?channelId=${id}`)
    const readers = (person: Person, messageIds: string[]) => person.post(`/api/chat/${id}/readers`, { messageIds })
    const person = (who: Person, name: string, more = {}) => ({ userId: idOf(who), name, received: null, read: null, ...more })
    const at = expect.any(String)
    const wanted = {
      messages: expect.arrayContaining([
        { mId: 'm1', readers: expect.arrayContaining([person(bruno, 'bruno', { received: at, read: at }), person(carla, 'carla', { received: at })]) },
        { mId: 'm3', readers: expect.arrayContaining([person(ana, 'ana'), person(carla, 'carla')]) },
      ]),
    }
    for (const who of [ana, bruno, carla]) {
      const answer = await readers(who, ['m1', 'm3', 'unknown'])
      expect(answer).toMatchObject({ status: 200, body: wanted })
      expect((answer.body as { messages: { readers: unknown[] }[] }).messages.map((each) => each.readers.length)).toEqual([2, 2])
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
    expect((await readers(ana, ['m1'])).body).toEqual({ messages: [{ mId: 'm1', readers: [person(carla, 'carla', { received: at })] }] })
    expect(await readers(ana, [])).toMatchObject({ status: 400 })
  })

  it('are kept once, however many calls note them at once', async () => {
    const { app, bruno, id } = await sharing(kind)
    const calls = ['receive-message/m1', 'read-message/m1', `read-conversation/${id}`]
    const answers = await Promise.all([...calls, ...calls, ...calls].map((path) => bruno.send('PATCH', `/api/chat/${path}`)))
    expect(answers.filter(({ status }) => status >= 300)).toEqual([])
    expect(await app.db.select().from(messageReceipts)).toHaveLength(2)
  })
})

describe.each(databases)('conversations on %s', (kind) => {
  it('are the latest messages with an answer of each channel one is in, by channel and assistant [ST-069]', async () => {
    const { ana, bruno, conversation } = await sharing(kind)
    const own = ((await bruno.post('/api/channel', { channelName: 'Own', assistantId: 'agent' })).body as { data: Channel }).data.id
    const many = Array.from({ length: 12 }, (_, n) => aMessage(`n${n}`, n === 11 ? { chat_response: { role: 'assistant', content: ' ' } } : {}))
    await bruno.send('PUT', `/api/chat/${own}/messages`, { messages: many })
    expect((await conversation(bruno))?.map(({ mId }) => mId)).toEqual(['m1', 'm2'])
    expect((await conversation(bruno, `${own}_agent`))?.map(({ mId }) => mId)).toEqual(['n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9', 'n10'])
    expect(await conversation(bruno, `${own}_agent`)).toContainEqual({
      mId: 'n2',
      channelId: own,
      chat_request: 'Question n2',
      chat_response: { content: 'Answer n2' },
      time: '2026-01-02T03:04:05.678Z',
      meta: { sender: idOf(bruno), receiver: null, sent: '2026-01-02T03:04:05.678Z', received: null, read: null },
    })
    const page = (await bruno.send('GET', '/api/chat/conversations?page=0&size=1')).body as { chats_by_channel_and_assistant_id: object }
    expect(Object.keys(page.chats_by_channel_and_assistant_id)).toHaveLength(1)
    expect(await conversation(ana, `${own}_agent`)).toBeUndefined()
    expect(await conversation(ana)).toHaveLength(2)
  })

  it('take as many queries for many channels as for one', async () => {
    const { ana, bruno } = await sharing(kind)
    const asked = vi.spyOn(pg.Pool.prototype, 'query')
    onTestFinished(() => asked.mockRestore())
    const queriesOf = async (path: string): Promise<number> => {
      asked.mockClear()
      expect((await bruno.send('GET', path)).status).toBe(200)
      return asked.mock.calls.filter((call) => /messages|message_receipts|channel_members/.test(JSON.stringify(call[0]))).length
    }
    const paths = ['/api/chat/conversations', '/api/chat/get-direct-messages']
    const before = [await queriesOf(paths[0] ?? ''), await queriesOf(paths[1] ?? '')]
    for (const name of ['Second', 'Third', 'Fourth']) await letIn(ana, await aChannelOf(ana, name, [aMessage('m1'), aMessage('m3')]), bruno, 'read')
    expect([await queriesOf(paths[0] ?? ''), await queriesOf(paths[1] ?? '')]).toEqual(before)
    expect(Math.min(...before)).toBeGreaterThan(0)
    const { content } = (await bruno.send('GET', paths[1] ?? '')).body as { content: ConversationMessage[] }
    expect(content).toHaveLength(8)
    expect(new Set(content.map(({ channelId, mId }) => `${channelId} ${mId}`)).size).toBe(8)
  })

  it('of others are listed newest first, in pages, and nobody else’s are [ST-202]', async () => {
    const { app, ana, bruno } = await sharing(kind)
    const eve = await aPerson(app, 'eve@example.org')
    const direct = async (person: Person, query = '') => (await person.send('GET', `/api/chat/get-direct-messages${query}`)).body
    expect(await direct(bruno)).toMatchObject({ content: [{ mId: 'm2' }, { mId: 'm1' }], page: 0, size: 10, total: 2 })
    expect(await direct(bruno, '?page=1&size=1')).toMatchObject({ content: [{ mId: 'm1', meta: { sender: idOf(ana) } }], total: 2 })
    for (const person of [ana, eve]) expect(await direct(person)).toMatchObject({ content: [], total: 0 })
  })
})

describe.each(databases)('forwarding on %s', (kind) => {
  it('puts a copy at the end of other channels, marked, in the name of whoever forwards [ST-203]', async () => {
    const { app, bruno, id } = await sharing(kind)
    const [one, two] = [await aChannelOf(bruno, 'One', [aMessage('first')]), await aChannelOf(bruno, 'Two')]
    const answer = await bruno.post('/api/chat/forward-message', { messageId: 'm1', channelIds: [one, two, one] })
    expect(answer.status).toBe(201)
    const { forwarded } = answer.body as { forwarded: { channelId: string; mId: string }[] }
    expect(forwarded.map(({ channelId }) => channelId).sort()).toEqual([one, two].sort())
    const page = (await bruno.send('GET', `/api/chat/documents/0/10/${one}`)).body as { content: Message[] }
    expect(page.content.map(({ chat_request, chat_response, forwarded, author }) => [chat_request, chat_response.content, forwarded, author])).toEqual([
      ['Question first', 'Answer first', undefined, undefined],
      ['Question m1', 'Answer m1', true, undefined],
    ])
    expect((await app.db.select().from(messages)).filter(({ channelId }) => channelId === id)).toHaveLength(2)
    const { results } = (await bruno.send('GET', '/api/channel/search?q=m1')).body as { results: { channelId: string }[] }
    expect(results.map(({ channelId }) => channelId)).toEqual(expect.arrayContaining([one, two]))
  })

  it('is all or nothing: where one channel is unknown, another’s or not to be written in, nothing is forwarded', async () => {
    const { app, ana, bruno, carla, id } = await sharing(kind)
    const hers = await aChannelOf(ana, 'Hers alone')
    const [own, carlas] = [await aChannelOf(bruno, 'Own'), await aChannelOf(carla, 'Own')]
    const before = await app.db.select().from(messages)
    const forward = (person: Person, channelIds: string[]) => person.post('/api/chat/forward-message', { messageId: 'm1', channelIds })
    expect(await forward(bruno, [own, hers])).toMatchObject({ status: 404, body: { code: 'channel.not-found' } })
    expect(await forward(bruno, [own, 'unknown'])).toMatchObject({ status: 404, body: { code: 'channel.not-found' } })
    expect(await forward(carla, [carlas, id])).toMatchObject({ status: 403, body: { code: 'channel.read-only' } })
    expect((await forward(bruno, [])).status).toBe(400)
    expect(await app.db.select().from(messages)).toEqual(before)
  })
})

describe.each(databases)('the message paths that name a person on %s', (kind) => {
  it('are oneself or nothing, and delete what one wrote wherever it is, but not in locked channels [ST-203]', async () => {
    const { app, ana, bruno, id } = await sharing(kind)
    const blank = { chat_response: { role: 'assistant' as const, content: '' }, status: 'failed' as const }
    await bruno.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('b1', blank), aMessage('b2', blank)] })
    await aChannelOf(bruno, 'Own', [aMessage('b3')])
    const locked = ((await bruno.post('/api/channel', { isLocked: true })).body as { data: Channel }).data.id
    await bruno.send('PUT', `/api/chat/${locked}/messages`, { messages: [aMessage('b4')] })
    for (const path of [`delete-message/${idOf(ana)}/m1`, `delete-user-messages/${idOf(ana)}`, 'delete-user-messages/x'])
      expect(await bruno.send('DELETE', `/api/chat/${path}`)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect((await bruno.send('DELETE', `/api/chat/delete-message/${idOf(bruno)}/m1`)).status).toBe(403)
    expect((await bruno.send('DELETE', `/api/chat/delete-message/${idOf(bruno)}/b1?channelId=${id}`)).status).toBe(204)
    expect(await bruno.send('DELETE', `/api/chat/delete-user-messages/${idOf(bruno)}`)).toMatchObject({ status: 200, body: { deleted: 2 } })
    expect((await app.db.select({ mId: messages.mId }).from(messages)).map(({ mId }) => mId).sort()).toEqual(['b4', 'm1', 'm2'])
    expect(await app.db.select().from(channels)).toHaveLength(3)
  })
})
