import { randomUUID } from 'node:crypto'
import { apologyText, type ClientFrame, type CreateChatMessage, closeCode, type Message, type ServerFrame } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import { totalUsage } from '@parley/contract/usage'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { channels, generations, messages } from '../../db/schema'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { type ChatClient, inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, type ChatApp, redisUrl } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { startGatewayStandIn } from '../../testing/gateway-stand-in'
import { aPerson, type Client } from '../../testing/person'
import { outputUntil, runSource } from '../../testing/run-source'
import { openPostgresql } from '../../testing/test-databases'

type Place = { call(path: string, init?: RequestInit): Promise<Response>; url: string }

const tokenOf = ({ tokens }: Client): string => tokens?.access_token ?? ''

/** A person with a cloud channel, on a socket. */
async function aTalker(place: Place, email = 'ana@example.org') {
  const person = await aPerson(place, email)
  const created = await person.post('/api/channel', {})
  const channelId = (created.body as { data: { id: string } }).data.id
  const client = await new Visitor(tokenOf(person)).connect(place)
  const ask = (question: string, more: Partial<CreateChatMessage> = {}, on: ChatClient = client): string =>
    on.ask(question, { storageMode: 'cloud', channelId, ...more })
  const stored = async (): Promise<Message[]> => ((await person.send('GET', `/api/chat/documents/0/100/${channelId}`)).body as { content: Message[] }).content
  return { person, userId: person.answer.user.id, channelId, client, ask, stored }
}

const requestsOf = ({ gateway }: Pick<ChatApp, 'gateway'>) => gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))
/** What the model was given, without the system's part. */
const givenTo = (app: ChatApp) => requestsOf(app).at(-1)?.body.messages.slice(1)
const exchange = (question: string, answer: string) => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer },
]

