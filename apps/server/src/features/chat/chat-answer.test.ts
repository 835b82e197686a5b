import { createHash } from 'node:crypto'
import { apologyText } from '@parley/contract/apology'
import { errorText } from '@parley/contract/errors'
import { describe, expect, it } from 'vitest'
import { generations } from '../../db/schema/chat'
import { inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, plainSetup, setups } from '../../testing/chat-setups'
import { hostileText, longLine, longTable, longText, markdownText, words } from '../../testing/gateway-scenarios'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe.each(setups)('an answer on $kind and $bus', (setup) => {
  it('arrives as accepted, status, content, saving-chat and end, numbered from 1, to a question in plain JSON without a token, by the default model [ST-082, ST-083, ST-087, ST-092, ST-093, ST-094, ST-102, ST-118]', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ text: markdownText, tokensPerSecond: 400 })
    const client = await new Visitor().connect(app)
    const id = client.ask('What is in the contract?')
    const end = await client.untilEvent('end', id)
    const frames = inOrder(client.frames, id)
    expect([...new Set(frames.map(({ event }) => event))]).toEqual([
      'accepted',
      'status',
      'content',
      'saving-chat',
      'end',
    ])
    expect(textOf(frames)).toBe(markdownText)
    expect(end.message).toMatchObject({
      mId: id,
      chat_response: { role: 'assistant', content: markdownText },
      model: 'meta-llama/llama-3.1-8b-instruct',
    })
    expect(end).toMatchObject({ length: markdownText.length, sha256: sha256(markdownText) })
    expect(end.message.finishReason).toBe('stop')
  })

  it('keeps nothing of a local chat but one row without text and without the channel [ST-084]', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ text: 'canary-answer-text', usage: { prompt_tokens: 5, completion_tokens: 7, cost: 0.0000047 } })
    const client = await new Visitor().connect(app)
    const id = client.ask('canary-question-text', { suggestName: true })
    const end = await client.untilEvent('end', id)
    expect(end.message.usage).toEqual({ inputTokens: 5, outputTokens: 7, cost: '0' })
    const rows = await app.db.select().from(generations)
    expect(rows).toEqual([
      expect.objectContaining({
        messageId: id,
        status: 'completed',
        storageMode: 'local',
        inputTokens: 5,
        outputTokens: 7,
        cost: 0n,
        seq: end.seq,
      }),
    ])
    const kept = `${JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}${app.logs()}`
    for (const secret of ['canary-question', 'canary-answer', 'secret-channel-id', 'sk-canary-key', 'Canary'])
      expect(kept).not.toContain(secret)
  })

  it('becomes the apology when the gateway says nothing, or only blanks [CH-183]', async () => {
    const app = await buildChatApp(setup)
    const client = await new Visitor().connect(app)
    for (const question of ['#empty', '#blank']) {
      const { message, sha256: digest } = await client.untilEvent('end', client.ask(question))
      expect(message).toMatchObject({ empty: true, chat_response: { content: apologyText } })
      expect(digest).toBe(sha256(apologyText))
    }
  })

  it.each([
    ['#key', 'upstream.auth'],
    ['#credit', 'upstream.credits'],
    ['#long', 'upstream.too-long'],
    ['#down', 'upstream.failed'],
    ['#early', 'upstream.failed'],
  ] as const)(
    "of a gateway that fails with %s before the first word is an error-openrouter in the person's language [ST-101]",
    async (question, code) => {
      const app = await buildChatApp(setup)
      const client = await new Visitor().connect(app)
      const id = client.ask(question, { userLanguage: 'pt-BR' })
      expect(await client.untilEvent('error-openrouter', id)).toMatchObject({ code, content: errorText(code, 'pt-BR') })
      inOrder(client.frames, id)
      const [row] = await app.db.select().from(generations)
      expect(row).toMatchObject({ status: 'failed', errorCode: code })
    },
  )

  it.each(['#cut', '#error', '#nofinish'])(
    'that breaks in the middle (%s) is marked interrupted and keeps what had arrived [ST-100]',
    async (question) => {
      const app = await buildChatApp(setup)
      const client = await new Visitor().connect(app)
      const id = client.ask(question)
      expect(await client.untilEvent('error', id)).toMatchObject({ code: 'chat.interrupted' })
      const text = textOf(inOrder(client.frames, id))
      expect(words(40).startsWith(text)).toBe(true)
      expect(text).not.toBe('')
      expect(app.gateway.requests).toHaveLength(1)
    },
  )

  it('comes after a busy gateway without the person noticing', async () => {
    const app = await buildChatApp(setup)
    const client = await new Visitor().connect(app)
    const { message } = await client.untilEvent('end', client.ask('#busy'))
    expect(message.chat_response.content).toContain('日本語 and 👩‍👩‍👧')
    expect(app.gateway.requests).toHaveLength(2)
  })

  it('comes with a short name for a new channel, before its end [ST-096]', async () => {
    const app = await buildChatApp(setup)
    const client = await new Visitor().connect(app)
    const id = client.ask('**What** should I see in Lisbon? I have three days.', { suggestName: true })
    await client.untilEvent('end', id)
    const frames = inOrder(client.frames, id)
    const named = frames.findIndex(({ event }) => event === 'suggestion-channel-name')
    expect(frames[named]).toMatchObject({ channelId: 'secret-channel-id', content: 'What should I see in Lisbon' })
    expect(named).toBeLessThan(frames.findIndex(({ event }) => event === 'end'))
  })

  it("is given the last exchanges as context, after the server's own instructions [ST-086]", async () => {
    const app = await buildChatApp(setup)
    const client = await new Visitor().connect(app)
    const lastMessages = Array.from({ length: 14 }, (_, n) => ({
      role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `turn ${n}`,
    }))
    await client.untilEvent('end', client.ask('And now?', { lastMessages, userLanguage: 'es-ES' }))
    const [request] = app.gateway.requests
    expect(request?.body.messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('Spanish') })
    expect(request?.body.messages.slice(1)).toEqual([...lastMessages, { role: 'user', content: 'And now?' }])
    expect(request?.authorization).toBe('Bearer sk-canary-key')
  })

  it('stops when it is asked to, keeps what had arrived, and the gateway is cut off [ST-049, ST-088, ST-095]', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ text: words(2_000), holdAfter: 200 })
    const client = await new Visitor().connect(app)
    const id = client.ask('Write for long.')
    await client.untilText('word10')
    client.send({ event: 'stop-message', messageId: id })
    const stopped = await client.untilEvent('stopped', id)
    const text = textOf(inOrder(client.frames, id))
    expect(words(2_000).startsWith(text)).toBe(true)
    expect(stopped).toMatchObject({
      length: text.length,
      sha256: sha256(text),
      message: { chat_response: { content: text }, finishReason: 'stopped' },
    })
    await expect.poll(() => app.gateway.requests[0]?.aborted).toBe(true)
    // Twice, or after the end, is nothing.
    client.send({ event: 'stop-message', messageId: id })
    await client.untilEvent('end', client.ask('Still there?'))
    expect(client.frames.filter(({ event }) => event === 'stopped')).toHaveLength(1)
  })

  it('can be stopped before its first word', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ text: 'late', delayMs: 60_000 })
    const client = await new Visitor().connect(app)
    const id = client.ask('Think.')
    client.send({ event: 'stop-message', messageId: id })
    expect(await client.untilEvent('stopped', id)).toMatchObject({
      length: 0,
      sha256: sha256(''),
      message: { chat_response: { content: '' } },
    })
  })
})

describe('a huge or hostile answer', () => {
  it.each([
    ['50,000 tokens', longText()],
    ['one line of 1 MB', longLine()],
    ['a table of 10,000 rows', longTable()],
    ['script and markup', hostileText],
  ])('%s arrives byte by byte as the model wrote it', async (_, text) => {
    const app = await buildChatApp(plainSetup)
    app.gateway.next({ text })
    const client = await new Visitor().connect(app)
    const id = client.ask('Go.')
    const end = await client.untilEvent('end', id)
    expect(textOf(inOrder(client.frames, id))).toBe(text)
    expect(end).toMatchObject({ length: text.length, sha256: sha256(text) })
  })

  it('with bytes that are no UTF-8 goes on with replacement characters', async () => {
    const app = await buildChatApp(plainSetup)
    const client = await new Visitor().connect(app)
    const { message } = await client.untilEvent('end', client.ask('#badutf8'))
    expect(message.chat_response.content.replaceAll('\uFFFD', '')).toBe(words(40))
  })
})
