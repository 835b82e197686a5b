import { apologyText } from '@parley/contract/apology'
import { closeCode } from '@parley/contract/chat-protocol'
import { serverLimits } from '@parley/contract/limits/server'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { generations } from '../../db/schema/chat'
import { messages } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp } from '../../testing/chat-setups'
import { aTalker, requestsOf, tokenOf } from '../../testing/cloud-talker'
import { words } from '../../testing/gateway-scenarios'

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
    expect(reading.frames.find(({ event }) => event === 'content')).toMatchObject({
      seq: (partial?.run?.seq ?? 0) + 1,
      mId: id,
    })
    expect(text + textOf(reading.frames)).toBe(words(500))
    expect(await stored()).toMatchObject([
      { status: 'completed', chat_response: { content: words(500) }, run: { seq: end.seq } },
    ])
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
    expect(first).toMatchObject({
      status: 'failed',
      chat_response: { content: '' },
      error: { code: 'upstream.auth', content: failed.content },
    })
    expect(second).toMatchObject({ status: 'interrupted', error: { code: 'chat.interrupted', content: cut.content } })
    expect(second?.chat_response.content).toBe(
      textOf(client.frames.filter((frame) => 'messageId' in frame && frame.messageId === cut.messageId)),
    )
    expect(second?.chat_response.content).not.toBe('')
    expect(third).toMatchObject({ status: 'completed', empty: true, chat_response: { content: apologyText } })
  })

  it.each(['died', 'ended'])(
    'says that it was cut off when the node %s that was to go on with it and had written nothing more',
    async (fate) => {
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
          .set({ owner: 'a dead node', heartbeatAt: new Date(Date.now() - 2 * serverLimits.chat.leaseMs) })
          .where(eq(generations.messageId, run))
      const row = async () => (await app.db.select().from(messages).where(eq(messages.mId, id)))[0]
      await expect.poll(async () => (await row())?.status).toBe('interrupted')
      expect(await row()).toMatchObject({ answer: 'You said: Well?', errorCode: 'chat.interrupted', previous: null })
      if (fate === 'ended') return
      const again = ask('Go on', { mId: id, isContinuation: true })
      await client.untilEvent('end', again)
      expect((await stored())[0]).toMatchObject({
        status: 'completed',
        chat_response: { content: 'You said: Well?You said: Go on' },
      })
    },
  )

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
    await expect
      .poll(async () => (await app.db.select().from(messages))[0])
      .toMatchObject({ status: 'completed', answer: words(200) })
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
    expect(await client.untilEvent('suggestion-channel-name')).toMatchObject({
      channelId,
      content: 'What is the capital of Peru',
    })
  })
})
