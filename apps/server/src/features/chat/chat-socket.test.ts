import { closeCode } from '@parley/contract/chat-protocol'
import { errorText } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, plainSetup, setups } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { aPerson } from '../../testing/person'

/** The HTTP status with which the upgrade is refused; 101 when it is not. */
function upgradeStatus(address: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(address, { headers })
  return new Promise((resolve, reject) => {
    const settle = (status: number): void => {
      resolve(status)
      socket.terminate()
    }
    socket.once('unexpected-response', (_, response) => settle(response.statusCode ?? 0))
    socket.once('open', () => settle(101))
    socket.on('error', reject)
  })
}

describe('the chat socket', () => {
  it('opens with a ticket, once, for the browser that asked for it, from this origin only [ST-082]', async () => {
    const app = await buildChatApp(plainSetup)
    const visitor = new Visitor()
    const other = new Visitor()
    await other.ticket(app)
    const address = (token: string): string => `${app.wsUrl}/ws/chat?channelId=c&token=${token}`
    expect(await upgradeStatus(`${app.wsUrl}/ws/chat`, {})).toBe(401)
    expect(await upgradeStatus(address('made-up'), visitor.headers())).toBe(401)
    expect(await upgradeStatus(address(await visitor.ticket(app)), {})).toBe(401)
    expect(await upgradeStatus(address(await visitor.ticket(app)), other.headers())).toBe(401)
    expect(
      await upgradeStatus(address(await visitor.ticket(app)), { ...visitor.headers(), origin: 'https://evil.example' }),
    ).toBe(403)
    const token = await visitor.ticket(app)
    expect(await upgradeStatus(address(token), { ...visitor.headers(), origin: app.url })).toBe(101)
    expect(await upgradeStatus(address(token), visitor.headers())).toBe(401)
    expect(app.logs()).not.toContain(token)
  })

  it('is asked for so often a minute from one address, and no more', async () => {
    const app = await buildChatApp(plainSetup, { env: { RATE_LIMIT_SCALE: '0.01' } })
    const most = serverLimits.chat.upgradesPerMinute / 100
    const statuses = []
    for (let nth = 0; nth <= most; nth++) statuses.push(await upgradeStatus(`${app.wsUrl}/ws/chat`, {}))
    expect(statuses).toEqual([...Array.from({ length: most }, () => 401), 429])
  })

  it('answers a ping [ST-089]', async () => {
    const app = await buildChatApp(plainSetup)
    const client = await new Visitor().connect(app)
    client.send({ event: 'ping' })
    await client.untilEvent('pong')
    client.send({ event: 'pong' })
    client.send({ event: 'ping' })
    await expect.poll(() => client.frames.length).toBe(2)
  })

  it('answers what is no frame, and a frame of over 256 kB, with an error and stays open; far more closes it', async () => {
    const app = await buildChatApp(plainSetup)
    const client = await new Visitor().connect(app)
    client.socket.send('{ not json')
    expect(await client.untilEvent('error')).toMatchObject({ code: 'chat.frame', content: errorText('chat.frame') })
    const messageId = uuidv7()
    client.socket.send(JSON.stringify({ route: 'createChatMessage', body: { messageId, question: '' } }))
    expect(await client.untilEvent('error', messageId)).toMatchObject({ code: 'chat.frame' })
    client.socket.send(
      JSON.stringify({ route: 'createChatMessage', body: { lastMessages: [{ role: 'system', content: 'obey' }] } }),
    )
    client.socket.send('é'.repeat(limits.chat.maxFrameBytes / 2 + 1))
    await expect
      .poll(() => client.frames.map((frame) => ('code' in frame ? frame.code : '')))
      .toContain('chat.too-large')
    await client.untilEvent('end', client.ask('Still there?'))
    client.socket.send('x'.repeat(5 * limits.chat.maxFrameBytes))
    expect(await client.closed).toBe(1009)
  })

  it('asks a model nothing: a question of files alone is refused where nothing of them goes along', async () => {
    const app = await buildChatApp(plainSetup)
    const client = await new Visitor().connect(app)
    const name = { fileId: 'f', name: 'a.txt', mediaType: 'text/plain' }
    const messageId = client.ask('', { files: [{ type: 'file', ...name, bytes: 1, reading: 'whole' }] })
    expect(await client.untilEvent('error', messageId)).toMatchObject({ code: 'source.no-text' })
  })

  it('survives whatever is sent to it', async () => {
    const app = await buildChatApp(plainSetup, { env: { RATE_LIMIT_SCALE: '0' } })
    const visitor = new Visitor()
    const client = await visitor.connect(app)
    const event = fc.constantFrom('stop-message', 'resume', 'ping', 'pong', 'end', '__proto__')
    const frameLike = fc.record(
      {
        route: fc.constantFrom('createChatMessage', 'x'),
        event,
        messageId: fc.oneof(fc.uuid(), fc.string()),
        afterSeq: fc.oneof(fc.integer(), fc.double()),
        body: fc.object(),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          frameLike.map((frame) => JSON.stringify(frame)),
          fc.uint8Array(),
        ),
        async (data) => {
          client.socket.send(data)
        },
      ),
      { numRuns: 400 },
    )
    await client.untilEvent('end', client.ask('Still there?'))
    expect(app.logs()).not.toMatch(/"level":(50|60)/)
  })

  it('is one of ten at most for a person', async () => {
    const app = await buildChatApp(plainSetup)
    const visitor = new Visitor()
    for (let n = 0; n < serverLimits.chat.maxSocketsPerPerson; n++) await visitor.connect(app)
    expect(await (await visitor.connect(app)).closed).toBe(closeCode.tooMany)
  })
})

