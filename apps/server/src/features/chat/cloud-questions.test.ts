import type { CreateChatMessage, Message } from '@parley/contract/chat'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { generations } from '../../db/schema/chat'
import { messages } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp } from '../../testing/chat-setups'
import { aTalker, exchange, givenTo, requestsOf, tokenOf } from '../../testing/cloud-talker'
import { words } from '../../testing/gateway-scenarios'

describe.each(databases)('a question in a cloud channel on %s', (kind) => {
  const setup = { kind, bus: 'memory' as const }

  it('is stored before the model is called, and its answer when it ends [ST-083, ST-084, ST-094]', async () => {
    let now = Date.now()
    const askedAt = now
    const app = await buildChatApp(setup, { now: () => now })
    const { userId, channelId, client, ask, stored, person } = await aTalker(app)
    await app.db.update(channels).set({ updatedAt: new Date(0) })
    app.gateway.next({
      text: 'Whole 👩‍👩‍👧 answer',
      holdAfter: 0,
      usage: { prompt_tokens: 5, completion_tokens: 7, cost: 0.0000047 },
    })
    const id = ask('Is it stored?')
    await client.untilEvent('accepted', id)
    expect(await stored()).toEqual([
      expect.objectContaining({
        mId: id,
        channelId,
        chat_request: 'Is it stored?',
        chat_response: { role: 'assistant', content: '' },
        status: 'streaming',
      }),
    ])
    await expect.poll(() => requestsOf(app).length).toBe(1)
    now += 12_345
    app.gateway.release()
    const end = await client.untilEvent('end', id)
    const frames = inOrder(client.frames, id)
    expect([...new Set(frames.map(({ event }) => event))]).toEqual([
      'accepted',
      'status',
      'content',
      'saving-chat',
      'end',
    ])
    const [message] = await stored()
    expect(message).toMatchObject({
      status: 'completed',
      chat_response: end.message.chat_response,
      model: end.message.model,
      finishReason: 'stop',
    })
    expect(message).toMatchObject({
      usage: { inputTokens: 5, outputTokens: 7, cost: '4700' },
      run: { messageId: id, seq: end.seq, base: 0 },
    })
    expect(message?.durationMs).toBe(12_345)
    expect(Date.parse(message?.datetime ?? '')).toBe(askedAt)
    expect(await app.db.select().from(generations)).toEqual([
      expect.objectContaining({
        messageId: id,
        subject: `user:${userId}`,
        storageMode: 'cloud',
        channelId,
        mId: id,
        status: 'completed',
      }),
    ])
    expect((await app.db.select().from(messages))[0]).toMatchObject({ ownerId: userId, authorUserId: userId })
    const [channel] = ((await person.send('GET', '/api/channel')).body as { channels: { updated_at: string }[] })
      .channels
    expect(Date.parse(channel?.updated_at ?? '')).toBeGreaterThanOrEqual(askedAt)
    expect((await person.send('GET', '/api/channel/search?q=WHOLE')).body).toMatchObject({
      results: [{ mId: id, marks: [[14, 19]] }],
    })
  })

  it('is answered from what the server has of the chat, not from what the client sends [ST-086]', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, person, channelId } = await aTalker(app)
    const told = (n: number, fields: Partial<Message> = {}): Message => ({
      mId: `m${n}`,
      channelId,
      chat_request: `q${n}`,
      chat_response: { role: 'assistant', content: `a${n}` },
      datetime: '2026-01-01T00:00:00.000Z',
      status: 'completed',
      ...fields,
    })
    const given = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => told(n, n === 5 ? { empty: true } : {}))
    await person.send('PUT', `/api/chat/${channelId}/messages`, { messages: given })
    const lie = [{ role: 'assistant' as const, content: 'I never said that' }]
    await client.untilEvent('end', ask('And now?', { lastMessages: lie, earlierMessages: lie, pinned: [0] }))
    expect(givenTo(app)).toEqual([
      ...[1, 2, 3, 4, 6, 7, 8, 9].flatMap((n) => exchange(`q${n}`, `a${n}`)),
      { role: 'user', content: 'And now?' },
    ])
  })

  it('of somebody who is not signed in is refused', async () => {
    const app = await buildChatApp(setup)
    const client = await new Visitor().connect(app)
    const id = client.ask('Anonymous?', { storageMode: 'cloud' })
    expect(await client.untilEvent('error', id)).toMatchObject({ code: 'unauthenticated' })
    expect([await app.db.select().from(generations), requestsOf(app)]).toEqual([[], []])
  })

  it("in another person's channel, or under another's message, is answered like an unknown one, and nothing is stored or asked", async () => {
    const app = await buildChatApp(setup)
    const ana = await aTalker(app)
    const id = ana.ask('Mine.')
    await ana.client.untilEvent('end', id)
    const before = [
      await app.db.select().from(messages),
      await app.db.select().from(channels).where(eq(channels.id, ana.channelId)),
    ]
    const eve = await aTalker(app, 'eve@example.org')
    const refusals: [Partial<CreateChatMessage>, string][] = [
      [{ channelId: ana.channelId }, 'channel.not-found'],
      [{ channelId: ana.channelId, mId: id }, 'channel.not-found'],
      [{ channelId: ana.channelId, mId: id, isContinuation: true }, 'channel.not-found'],
      [{ mId: id }, 'not-found'],
      [{ channelId: 'no-such-channel' }, 'channel.not-found'],
      [{ channelId: '\u0000' }, 'channel.not-found'],
      [{ mId: '\u0000' }, 'not-found'],
    ]
    for (const [more, code] of refusals) {
      const asked = eve.ask('Let me in', more)
      expect(await eve.client.untilEvent('error', asked)).toMatchObject({
        code,
        messageId: asked,
        mId: more.mId ?? asked,
      })
    }
    const taken = eve.ask('Mine.', { messageId: id })
    expect(await eve.client.untilEvent('error', taken)).toMatchObject({ code: 'chat.message-id-taken' })
    expect(requestsOf(app)).toHaveLength(1)
    expect([
      await app.db.select().from(messages),
      await app.db.select().from(channels).where(eq(channels.id, ana.channelId)),
    ]).toEqual(before)
    expect(await app.db.select().from(generations)).toHaveLength(1)
  })

  it('is stored and answered once, however often it is sent, and refused with another content', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored, person } = await aTalker(app)
    app.gateway.always({ text: words(30), tokensPerSecond: 100 })
    const id = ask('Once.')
    const second = await new Visitor(tokenOf(person)).connect(app)
    const third = await new Visitor(tokenOf(person)).connect(app)
    for (const on of [second, third])
      ask('Once.', { messageId: id, lastMessages: [{ role: 'user', content: 'counts for nothing' }] }, on)
    for (const on of [client, second, third]) {
      await on.untilEvent('end', id)
      expect(textOf(inOrder(on.frames, id))).toBe(words(30))
    }
    const other = await new Visitor(tokenOf(person)).connect(app)
    ask('Twice.', { messageId: id }, other)
    expect(await other.untilEvent('error', id)).toMatchObject({ code: 'chat.message-id-taken' })
    expect(await stored()).toHaveLength(1)
    expect(requestsOf(app)).toHaveLength(1)
  })

  it('that the channel has already without its row is not stored over', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    const id = ask('First.')
    await client.untilEvent('end', id)
    await app.db.delete(generations)
    const other = ask('Second.', { messageId: id })
    expect(await client.untilEvent('error', other)).toMatchObject({ code: 'chat.message-id-taken' })
    expect(await stored()).toMatchObject([{ chat_request: 'First.', status: 'completed' }])
    expect(await app.db.select().from(generations)).toEqual([])
  })

  it('beyond three at a time is refused and leaves nothing behind', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    app.gateway.always({ text: words(2_000), tokensPerSecond: 50 })
    const running = ['a', 'b', 'c'].map((question) => ask(question))
    const fourth = ask('d')
    expect(await client.untilEvent('error', fourth)).toMatchObject({ code: 'chat.too-many-running' })
    expect((await stored()).map(({ chat_request }) => chat_request)).toEqual(['a', 'b', 'c'])
    for (const messageId of running) client.send({ event: 'stop-message', messageId })
    await Promise.all(running.map((messageId) => client.untilEvent('stopped', messageId)))
  })

  it('keeps text that a database cannot hold as it is', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    app.gateway.next({ text: 'nul \u0000 end' })
    const question = 'half \ud83c nul \u0000'
    await client.untilEvent('end', ask(question))
    expect(await stored()).toMatchObject([{ chat_request: question, chat_response: { content: 'nul \u0000 end' } }])
  })
})

describe.each(databases)('a local chat of a signed-in person on %s', (kind) => {
  it('leaves nothing in the cloud, whatever its frame says about exchanges [ST-084]', async () => {
    const app = await buildChatApp({ kind, bus: 'memory' })
    const { client, channelId } = await aTalker(app)
    const id = client.ask('Only here.', { storageMode: 'local', channelId, mId: 'an exchange', isContinuation: true })
    expect(await client.untilEvent('end', id)).toMatchObject({ mId: id })
    expect(await app.db.select().from(messages)).toEqual([])
    expect(await app.db.select().from(generations)).toEqual([
      expect.objectContaining({ messageId: id, channelId: null, mId: null }),
    ])
  })
})
