import type { ClientFrame, Message } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { totalUsage } from '@parley/contract/usage'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { generations } from '../../db/schema/chat'
import { messages } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { inOrder } from '../../testing/chat-client'
import { buildChatApp } from '../../testing/chat-setups'
import { aTalker, exchange, givenTo, requestsOf } from '../../testing/cloud-talker'
import { words } from '../../testing/gateway-scenarios'

describe.each(databases)('an answer in a cloud channel on %s', (kind) => {
  const setup = { kind, bus: 'memory' as const }

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
    // What followed the empty answer follows the one in its place.
    expect([after[0], after[2]]).toEqual([before[0], { ...before[2], afterRunId: run }])
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
      .set({ owner: 'a dead node', heartbeatAt: new Date(Date.now() - 2 * serverLimits.chat.leaseMs) })
      .where(eq(generations.messageId, run))
    await expect.poll(async () => (await stored())[0]?.status).toBe('completed')
    expect(await stored()).toEqual([expect.objectContaining(before)])
    expect(
      await app.db.select({ status: generations.status }).from(generations).where(eq(generations.messageId, run)),
    ).toEqual([{ status: 'interrupted' }])
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
    expect((await stored())[1]).toMatchObject({
      status: 'streaming',
      chat_request: '#cut',
      chat_response: { content: kept },
      usage: cut.usage,
    })
    await expect.poll(() => requestsOf(app).length).toBe(3)
    app.gateway.release()
    const end = await client.untilEvent('end', run)
    expect(end.message.chat_response.content).toBe(' and the rest')
    expect(givenTo(app)).toEqual([
      ...exchange('Before?', 'You said: Before?'),
      ...exchange('#cut', kept),
      { role: 'user', content: 'Please go on.' },
    ])
    const [, message] = await stored()
    expect(message).toMatchObject({
      status: 'completed',
      chat_request: '#cut',
      chat_response: { content: `${kept} and the rest` },
    })
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
    expect(await stored()).toMatchObject([
      {
        mId: old,
        status: 'completed',
        chat_response: { content: 'You said: Again and again' },
        run: { messageId: run },
      },
    ])
    await expect.poll(() => requestsOf(app).map(({ aborted }) => aborted)).toEqual([true, false])
  })

  it('whose node is gone is marked with its row, keeps what had arrived, and can go on', async () => {
    const app = await buildChatApp(setup)
    const { client, ask, stored, channelId, userId } = await aTalker(app)
    const id = uuidv7()
    const dead = new Date(Date.now() - 2 * serverLimits.chat.leaseMs)
    const row = {
      messageId: id,
      subject: `user:${userId}`,
      requestHash: 'h',
      owner: 'a dead node',
      model: 'm',
      epoch: 1,
    }
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
    await app.db
      .insert(generations)
      .values({ ...row, channelId, mId: 'the exchange', storageMode: 'cloud', status: 'running', heartbeatAt: dead })
    await expect.poll(async () => (await stored())[0]?.status).toBe('interrupted')
    expect((await app.db.select().from(generations))[0]).toMatchObject({ status: 'interrupted', epoch: 2 })
    expect(await stored()).toMatchObject([
      { chat_response: { content: 'What had arrivéd' }, error: { code: 'chat.interrupted' } },
    ])
    expect((await app.db.select().from(messages))[0]?.folded).toBe('will you survive what had arrived')
    client.send({ event: 'resume', messageId: id, afterSeq: 9 } satisfies ClientFrame)
    expect(await client.untilEvent('error', id)).toMatchObject({ code: 'chat.interrupted', mId: 'the exchange' })
    await app.db.update(channels).set({ lastPosition: 1 })
    app.gateway.next({ text: ' and more' })
    const run = ask('Go on', { mId: 'the exchange', isContinuation: true })
    expect(await client.untilEvent('end', run)).toMatchObject({ mId: 'the exchange' })
    expect(await stored()).toMatchObject([
      { status: 'completed', chat_response: { content: 'What had arrivéd and more' } },
    ])
  })
})
