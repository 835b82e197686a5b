import type { CreateChatMessage } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { generations } from '../../db/schema/chat'
import { messages } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { answersIn, type ChatClient, textOf } from '../../testing/chat-client'
import { busSetups } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { aSharedChat } from '../../testing/shared-chat'
import { LedgerService } from '../credits/public/ledger'

const channelEvents = (client: ChatClient) =>
  client.frames.filter(({ event }) => event === 'channel-changed' || event === 'channel-left')

describe.each(databases)('a shared channel on %s', (kind) => {
  it('has a member’s question and its answer for all, told to the others at once and counted for the one who asked', async () => {
    const { app, ana, bruno, rita, channelId, sockets, ask, readBy } = await aSharedChat({ kind, bus: 'memory' })
    app.gateway.next({ text: 'For all of you.' })
    const id = ask(sockets.bruno, 'From Bruno?')
    await sockets.bruno.untilEvent('end', id)
    for (const client of [sockets.ana, sockets.rita])
      expect(await client.untilEvent('channel-changed')).toEqual({
        ...{ event: 'channel-changed', channelId },
        change: { kind: 'exchanges', mIds: [id] },
      })
    for (const client of Object.values(sockets))
      expect(await client.untilEvent('answer-begun')).toEqual({
        event: 'answer-begun',
        channelId,
        messageId: id,
        mId: id,
      })
    expect(sockets.ana.frames.some(({ event }) => event === 'content')).toBe(false)
    const author = { id: bruno.answer.user.id, name: 'bruno' }
    for (const person of [ana, rita])
      expect(await readBy(person)).toMatchObject([
        { mId: id, chat_request: 'From Bruno?', chat_response: { content: 'For all of you.' }, author },
      ])
    expect((await readBy(bruno))[0]).not.toHaveProperty('author')
    await ana.send('PATCH', `/api/chat/read-conversation/${channelId}`)
    for (const client of [sockets.bruno, sockets.rita])
      expect(await client.untilEvent('receipts-changed')).toEqual({ event: 'receipts-changed', channelId })
    expect((await app.db.select().from(messages))[0]).toMatchObject({
      ownerId: ana.answer.user.id,
      authorUserId: bruno.answer.user.id,
    })
    expect((await app.db.select().from(generations))[0]).toMatchObject({ subject: `user:${bruno.answer.user.id}` })
    app.gateway.next({ text: 'And on.' })
    await sockets.ana.untilEvent('end', ask(sockets.ana, 'And then?'))
    expect(JSON.stringify(app.gateway.requests.at(-1)?.body)).toContain('For all of you.')
  })

  it('takes nothing from whoever only reads, and lets nobody change what another asked', async () => {
    const { app, ana, sockets, ask, readBy } = await aSharedChat({ kind, bus: 'memory' })
    const id = ask(sockets.ana, 'Mine.')
    await sockets.ana.untilEvent('end', id)
    const theirs = ask(sockets.bruno, 'Bruno’s.')
    await sockets.bruno.untilEvent('end', theirs)
    const before = await readBy(ana)
    const refusals: [ChatClient, Partial<CreateChatMessage>, string][] = [
      [sockets.rita, {}, 'channel.read-only'],
      [sockets.rita, { mId: id }, 'channel.read-only'],
      [sockets.bruno, { mId: id }, 'channel.not-author'],
      [sockets.bruno, { mId: id, isContinuation: true }, 'channel.not-author'],
      [sockets.ana, { mId: theirs }, 'channel.not-author'],
    ]
    for (const [client, more, code] of refusals)
      expect(await client.untilEvent('error', ask(client, 'Other words', more))).toMatchObject({ code })
    expect(await readBy(ana)).toEqual(before)
    expect(await app.db.select().from(generations)).toHaveLength(2)
  })

  it('that is deleted in mid-answer is left by all, and nothing comes back', async () => {
    const { app, ana, channelId, sockets, ask } = await aSharedChat({ kind, bus: 'memory' })
    app.gateway.next({ text: words(2_000), tokensPerSecond: 100 })
    ask(sockets.bruno, 'Will it stay?')
    await sockets.bruno.untilText('word10 ')
    expect((await ana.send('DELETE', `/api/channel/${channelId}`)).status).toBe(204)
    for (const client of [sockets.bruno, sockets.rita]) await client.untilEvent('channel-left')
    await expect.poll(async () => (await app.db.select().from(generations))[0]?.status).toBe('stopped')
    expect(await app.db.select().from(messages)).toEqual([])
  })

  it('keeps what had arrived to a member who deletes their account in mid-answer, marked as interrupted and paid, and the owner may delete it', async () => {
    const { app, ana, bruno, channelId, sockets, ask, readBy } = await aSharedChat({ kind, bus: 'memory' })
    app.gateway.next({ text: words(1_000), holdAfter: serverLimits.cloud.partialSaveLength + 500 })
    const id = ask(sockets.bruno, 'Will it stay?')
    const savedLength = async () => (await app.db.select({ answer: messages.answer }).from(messages))[0]?.answer.length
    await expect.poll(savedLength).toBeGreaterThan(1_000)
    const { id: userId } = bruno.answer.user
    expect((await bruno.send('DELETE', '/api/user/account', { userId })).status).toBe(204)
    await expect.poll(() => app.gateway.requests[0]?.aborted).toBe(true)
    await sockets.ana.untilEvent('channel-changed')
    const [message, ...others] = await readBy(ana)
    expect([message, others]).toMatchObject([
      { mId: id, status: 'interrupted', error: { code: 'chat.interrupted' } },
      [],
    ])
    expect(words(1_000).startsWith(message?.chat_response?.content ?? '-')).toBe(true)
    expect(message?.chat_response?.content.length).toBeGreaterThan(1_000)
    expect(await app.db.select().from(generations)).toEqual([])
    expect(await new LedgerService({ db: app.db, now: Date.now }).check()).toMatchObject({ findings: [], openHolds: 0 })
    expect((await ana.send('DELETE', `/api/chat/${id}?channelId=${channelId}`)).status).toBe(204)
    expect(await readBy(ana)).toEqual([])
  })

  it('keeps what had arrived when the node of a member’s answer is gone', async () => {
    const { app, ana, bruno, channelId, readBy } = await aSharedChat({ kind, bus: 'memory' })
    const id = uuidv7()
    const dead = new Date(Date.now() - 2 * serverLimits.chat.leaseMs)
    const place = { channelId, mId: 'the exchange' }
    await app.db.insert(messages).values({
      ...place,
      ownerId: ana.answer.user.id,
      authorUserId: bruno.answer.user.id,
      position: 1,
      question: 'Will you survive?',
      answer: 'What had arrived',
      status: 'streaming',
      runMessageId: id,
      askedAt: new Date().toISOString(),
      updatedAt: dead,
      folded: '',
    })
    const row = {
      messageId: id,
      subject: `user:${bruno.answer.user.id}`,
      requestHash: 'h',
      owner: 'a dead node',
      model: 'm',
    }
    await app.db
      .insert(generations)
      .values({ ...row, ...place, storageMode: 'cloud', status: 'running', heartbeatAt: dead })
    await expect.poll(async () => (await readBy(ana))[0]?.status).toBe('interrupted')
    expect(await readBy(ana)).toMatchObject([
      { chat_response: { content: 'What had arrived' }, error: { code: 'chat.interrupted' } },
    ])
  })
})