describe.each(databases)('a question in a cloud channel on %s', (kind) => {
  const setup = { kind, bus: 'memory' as const }

  it('is stored before the model is called, and its answer when it ends [ST-083, ST-084, ST-094]', async () => {
    let now = Date.now()
    const askedAt = now
    const app = await buildChatApp(setup, { now: () => now })
    const { userId, channelId, client, ask, stored, person } = await aTalker(app)
    await app.db.update(channels).set({ updatedAt: new Date(0) })
    app.gateway.next({ text: 'Whole 👩‍👩‍👧 answer', holdAfter: 0, usage: { prompt_tokens: 5, completion_tokens: 7, cost: 0.0000047 } })
    const id = ask('Is it stored?')
    await client.untilEvent('accepted', id)
    expect(await stored()).toEqual([
      expect.objectContaining({ mId: id, channelId, chat_request: 'Is it stored?', chat_response: { role: 'assistant', content: '' }, status: 'streaming' }),
    ])
    await expect.poll(() => requestsOf(app).length).toBe(1)
    now += 12_345
    app.gateway.release()
    const end = await client.untilEvent('end', id)
    const frames = inOrder(client.frames, id)
    expect([...new Set(frames.map(({ event }) => event))]).toEqual(['accepted', 'status', 'content', 'saving-chat', 'end'])
    const [message] = await stored()
    expect(message).toMatchObject({ status: 'completed', chat_response: end.message.chat_response, model: end.message.model, finishReason: 'stop' })
    expect(message).toMatchObject({ usage: { inputTokens: 5, outputTokens: 7, cost: '4700' }, run: { messageId: id, seq: end.seq, base: 0 } })
    expect(message?.durationMs).toBe(12_345)
    expect(Date.parse(message?.datetime ?? '')).toBe(askedAt)
    expect(await app.db.select().from(generations)).toEqual([
      expect.objectContaining({ messageId: id, subject: `user:${userId}`, storageMode: 'cloud', channelId, mId: id, status: 'completed' }),
    ])
    expect((await app.db.select().from(messages))[0]).toMatchObject({ ownerId: userId, authorUserId: userId })
    const [channel] = ((await person.send('GET', '/api/channel')).body as { channels: { updated_at: string }[] }).channels
    expect(Date.parse(channel?.updated_at ?? '')).toBeGreaterThanOrEqual(askedAt)
    expect((await person.send('GET', '/api/channel/search?q=WHOLE')).body).toMatchObject({ results: [{ mId: id, marks: [[14, 19]] }] })
  })

  it("is answered from the server's own last 7 exchanges, not from what the client sends [ST-086]", async () => {
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
    await client.untilEvent('end', ask('And now?', { lastMessages: lie }))
    expect(givenTo(app)).toEqual([...[3, 4, 6, 7, 8, 9].flatMap((n) => exchange(`q${n}`, `a${n}`)), { role: 'user', content: 'And now?' }])
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
    const before = [await app.db.select().from(messages), await app.db.select().from(channels).where(eq(channels.id, ana.channelId))]
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
      expect(await eve.client.untilEvent('error', asked)).toMatchObject({ code, messageId: asked, mId: more.mId ?? asked })
    }
    const taken = eve.ask('Mine.', { messageId: id })
    expect(await eve.client.untilEvent('error', taken)).toMatchObject({ code: 'chat.message-id-taken' })
    expect(requestsOf(app)).toHaveLength(1)
    expect([await app.db.select().from(messages), await app.db.select().from(channels).where(eq(channels.id, ana.channelId))]).toEqual(before)
    expect(await app.db.select().from(generations)).toHaveLength(1)
  })

  it('is stored and answered once, however often it is sent, and refused with another content', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored, person } = await aTalker(app)
    app.gateway.always({ text: words(30), tokensPerSecond: 100 })
    const id = ask('Once.')
    const second = await new Visitor(tokenOf(person)).connect(app)
    const third = await new Visitor(tokenOf(person)).connect(app)
    for (const on of [second, third]) ask('Once.', { messageId: id, lastMessages: [{ role: 'user', content: 'counts for nothing' }] }, on)
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

describe.each(databases)('an answer in a cloud channel on %s', (kind) => {
  const setup = { kind, bus: 'memory' as const }

  it('is kept about once a second while it is written, and goes on from there on another socket without gap or repetition', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored, person } = await aTalker(app)
    app.gateway.next({ text: words(500), tokensPerSecond: 150, holdAfter: 2_000 })
    const id = ask('Slowly.')
    await client.untilText('word20 ')
    client.cut()
    await expect.poll(async () => (await stored())[0]?.chat_response.content.length).toBeGreaterThan(0)
    const [partial] = await stored()
    const text = partial?.chat_response.content ?? ''
    expect(words(500).startsWith(text)).toBe(true)
    expect(partial).toMatchObject({ status: 'streaming', run: { messageId: id, base: 0 } })
    const reading = await new Visitor(tokenOf(person)).connect(app)
    reading.send({ event: 'resume', messageId: id, afterSeq: partial?.run?.seq ?? 0 })
    app.gateway.release()
    const end = await reading.untilEvent('end', id)
    expect(reading.frames.find(({ event }) => event === 'content')).toMatchObject({ seq: (partial?.run?.seq ?? 0) + 1, mId: id })
    expect(text + textOf(reading.frames)).toBe(words(500))
    expect(await stored()).toMatchObject([{ status: 'completed', chat_response: { content: words(500) }, run: { seq: end.seq } }])
  })

  it('keeps what had arrived when it is stopped, and nothing when it had not begun [ST-088, ST-095]', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    app.gateway.next({ text: words(500), holdAfter: 200 })
    const id = ask('Stop me.')
    await client.untilText('word10 ')
    client.send({ event: 'stop-message', messageId: id })
    const { message } = await client.untilEvent('stopped', id)
    app.gateway.next({ text: 'late', delayMs: 60_000 })
    const early = ask('Stop me at once.')
    await client.untilEvent('accepted', early)
    client.send({ event: 'stop-message', messageId: early })
    await client.untilEvent('stopped', early)
    expect(await stored()).toMatchObject([
      { mId: id, status: 'stopped', chat_response: message.chat_response, finishReason: 'stopped' },
      { mId: early, status: 'stopped', chat_response: { content: '' } },
    ])
    expect((await stored()).every(({ empty, error }) => empty === undefined && error === undefined)).toBe(true)
  })

  it('keeps why it failed, with what had arrived, and an empty one as the apology [ST-100, ST-101, CH-183]', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    const failed = await client.untilEvent('error-openrouter', ask('#key', { userLanguage: 'pt-BR' }))
    const cut = await client.untilEvent('error', ask('#cut'))
    await client.untilEvent('end', ask('#empty'))
    const [first, second, third] = await stored()
    expect(first).toMatchObject({ status: 'failed', chat_response: { content: '' }, error: { code: 'upstream.auth', content: failed.content } })
    expect(second).toMatchObject({ status: 'interrupted', error: { code: 'chat.interrupted', content: cut.content } })
    expect(second?.chat_response.content).toBe(textOf(client.frames.filter((frame) => 'messageId' in frame && frame.messageId === cut.messageId)))
    expect(second?.chat_response.content).not.toBe('')
    expect(third).toMatchObject({ status: 'completed', empty: true, chat_response: { content: apologyText } })
  })

  it('is written anew in its place, from what was before it, under the same id [CH-180, CH-181]', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    const first = ask('One?')
    await client.untilEvent('end', first)
    const middle = ask('#empty')
    await client.untilEvent('end', middle)
    await client.untilEvent('end', ask('Three?'))
    const before = await stored()
    app.gateway.next({ text: 'At last.' })
    const run = ask('#empty', { mId: middle })
    const { mId, message } = await client.untilEvent('end', run)
    expect([mId, message.mId]).toEqual([middle, middle])
    expect(new Set(inOrder(client.frames, run).map((frame) => 'mId' in frame && frame.mId))).toEqual(new Set([middle]))
    expect(givenTo(app)).toEqual([...exchange('One?', 'You said: One?'), { role: 'user', content: '#empty' }])
    const after = await stored()
    expect(after[1]).toMatchObject({
      mId: middle,
      datetime: before[1]?.datetime,
      chat_response: { content: 'At last.' },
      status: 'completed',
      run: { messageId: run },
    })
    expect(after[1]?.empty).toBeUndefined()
    expect([after[0], after[2]]).toEqual([before[0], before[2]])
  })

  it('stays when it is asked for anew and nothing comes, whatever the reason', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored, person } = await aTalker(app)
    app.gateway.next({ text: 'A good ánswer', usage: { prompt_tokens: 5, completion_tokens: 7, cost: 0.0000047 } })
    const id = ask('Well?')
    await client.untilEvent('end', id)
    const { run: _run, ...before } = (await stored())[0] as Message

    app.gateway.next({ status: 401 })
    await client.untilEvent('error-openrouter', ask('Well?', { mId: id }))
    expect(await stored()).toEqual([expect.objectContaining(before)])
    app.gateway.next({ text: '' })
    await client.untilEvent('end', ask('Well?', { mId: id }))
    expect(await stored()).toEqual([expect.objectContaining(before)])
    app.gateway.next({ text: 'late', holdAfter: 0 })
    const early = ask('Well?', { mId: id })
    await client.untilEvent('accepted', early)
    expect(await stored()).toMatchObject([{ status: 'streaming', chat_response: { content: '' } }])
    client.send({ event: 'stop-message', messageId: early })
    await client.untilEvent('stopped', early)
    expect(await stored()).toEqual([expect.objectContaining(before)])
    expect((await stored())[0]).not.toHaveProperty('error')
    expect((await person.send('GET', '/api/channel/search?q=answer')).body).toMatchObject({ results: [{ mId: id }] })

    app.gateway.next({ text: words(500), holdAfter: 200 })
    const other = ask('Well?', { mId: id })
    await client.untilText('word10 ')
    client.send({ event: 'stop-message', messageId: other })
    const { message } = await client.untilEvent('stopped', other)
    expect(await stored()).toMatchObject([{ status: 'stopped', chat_response: message.chat_response }])
    expect((await app.db.select().from(messages))[0]?.previous).toBeNull()
  })

  it('comes back when the node is gone that was asked for another one and had written nothing of it', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    const id = ask('Well?')
    await client.untilEvent('end', id)
    const { run: _run, ...before } = (await stored())[0] as Message
    app.gateway.next({ text: 'late', holdAfter: 0 })
    const run = ask('Well?', { mId: id })
    await client.untilEvent('accepted', run)
    await expect.poll(() => requestsOf(app).length).toBe(2)
    await app.db
      .update(generations)
      .set({ owner: 'a dead node', heartbeatAt: new Date(Date.now() - 2 * limits.chat.leaseMs) })
      .where(eq(generations.messageId, run))
    await expect.poll(async () => (await stored())[0]?.status).toBe('completed')
    expect(await stored()).toEqual([expect.objectContaining(before)])
    expect(await app.db.select({ status: generations.status }).from(generations).where(eq(generations.messageId, run))).toEqual([{ status: 'interrupted' }])
  })

  it.each(['died', 'ended'])('says that it was cut off when the node %s that was to go on with it and had written nothing more', async (fate) => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    const id = ask('Well?')
    await client.untilEvent('end', id)
    app.gateway.next({ text: 'late', holdAfter: 0 })
    const run = ask('Go on', { mId: id, isContinuation: true })
    await client.untilEvent('accepted', run)
    await expect.poll(() => requestsOf(app).length).toBe(2)
    if (fate === 'ended') await Promise.all([app.drain(), app.close()])
    else
      await app.db
        .update(generations)
        .set({ owner: 'a dead node', heartbeatAt: new Date(Date.now() - 2 * limits.chat.leaseMs) })
        .where(eq(generations.messageId, run))
    const row = async () => (await app.db.select().from(messages).where(eq(messages.mId, id)))[0]
    await expect.poll(async () => (await row())?.status).toBe('interrupted')
    expect(await row()).toMatchObject({ answer: 'You said: Well?', errorCode: 'chat.interrupted', previous: null })
    if (fate === 'ended') return
    const again = ask('Go on', { mId: id, isContinuation: true })
    await client.untilEvent('end', again)
    expect((await stored())[0]).toMatchObject({ status: 'completed', chat_response: { content: 'You said: Well?You said: Go on' } })
  })

  it('that was cut off goes on after what stands, asked for by a prompt that is not the question', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    await client.untilEvent('end', ask('Before?'))
    const id = ask('#cut')
    const cut = await client.untilEvent('error', id)
    const kept = (await stored())[1]?.chat_response.content ?? ''
    app.gateway.next({ text: ' and the rest', holdAfter: 0 })
    const run = ask('Please go on.', { mId: id, isContinuation: true })
    await client.untilEvent('accepted', run)
    expect((await stored())[1]).toMatchObject({ status: 'streaming', chat_request: '#cut', chat_response: { content: kept }, usage: cut.usage })
    await expect.poll(() => requestsOf(app).length).toBe(3)
    app.gateway.release()
    const end = await client.untilEvent('end', run)
    expect(end.message.chat_response.content).toBe(' and the rest')
    expect(givenTo(app)).toEqual([...exchange('Before?', 'You said: Before?'), ...exchange('#cut', kept), { role: 'user', content: 'Please go on.' }])
    const [, message] = await stored()
    expect(message).toMatchObject({ status: 'completed', chat_request: '#cut', chat_response: { content: `${kept} and the rest` } })
    expect(message?.run).toEqual({ messageId: run, seq: end.seq, base: kept.length, question: 'Please go on.' })
    expect(message?.error).toBeUndefined()
    // It tells what all of it cost.
    expect(cut.usage?.outputTokens).toBeGreaterThan(0)
    expect(message?.usage).toEqual(totalUsage(cut.usage, end.message.usage))
  })

  it('gives way to a new run of the same exchange, and a late end of the old one changes nothing', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored } = await aTalker(app)
    app.gateway.next({ text: words(2_000), tokensPerSecond: 50 })
    const old = ask('Again and again')
    await client.untilEvent('content', old)
    const run = ask('Again and again', { mId: old })
    await Promise.all([client.untilEvent('end', run), client.untilEvent('stopped', old)])
    expect(await stored()).toMatchObject([{ mId: old, status: 'completed', chat_response: { content: 'You said: Again and again' }, run: { messageId: run } }])
    await expect.poll(() => requestsOf(app).map(({ aborted }) => aborted)).toEqual([true, false])
  })

  it('is shown to nobody any more, not even to whoever asked, once its message is deleted', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, channelId, person } = await aTalker(app)
    app.gateway.next({ text: 'What was deleted.' })
    const id = ask('Say it once.')
    await client.untilEvent('end', id)
    expect((await person.send('DELETE', `/api/chat/${id}?channelId=${channelId}`)).status).toBeLessThan(300)
    const later = await new Visitor(tokenOf(person)).connect(app)
    later.send({ event: 'resume', messageId: id, afterSeq: 0 })
    expect(await later.untilOver(id)).toMatchObject({ event: 'error', code: 'chat.answer-gone' })
    expect(JSON.stringify(later.frames)).not.toContain('What was deleted')
  })

  it('is written to its end, stored and not shown to anybody when the session that asked for it is logged out', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, person } = await aTalker(app)
    app.gateway.next({ text: words(200), holdAfter: 50 })
    const id = ask('Go on without me.')
    await client.untilEvent('content', id)
    await person.post('/api/auth/logout', { refresh_token: person.tokens?.refresh_token })
    expect(await client.closed).toBe(closeCode.unauthenticated)
    const seen = client.frames.length
    app.gateway.release()
    await expect.poll(async () => (await app.db.select().from(messages))[0]).toMatchObject({ status: 'completed', answer: words(200) })
    expect(client.frames).toHaveLength(seen)
  })

  it.each([
    ['the channel is deleted', (channelId: string) => `/api/channel/${channelId}`],
    ['the channel is cleared', (channelId: string) => `/api/channel/${channelId}/clear`],
    ['all channels are deleted', () => '/api/channel/delete/all'],
    ['the message is deleted', (channelId: string, mId: string) => `/api/chat/${mId}?channelId=${channelId}`],
  ])('ends when %s, and brings nothing back', async (_, path) => {
    const app = await buildChatApp(setup)
    const { client, ask, channelId, person } = await aTalker(app)
    app.gateway.next({ text: words(2_000), tokensPerSecond: 100 })
    const id = ask('Will it come back?')
    await client.untilText('word10 ')
    expect((await person.send('DELETE', path(channelId, id))).status).toBeLessThan(300)
    await client.untilEvent('stopped', id)
    expect(await app.db.select().from(messages)).toEqual([])
    expect(await app.db.select({ status: generations.status }).from(generations)).toEqual([{ status: 'stopped' }])
    expect(app.logs()).not.toMatch(/"level":(40|50|60)/)
  })

  it('ends normally when its message was deleted behind its back', async () => {
    const app = await buildChatApp(setup)
    const { client, ask } = await aTalker(app)
    app.gateway.next({ text: words(400), holdAfter: 200 })
    const id = ask('Alone?')
    await client.untilText('word10 ')
    await app.db.delete(channels)
    app.gateway.release()
    await client.untilEvent('end', id)
    expect(textOf(inOrder(client.frames, id))).toBe(words(400))
    expect([await app.db.select().from(channels), await app.db.select().from(messages)]).toEqual([[], []])
    expect(await app.db.select({ status: generations.status }).from(generations)).toEqual([{ status: 'completed' }])
    expect(app.logs()).not.toMatch(/"level":(40|50|60)/)
  })

  it('is gone with the account, also while it is written', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, person, userId } = await aTalker(app)
    app.gateway.next({ text: words(2_000), tokensPerSecond: 100 })
    ask('Forget me.')
    await client.untilText('word10 ')
    expect((await person.send('DELETE', '/api/user/account', { userId })).status).toBeLessThan(300)
    await expect.poll(() => requestsOf(app)[0]?.aborted).toBe(true)
    expect([await app.db.select().from(messages), await app.db.select().from(generations)]).toEqual([[], []])
  })

  it('proposes a name for a channel that has none of its own [ST-096]', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, channelId } = await aTalker(app)
    ask('what is the capital of Peru?', { suggestName: true })
    expect(await client.untilEvent('suggestion-channel-name')).toMatchObject({ channelId, content: 'What is the capital of Peru' })
  })

  it('whose node is gone is marked with its row, keeps what had arrived, and can go on', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored, channelId, userId } = await aTalker(app)
    const id = uuidv7()
    const dead = new Date(Date.now() - 2 * limits.chat.leaseMs)
    const row = { messageId: id, subject: `user:${userId}`, requestHash: 'h', owner: 'a dead node', model: 'm', epoch: 1 }
    await app.db.insert(messages).values({
      channelId,
      mId: 'the exchange',
      ownerId: userId,
      position: 1,
      question: 'Will you survive?',
      answer: 'What had arrivéd',
      status: 'streaming',
      runMessageId: id,
      runSeq: 9,
      runBase: 0,
      askedAt: new Date().toISOString(),
      updatedAt: dead,
      folded: '',
    })
    await app.db.insert(generations).values({ ...row, channelId, mId: 'the exchange', storageMode: 'cloud', status: 'running', heartbeatAt: dead })
    await expect.poll(async () => (await stored())[0]?.status).toBe('interrupted')
    expect((await app.db.select().from(generations))[0]).toMatchObject({ status: 'interrupted', epoch: 2 })
    expect(await stored()).toMatchObject([{ chat_response: { content: 'What had arrivéd' }, error: { code: 'chat.interrupted' } }])
    expect((await app.db.select().from(messages))[0]?.folded).toBe('will you survive what had arrived')
    client.send({ event: 'resume', messageId: id, afterSeq: 9 } satisfies ClientFrame)
    expect(await client.untilEvent('error', id)).toMatchObject({ code: 'chat.interrupted', mId: 'the exchange' })
    await app.db.update(channels).set({ lastPosition: 1 })
    app.gateway.next({ text: ' and more' })
    const run = ask('Go on', { mId: 'the exchange', isContinuation: true })
    expect(await client.untilEvent('end', run)).toMatchObject({ mId: 'the exchange' })
    expect(await stored()).toMatchObject([{ status: 'completed', chat_response: { content: 'What had arrivéd and more' } }])
  })
})