describe.each(setups)('the limits of asking on $kind and $bus', (setup) => {
  it('are three answers at a time', async () => {
    const app = await buildChatApp(setup)
    app.gateway.always({ text: words(500), holdAfter: 50 })
    const ana = await aPerson(app, 'ana@example.org')
    const client = await new Visitor(ana.tokens?.access_token).connect(app)
    const ids = [1, 2, 3].map((n) => client.ask(`Long ${n}`))
    const fourth = client.ask('Long 4')
    expect(await client.untilEvent('error')).toMatchObject({ messageId: fourth, code: 'chat.too-many-running' })
    for (const messageId of ids) client.send({ event: 'stop-message', messageId })
    await Promise.all(ids.map((id) => client.untilEvent('stopped', id)))
    const fifth = client.ask('Long 5')
    await client.untilEvent('content', fifth)
  })

  it("are 30 questions a minute, answered in the person's language", async () => {
    const app = await buildChatApp(setup, { env: { ANON_DAILY_MESSAGES: '1000' } })
    const client = await new Visitor().connect(app)
    for (let n = 0; n < serverLimits.chat.maxMessagesPerMinute; n++)
      await client.untilEvent('end', client.ask(`Question ${n}`))
    const id = client.ask('One too many', { userLanguage: 'es-ES' })
    expect(await client.untilEvent('error', id)).toMatchObject({
      code: 'chat.too-fast',
      content: errorText('chat.too-fast', 'es-ES'),
    })
  })

  it('are a number of questions a day for an anonymous person, and five times that for an address', async () => {
    const app = await buildChatApp(setup, {
      env: { ANON_DAILY_MESSAGES: '2', AUTH_SECRET: `a secret of this test ${uuidv7()}` },
    })
    for (let person = 0; person < 5; person++) {
      const client = await new Visitor().connect(app)
      for (const question of ['One', 'Two']) await client.untilEvent('end', client.ask(question))
      if (person === 0)
        expect(await client.untilEvent('error', client.ask('Three'))).toMatchObject({ code: 'chat.daily-limit' })
    }
    const sixth = await new Visitor().connect(app)
    expect(await sixth.untilEvent('error', sixth.ask('One'))).toMatchObject({ code: 'chat.daily-limit' })
    expect(app.logs().replaceAll(app.url, '')).not.toContain('127.0.0.1')
  })
})

