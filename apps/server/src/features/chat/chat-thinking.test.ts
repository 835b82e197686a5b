import { apologyText } from '@parley/contract/apology'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { inOrder, textOf, thinkingOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, busSetups } from '../../testing/chat-setups'
import { aTalker, givenTo, tokenOf } from '../../testing/cloud-talker'
import { words } from '../../testing/gateway-scenarios'

const knowing = { frames: 'reasoning' }

describe.each(busSetups)('what a model thinks, on $kind and $bus', (setup) => {
  it('is streamed before the text with its time, and is no part of the text that the end confirms', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ thinks: words(60), text: 'So.' })
    const client = await new Visitor().connect(app, knowing)
    const id = client.ask('Why?')
    const { message, length } = await client.untilEvent('end', id)
    expect(message).toMatchObject({ chat_response: { content: 'So.' }, reasoning: { text: words(60) } })
    expect(length).toBe('So.'.length)
    expect(message.reasoning?.ms).toBeLessThanOrEqual(message.durationMs ?? 0)
    const frames = inOrder(client.frames, id)
    expect([thinkingOf(frames), textOf(frames)]).toEqual([words(60), 'So.'])
  })

  it('is there for a reader who comes from any seq, in the middle of it and after the end', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ thinks: words(60), text: words(60), tokensPerSecond: 400, holdAfter: 200 })
    const visitor = new Visitor()
    const client = await visitor.connect(app, knowing)
    const id = client.ask('Why?')
    // How many frames it becomes before the gateway holds is the machine's matter: on a slow one it may be one.
    const first = await client.until(
      (frame): frame is Extract<typeof frame, { event: 'reasoning' }> => frame.event === 'reasoning',
    )
    const resumed = await visitor.connect(app, knowing)
    resumed.send({ event: 'resume', messageId: id, afterSeq: first.seq })
    app.gateway.release()
    await resumed.untilEvent('end', id)
    const before = inOrder(client.frames, id).filter((frame) => 'seq' in frame && Number(frame.seq) <= first.seq)
    expect(thinkingOf([...before, ...resumed.frames])).toBe(words(60))
    const late = await visitor.connect(app, knowing)
    late.send({ event: 'resume', messageId: id, afterSeq: 0 })
    expect((await late.untilEvent('end', id)).message.reasoning?.text).toBe(words(60))
    expect([thinkingOf(late.frames), textOf(late.frames)]).toEqual([words(60), words(60)])
  })

  it('disturbs no client that does not know of it: it counts the frames as ever, and gets the text alone', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ thinks: words(60), text: words(60), tokensPerSecond: 400 })
    const older = await new Visitor().connect(app)
    const id = older.ask('Why?')
    await older.untilEvent('end', id)
    const frames = inOrder(older.frames, id)
    expect(frames.map(({ event }) => event)).not.toContain('reasoning')
    expect(frames.filter(({ event }) => event === 'status').length).toBeGreaterThan(1)
    expect(textOf(frames)).toBe(words(60))
  })

  it('comes in the order of the model, each later time after a blank line', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ pieces: [{ thinks: 'First.' }, 'One. ', { thinks: 'Second.' }, 'Two.'] })
    const client = await new Visitor().connect(app, knowing)
    const id = client.ask('Why?')
    const { message } = await client.untilEvent('end', id)
    expect(message.reasoning?.text).toBe('First.\n\nSecond.')
    expect(message.chat_response.content).toBe('One. Two.')
  })

  it('is none where it is blank', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ thinks: '\n\n', text: 'So.' })
    const client = await new Visitor().connect(app, knowing)
    const id = client.ask('Why?')
    expect((await client.untilEvent('end', id)).message).not.toHaveProperty('reasoning')
  })
})