describe.each(databases)('a local chat of a signed-in person on %s', (kind) => {
  it('leaves nothing in the cloud, whatever its frame says about exchanges [ST-084]', async () => {
    const app = await buildChatApp({ kind, bus: 'memory' })
    const { client, channelId } = await aTalker(app)
    const id = client.ask('Only here.', { storageMode: 'local', channelId, mId: 'an exchange', isContinuation: true })
    expect(await client.untilEvent('end', id)).toMatchObject({ mId: id })
    expect(await app.db.select().from(messages)).toEqual([])
    expect(await app.db.select().from(generations)).toEqual([expect.objectContaining({ messageId: id, channelId: null, mId: null })])
  })
})

describe.skipIf(!redisUrl || !databases.includes('postgresql'))('a node that is killed in mid-answer (needs TEST_DATABASE_URL and TEST_REDIS_URL)', () => {
  it('leaves what it had stored about once a second, marked by another node when its lease is over', async () => {
    const gateway = await startGatewayStandIn()
    onTestFinished(() => gateway.close())
    const database = await openPostgresql()
    onTestFinished(async () => {
      await database.database.close()
      await database.remove()
    })
    const env = {
      AUTH_SECRET: `a secret of both nodes ${randomUUID()}`,
      REDIS_URL: redisUrl ?? '',
      LLM_BASE_URL: gateway.url,
      LLM_API_KEY: 'key',
      DATA_DIR: '/tmp',
    }
    const child = runSource('testing/chat-node.ts', [], { ...env, DATABASE_URL: database.url, PORT: '0' })
    const url = (await outputUntil(child, /http\S+\n/)).trim()
    let ahead = 0
    const survivor = await buildTestApp({ database: database.database, keepTables: true, env, now: () => Date.now() + ahead })
    const { person, ask, stored } = await aTalker(survivor)
    gateway.next({ text: words(5_000), tokensPerSecond: 100 })
    const there = await new Visitor(tokenOf(person)).connect({ url })
    const id = ask('Will you survive?', {}, there)
    await there.until((frame): frame is ServerFrame => frame.event === 'content' && textOf(there.frames).includes('word300 '))
    child.kill('SIGKILL')
    ahead = limits.chat.leaseMs
    await expect.poll(async () => (await stored())[0]?.status).toBe('interrupted')
    const [message] = await stored()
    const text = message?.chat_response.content ?? ''
    expect(message).toMatchObject({ mId: id, error: { code: 'chat.interrupted' } })
    expect(words(5_000).startsWith(text)).toBe(true)
    expect(textOf(there.frames).length - text.length).toBeLessThan(2 * limits.cloud.partialSaveLength)
    expect(gateway.requests).toHaveLength(1)
  })
})
