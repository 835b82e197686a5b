import { createHash } from 'node:crypto'
import type { ServerFrame } from '@parley/contract/chat'
import { errorText } from '@parley/contract/errors'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { generations } from '../../db/schema/chat'
import { answersIn, inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, busSetups } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'

describe.each(busSetups)('an answer whose reader goes away, on $kind and $bus', (setup) => {
  it('is written on, and read to the end on new sockets without gap or repetition [ST-090]', async () => {
    const app = await buildChatApp(setup)
    const text = words(300)
    app.gateway.next({ text, tokensPerSecond: 250, holdAfter: 2_000 })
    const visitor = new Visitor()
    let client = await visitor.connect(app)
    const id = client.ask('Write while my network breaks.')
    const seen: ServerFrame[] = []
    const lastSeq = (): number => Math.max(0, ...seen.map((frame) => ('seq' in frame ? (frame.seq ?? 0) : 0)))
    for (const place of [10, 31, 77, 140, 222]) {
      const sofar = textOf(seen)
      // What came with the words before it does not come again.
      if (!sofar.includes(`word${place}`))
        await client.until(
          (frame): frame is ServerFrame =>
            frame.event === 'content' && `${sofar}${textOf(client.frames)}`.includes(`word${place}`),
        )
      // Mostly in the middle of a frame that is under way.
      client.cut()
      seen.push(...client.frames)
      client = await visitor.connect(app)
      client.send({ event: 'resume', messageId: id, afterSeq: lastSeq() })
    }
    app.gateway.release()
    const end = await client.untilEvent('end', id)
    seen.push(...client.frames)
    expect(textOf(inOrder(seen, id))).toBe(text)
    expect(end.sha256).toBe(createHash('sha256').update(text).digest('hex'))
    expect(app.gateway.requests).toHaveLength(1)
  })

  it('can be read again from the start after its end, and by two sockets at once', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ text: words(60), tokensPerSecond: 300 })
    const visitor = new Visitor()
    const first = await visitor.connect(app)
    const id = first.ask('For both of my tabs.')
    const second = await visitor.connect(app)
    await first.untilEvent('accepted', id)
    second.send({ event: 'resume', messageId: id, afterSeq: 0 })
    await Promise.all([first.untilEvent('end', id), second.untilEvent('end', id)])
    const third = await visitor.connect(app)
    third.send({ event: 'resume', messageId: id, afterSeq: 0 })
    await third.untilEvent('end', id)
    for (const { frames } of [first, second, third]) expect(textOf(inOrder(frames, id))).toBe(words(60))
  })

  it("is nobody else's: another person's resume, stop and question with its id get nothing", async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ text: words(400), tokensPerSecond: 200 })
    const owner = await new Visitor().connect(app)
    const stranger = await new Visitor().connect(app)
    const id = owner.ask('Mine.')
    await owner.untilText('word10')
    stranger.send({ event: 'stop-message', messageId: id })
    stranger.send({ event: 'resume', messageId: id, afterSeq: 0 })
    expect(await stranger.untilEvent('error', id)).toMatchObject({ code: 'chat.answer-gone' })
    stranger.ask('Mine.', { messageId: id })
    await stranger.until(
      (frame): frame is ServerFrame => frame.event === 'error' && frame.code === 'chat.message-id-taken',
    )
    const unknown = uuidv7()
    stranger.send({ event: 'resume', messageId: unknown, afterSeq: 0 })
    expect(await stranger.untilEvent('error', unknown)).toMatchObject({ code: 'chat.answer-gone' })
    await owner.untilEvent('end', id)
    expect(textOf(inOrder(owner.frames, id))).toBe(words(400))
    expect(answersIn(stranger.frames).every(({ event }) => event === 'error')).toBe(true)
  })
})

describe.each(busSetups)('a question that is sent more than once, on $kind and $bus', (setup) => {
  it('is answered once, however many sockets send it at the same time [ST-056]', async () => {
    const app = await buildChatApp(setup)
    app.gateway.always({ text: words(30), delayMs: 50 })
    const visitor = new Visitor()
    const clients = [await visitor.connect(app)]
    while (clients.length < 9) clients.push(await visitor.connect(app))
    const messageId = uuidv7()
    for (let n = 0; n < 5; n++) for (const client of clients) client.ask('Only once.', { messageId })
    await Promise.all(clients.map((client) => client.untilEvent('end', messageId)))
    expect(app.gateway.requests).toHaveLength(1)
    expect(await app.db.select().from(generations)).toHaveLength(1)
    // The same again later is a replay.
    const later = await visitor.connect(app)
    later.ask('Only once.', { messageId })
    await later.untilEvent('end', messageId)
    expect(app.gateway.requests).toHaveLength(1)
  })

  it('is refused with another content under the same id', async () => {
    const app = await buildChatApp(setup)
    const client = await new Visitor().connect(app)
    const messageId = client.ask('One thing.')
    await client.untilEvent('end', messageId)
    client.ask('Another thing.', { messageId })
    expect(await client.untilEvent('error', messageId)).toMatchObject({
      code: 'chat.message-id-taken',
      content: errorText('chat.message-id-taken'),
    })
    expect(app.gateway.requests).toHaveLength(1)
  })

  it('whose answer the server has forgotten is answered by that, and not run again', async () => {
    const app = await buildChatApp(setup)
    const visitor = new Visitor()
    const client = await visitor.connect(app)
    const known = client.ask('First.')
    await client.untilEvent('end', known)
    // What a restart leaves: the row, without the log.
    const [row] = await app.db.select().from(generations)
    if (!row) throw new Error('no row')
    const forgotten = uuidv7()
    await app.db.insert(generations).values({ ...row, messageId: forgotten })
    client.ask('First.', { messageId: forgotten })
    expect(await client.untilEvent('error', forgotten)).toMatchObject({ code: 'chat.answer-gone' })
    const cut = uuidv7()
    await app.db.insert(generations).values({ ...row, messageId: cut, status: 'interrupted' })
    client.send({ event: 'resume', messageId: cut, afterSeq: 7 })
    expect(await client.untilEvent('error', cut)).toMatchObject({ code: 'chat.interrupted' })
    expect(app.gateway.requests).toHaveLength(1)
  })
})