describe.each(busSetups)('a shared channel on two nodes, on $kind and $bus', (setup) => {
  it('is closed at once to a member who is removed on the other node in mid-answer, on a socket that stays open', async () => {
    const { app, ana, bruno, channelId, sockets, ask, readBy, remove } = await aSharedChat(setup, { nodes: 2 })
    app.gateway.next({ text: words(2_000), tokensPerSecond: 100 })
    const id = ask(sockets.bruno, 'Will I see the end?')
    await sockets.bruno.untilText('word10 ')
    expect((await remove(bruno)).status).toBe(204)
    await sockets.bruno.untilEvent('channel-left')
    await expect.poll(async () => (await readBy(ana))[0]?.status).toBe('stopped')
    const leftAt = sockets.bruno.frames.findIndex(({ event }) => event === 'channel-left')
    expect(answersIn(sockets.bruno.frames.slice(leftAt + 1))).toEqual([])
    expect(await sockets.bruno.untilEvent('error', ask(sockets.bruno, 'Let me in'))).toMatchObject({
      code: 'channel.not-found',
    })
    const again = sockets.bruno.frames.length
    sockets.bruno.send({ event: 'resume', messageId: id, afterSeq: 0 })
    await expect
      .poll(() => answersIn(sockets.bruno.frames.slice(again)))
      .toMatchObject([{ event: 'error', code: 'chat.answer-gone', messageId: id }])
    expect(textOf(sockets.bruno.frames)).not.toContain('word1999')
    await sockets.ana.untilEvent('end', ask(sockets.ana, 'Alone again'))
    expect(channelEvents(sockets.bruno)).toEqual([{ event: 'channel-left', channelId }])
  })
})