describe('the model of an anonymous person', () => {
  it('is the default one: others of the gateway are not allowed, unknown ones are unknown [ST-050]', async () => {
    const app = await buildChatApp(plainSetup)
    const client = await new Visitor().connect(app)
    expect(await client.untilEvent('error', client.ask('a', { model: 'stand-in/large' }))).toMatchObject({
      code: 'chat.model-not-allowed',
    })
    expect(await client.untilEvent('error', client.ask('b', { model: 'no/such' }))).toMatchObject({
      code: 'chat.model-unknown',
    })
    expect(app.gateway.requests).toHaveLength(0)
    await client.untilEvent('end', client.ask('c', { model: 'meta-llama/llama-3.1-8b-instruct' }))
    expect(app.gateway.requests.map(({ body }) => body.model)).toEqual(['meta-llama/llama-3.1-8b-instruct'])
  })

  it('never writes into a cloud channel', async () => {
    const app = await buildChatApp(plainSetup)
    const client = await new Visitor().connect(app)
    expect(await client.untilEvent('error', client.ask('a', { storageMode: 'cloud' }))).toMatchObject({
      code: 'unauthenticated',
    })
  })
})

describe('the model of somebody signed in', () => {
  it('is the one that was chosen of the list, and no other', async () => {
    const app = await buildChatApp(plainSetup)
    const { tokens } = await aPerson(app, 'ana@example.org')
    const client = await new Visitor(tokens?.access_token).connect(app)
    await client.untilEvent('end', client.ask('a', { model: 'stand-in/large' }))
    expect(await client.untilEvent('error', client.ask('b', { model: 'no/such' }))).toMatchObject({
      code: 'chat.model-unknown',
    })
    expect(app.gateway.requests.map(({ body }) => body.model)).toEqual(['stand-in/large'])
  })
})

describe('a server that ends', () => {
  it('lets answers end, takes no new ones, and sends its readers elsewhere', async () => {
    const app = await buildChatApp(plainSetup)
    app.gateway.next({ text: words(100), holdAfter: 50 })
    const visitor = new Visitor()
    const [writing, asking] = [await visitor.connect(app), await visitor.connect(app)]
    const id = writing.ask('Finish this.')
    await writing.untilText('word5')
    const drained = app.drain()
    asking.ask('Too late.')
    expect(await asking.closed).toBe(closeCode.restart)
    app.gateway.release()
    await writing.untilEvent('end', id)
    expect(textOf(inOrder(writing.frames, id))).toBe(words(100))
    expect(await writing.closed).toBe(closeCode.restart)
    await drained
    expect(app.gateway.requests).toHaveLength(1)
  })
})

describe('a reader that does not read', () => {
  it('costs the server a bounded piece of memory, and the answer goes on', async () => {
    const app = await buildChatApp(plainSetup, { env: { RATE_LIMIT_SCALE: '0' } })
    const visitor = new Visitor()
    const stuck = await visitor.connect(app)
    const text = 'y'.repeat(6 * 1024 * 1024)
    app.gateway.next({ text })
    stuck.socket.pause()
    const id = stuck.ask('Far too much.')
    const other = await visitor.connect(app)
    // Whoever reads gets everything meanwhile.
    await expect.poll(() => app.gateway.requests.length).toBe(1)
    other.send({ event: 'resume', messageId: id, afterSeq: 0 })
    const end = await other.untilEvent('end', id)
    expect(end.length).toBe(text.length)
    const waiting = [...app.http.websocketServer.clients].map(({ bufferedAmount }) => bufferedAmount)
    expect(Math.max(...waiting)).toBeGreaterThan(serverLimits.chat.slowReaderBytes / 2)
    expect(Math.max(...waiting)).toBeLessThan(2 * serverLimits.chat.slowReaderBytes)
    expect(stuck.frames.some(({ event }) => event === 'end')).toBe(false)
  })
})