describe.each(databases)('what a model thinks in a cloud channel, on %s', (kind) => {
  const setup = { kind, bus: 'memory' as const }
  const aThinker = async () => {
    const app = await buildChatApp(setup)
    const talker = await aTalker(app)
    const client = await new Visitor(tokenOf(talker.person)).connect(app, knowing)
    const ask: typeof talker.ask = (question, more) => talker.ask(question, more, client)
    return { app, ...talker, client, ask }
  }

  it('is stored beside the text, is found by no search, and is sent back to no model', async () => {
    const { app, client, ask, stored, person, channelId } = await aThinker()
    app.gateway.next({ thinks: 'Zanzibar \u0000 "quoted" 👩‍👩‍👧', text: 'Peacocks.' })
    const id = ask('Why?')
    const { message } = await client.untilEvent('end', id)
    expect(await stored()).toMatchObject([
      { mId: id, chat_response: { content: 'Peacocks.' }, reasoning: message.reasoning },
    ])
    const found = async (q: string) =>
      ((await person.send('GET', `/api/channel/search?q=${q}`)).body as { results: unknown[] }).results.length
    expect([await found('Zanzibar'), await found('Peacocks')]).toEqual([0, 1])
    await client.untilEvent('end', ask('And?'))
    expect(JSON.stringify(givenTo(app))).not.toContain('Zanzibar')
    const copy = await person.post('/api/channel', {})
    const to = (copy.body as { data: { id: string } }).data.id
    await person.post('/api/chat/forward-message', { messageId: id, channelId, channelIds: [to] })
    const page = (await person.send('GET', `/api/chat/documents/0/100/${to}`)).body
    expect(JSON.stringify(page)).toContain('Peacocks')
    expect(JSON.stringify(page)).not.toContain('Zanzibar')
  })

  it('stays when the answer is empty: the apology stands under it', async () => {
    const { app, client, ask, stored } = await aThinker()
    app.gateway.next({ thinks: 'Hm.', text: '' })
    await client.untilEvent('end', ask('Why?'))
    expect(await stored()).toMatchObject([
      { empty: true, chat_response: { content: apologyText }, reasoning: { text: 'Hm.' } },
    ])
  })

  it('stays when it is stopped before the first word', async () => {
    const { app, client, ask, stored } = await aThinker()
    app.gateway.next({ thinks: words(200), text: 'So.', holdAfter: 100 })
    const id = ask('Why?')
    await client.untilEvent('reasoning', id)
    expect(await stored()).toMatchObject([{ status: 'streaming' }])
    client.send({ event: 'stop-message', messageId: id })
    const { message } = await client.untilEvent('stopped', id)
    expect(message.chat_response.content).toBe('')
    expect(message.reasoning?.text).toBe(thinkingOf(client.frames))
    expect(await stored()).toMatchObject([{ status: 'stopped', reasoning: message.reasoning }])
  })

  it('stays when the gateway fails before the first word, and the answer can be asked for again', async () => {
    const { app, client, ask, stored } = await aThinker()
    app.gateway.next({ thinks: words(40), breakAfter: 60, breakBy: 'error' })
    const id = ask('Why?')
    await client.untilEvent('error-openrouter', id)
    const [failed] = await stored()
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'upstream.failed' } })
    expect(failed?.reasoning?.text).toBe(thinkingOf(client.frames))
    const again = ask('Why?', { mId: id })
    await client.untilEvent('end', again)
    expect((await stored())[0]).not.toHaveProperty('reasoning')
  })

  it('is of the answer that is shown: the one before comes back with its own, a continued one has both', async () => {
    const { app, client, ask, stored } = await aThinker()
    app.gateway.next({ thinks: 'First.', text: 'One.' })
    const id = ask('Why?')
    await client.untilEvent('end', id)
    app.gateway.next({ thinks: words(200), text: 'So.', holdAfter: 100 })
    const stopped = ask('Why?', { mId: id })
    await client.untilEvent('reasoning', stopped)
    client.send({ event: 'stop-message', messageId: stopped })
    await client.untilEvent('stopped', stopped)
    expect(await stored()).toMatchObject([{ chat_response: { content: 'One.' }, reasoning: { text: 'First.' } }])
    app.gateway.next({ thinks: 'Second.', text: ' Two.' })
    await client.untilEvent('end', ask('Go on', { mId: id, isContinuation: true }))
    expect(await stored()).toMatchObject([
      {
        chat_response: { content: 'One. Two.' },
        reasoning: { text: 'First.\n\nSecond.' },
        run: { thought: { text: 'First.' } },
      },
    ])
  })
})
