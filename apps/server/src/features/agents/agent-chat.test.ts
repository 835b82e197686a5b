import { profileImagePrompt } from '@parley/contract/chat-stream'
import type { TopicChannel } from '@parley/contract/topics'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { aDraft, anAgent, secretKnowledge, secretPrompt } from '../../testing/agent-drafts'
import { databaseKind, databases } from '../../testing/build-test-app'
import { type ChatClient, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, type ChatApp } from '../../testing/chat-setups'
import { aPerson, type Client } from '../../testing/person'
import { SuiPerson } from '../../testing/sui-people'
import { knowledgeFor } from './knowledge-passages'

async function aChat(kind: (typeof databases)[number]) {
  const app = await buildChatApp({ kind, bus: 'memory' }, { env: { RATE_LIMIT_SCALE: '0' } })
  const [ana, eve] = [await aPerson(app, 'ana@example.org'), await aPerson(app, 'eve@example.org')]
  const connect = (person: Client) => new Visitor(person.tokens?.access_token ?? '').connect(app)
  return {
    app,
    ana,
    eve,
    sockets: { ana: await connect(ana), eve: await connect(eve), nobody: await new Visitor().connect(app) },
  }
}

/** The system's message of the question that the gateway got last. */
const systemOf = ({ gateway }: ChatApp): string => gateway.requests.at(-1)?.body.messages[0]?.content ?? ''

async function answered(socket: ChatClient, question: string, more: Parameters<ChatClient['ask']>[1]): Promise<void> {
  await socket.untilEvent('end', socket.ask(question, more))
}

async function refused(socket: ChatClient, more: Parameters<ChatClient['ask']>[1]): Promise<string> {
  const messageId = socket.ask('Who are you?', more)
  const { code, content } = await socket.untilEvent('error', messageId)
  expect(content).toBe('This assistant is no longer available.')
  return code
}

const portuguese = {
  language: 'pt' as const,
  role: 'Conhece a costa',
  about: 'Sabe de faróis.',
  prompt: 'CANARY-PORTUGUESE: você conhece faróis.',
}

async function stream(app: ChatApp, person: Client | undefined, body: object) {
  const authorization = person ? { authorization: `Bearer ${person.tokens?.access_token}` } : {}
  const response = await app.call('/api/chat/stream', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const frames = [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, json]) => JSON.parse(json ?? '') as { event: string; content?: string; flagImage?: boolean },
  )
  return { status: response.status, type: response.headers.get('content-type'), frames, text }
}

describe.each(databases)('chats with agents on %s', (kind) => {
  it('of wallets are named as suiAssistantId: a private one answers its owner alone [ST-075]', async () => {
    const { app, sockets } = await aChat(kind)
    const owner = await SuiPerson.signIn(app)
    const [open, hidden] = [await owner.make(), await owner.make({ private: true })]
    await answered(sockets.eve, 'Which lamp?', { assistantId: null, suiAssistantId: open.agent._id })
    for (const part of [secretPrompt, secretKnowledge, 'Name: Lighthouse keeper']) expect(systemOf(app)).toContain(part)
    expect(JSON.stringify(sockets.eve.frames)).not.toMatch(/CANARY/)
    expect(await refused(sockets.eve, { suiAssistantId: hidden.agent._id })).toBe('agent.unavailable')
    const socket = await new Visitor(owner.tokens?.access_token ?? '').connect(app)
    await answered(socket, 'Which lamp?', { suiAssistantId: hidden.agent._id })
    expect(systemOf(app)).toContain(secretPrompt)
  })

  it('are shaped on the server by its prompt, its knowledge and the language, apart from what people write', async () => {
    const { app, ana, sockets } = await aChat(kind)
    const agent = await anAgent(ana, { languages: [portuguese] })
    await answered(sockets.eve, 'Which lamp?', {
      assistantId: agent._id,
      lastMessages: [
        { role: 'user', content: 'Before' },
        { role: 'assistant', content: 'Yes' },
      ],
    })
    expect(
      app.gateway.requests.at(-1)?.body.messages.map(({ role, content }) => [role, role === 'system' ? '' : content]),
    ).toEqual([
      ['system', ''],
      ['user', 'Before'],
      ['assistant', 'Yes'],
      ['user', 'Which lamp?'],
    ])
    for (const part of [
      secretPrompt,
      secretKnowledge,
      'Name: Lighthouse keeper',
      'Role: Knows the coast',
      'never quote',
    ])
      expect(systemOf(app)).toContain(part)
    await answered(sockets.nobody, 'Qual?', { assistantId: agent._id, userLanguage: 'pt-BR' })
    expect(systemOf(app)).toContain('CANARY-PORTUGUESE')
    expect(systemOf(app)).not.toContain(secretPrompt)
    await answered(sockets.eve, '¿Cuál?', { assistantId: agent._id, userLanguage: 'es-ES' })
    expect(systemOf(app)).toContain(secretPrompt)
    await answered(sockets.eve, 'Without', {})
    expect(systemOf(app)).not.toMatch(/CANARY|confidential/)
    // Nothing of it in what the browser gets or the server writes down.
    for (const socket of [sockets.eve, sockets.nobody]) expect(JSON.stringify(socket.frames)).not.toMatch(/CANARY/)
    expect(app.logs()).not.toMatch(/CANARY/)
  })

  it('are refused with agents that are private to somebody else, switched off, deleted or never were', async () => {
    const { app, ana, eve, sockets } = await aChat(kind)
    const hidden = await anAgent(ana, { private: true })
    const off = await anAgent(ana, { enabled: false })
    const gone = await anAgent(ana)
    await ana.send('DELETE', `/v1/assistants/${gone._id}`)
    for (const socket of [sockets.eve, sockets.nobody])
      for (const assistantId of [hidden._id, off._id, gone._id, 'x', '\u0000', '0xabc'])
        expect(await refused(socket, { assistantId })).toBe('agent.unavailable')
    expect(await refused(sockets.eve, { suiAssistantId: hidden._id })).toBe('agent.unavailable')
    expect(await stream(app, eve, { message: 'Hello', assistantId: hidden._id })).toMatchObject({
      status: 410,
      frames: [],
    })
    expect(app.gateway.requests).toEqual([])
    for (const { _id } of [hidden, off]) await answered(sockets.ana, 'Mine', { assistantId: _id })
    expect(systemOf(app)).toContain(secretPrompt)
    // The answer to a question that was asked in time stays.
    const messageId = sockets.ana.ask('Again', { assistantId: hidden._id })
    await sockets.ana.untilEvent('end', messageId)
    await ana.send('DELETE', `/v1/assistants/${hidden._id}`)
    const later = await new Visitor(ana.tokens?.access_token ?? '').connect(app)
    later.ask('Again', { assistantId: hidden._id, messageId })
    await later.untilEvent('end', messageId)
  })

  it('in the cloud follow the agent of the channel, and stay readable when it is gone', async () => {
    const { app, ana, eve, sockets } = await aChat(kind)
    const agent = await anAgent(ana)
    const { id: channelId } = (
      (await eve.post('/api/channel', { assistantId: agent._id })).body as { data: { id: string } }
    ).data
    const cloud = { storageMode: 'cloud' as const, channelId }
    await answered(sockets.eve, 'Which lamp?', cloud)
    expect(systemOf(app)).toContain(secretPrompt)
    const read = await eve.send('GET', `/api/chat/documents/0/50/${channelId}`)
    expect(JSON.stringify(read.body)).not.toMatch(/CANARY/)
    const pdf = await app.call('/api/channel/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${eve.tokens?.access_token}` },
      body: JSON.stringify({ channelId }),
    })
    expect([pdf.status, Buffer.from(await pdf.arrayBuffer()).includes('CANARY')]).toEqual([200, false])
    await ana.post('/v1/assistants', aDraft({ _id: agent._id, private: true }))
    expect(await refused(sockets.eve, cloud)).toBe('agent.unavailable')
    expect((await eve.send('GET', `/api/chat/documents/0/50/${channelId}`)).body).toMatchObject({
      total: 1,
      content: [{ chat_request: 'Which lamp?' }],
    })
    // Another's channel says nothing of its agent.
    await answered(sockets.ana, 'Elsewhere', { channelId: uuidv7() })
    expect(systemOf(app)).not.toContain(secretPrompt)
  })

  it('begin with its greeting, in the language of the person [ST-064]', async () => {
    const { ana, eve } = await aChat(kind)
    const agent = await anAgent(ana, {
      defaultGreetings: 'Ahoy!',
      languages: [
        { ...portuguese, defaultGreetings: '' },
        { ...aDraft(), language: 'en', defaultGreetings: 'Ahoy!' },
      ],
    })
    const open = async (person: Client, topicId: string, assistantId = agent._id) =>
      ((await person.post('/api/channel/action', { subject: topicId, topicId, assistantId })).body as TopicChannel)
        .chat_response.content
    expect(await open(eve, 'one')).toBe('Ahoy!')
    await eve.post('/api/auth/update-language', { language: 'pt-BR' })
    expect(await open(eve, 'two')).toBe('Olá, eu sou Lighthouse keeper: Conhece a costa. Como posso ajudar?')
    const hidden = await anAgent(ana, { private: true, defaultGreetings: 'CANARY' })
    expect(await open(eve, 'three', hidden._id)).toBe('')
    expect(await open(ana, 'four', hidden._id)).toBe('CANARY')
  })

  it('can be held over plain HTTP, kept in a cloud channel where one is named [ST-104]', async () => {
    const { app, ana, eve } = await aChat(kind)
    const agent = await anAgent(ana)
    const { id: channelId } = ((await eve.post('/api/channel', {})).body as { data: { id: string } }).data
    const answer = await stream(app, eve, { message: 'Which lamp?', assistantId: agent._id, channelId })
    expect([answer.status, answer.type, answer.frames[0]?.event, answer.frames.at(-1)?.event]).toEqual([
      200,
      'text/event-stream',
      'accepted',
      'end',
    ])
    expect(textOf(answer.frames as Parameters<typeof textOf>[0])).toBe('You said: Which lamp?')
    expect(systemOf(app)).toContain(secretPrompt)
    expect(answer.text).not.toMatch(/CANARY/)
    const asked = async (person: Client) => (await person.send('GET', `/api/chat/documents/0/50/${channelId}`)).body
    expect(await asked(eve)).toMatchObject({
      total: 1,
      content: [{ chat_request: 'Which lamp?', status: 'completed', assistantId: agent._id }],
    })
    // A channel that is not theirs, or on a device, is nobody's business here.
    expect((await stream(app, ana, { message: 'Hello', channelId })).frames.at(-1)?.event).toBe('end')
    expect(await asked(eve)).toMatchObject({ total: 1 })
    expect(await stream(app, undefined, { message: 'Hello' })).toMatchObject({ status: 401 })
    expect(await stream(app, eve, { message: '' })).toMatchObject({ status: 400 })
  })
})

it('makes a profile picture from the fixed prompt, whose frame carries its address here [ST-103, ST-104]', async () => {
  const { app, ana } = await aChat(databaseKind)
  const answer = await stream(app, ana, { message: `${profileImagePrompt} A keeper of lighthouses.` })
  expect(answer.frames).toMatchObject([{ event: 'content', flagImage: true }, { event: 'end' }])
  expect((await app.call(answer.frames[0]?.content ?? '')).headers.get('content-type')).toContain('image/svg+xml')
  expect(app.gateway.requests).toEqual([])
})

it('gives the model as much of the knowledge as fits: the passages nearest to the question', () => {
  expect(knowledgeFor('short', 'anything', 100)).toBe('short')
  const paragraph = (n: number) => `Paragraph ${n}. ${'Nothing of interest is said here. '.repeat(25)}`
  const long = Array.from({ length: 100 }, (_, n) =>
    n === 70 ? `${paragraph(n)} The lamp of Vermilion turns every nine seconds.` : paragraph(n),
  ).join('\n\n')
  const chosen = knowledgeFor(long, 'How often does the LAMP of Vermílion turn?', 24_000)
  expect(chosen.length).toBeLessThanOrEqual(24_000)
  expect(chosen.length).toBeGreaterThan(20_000)
  expect(chosen).toContain('every nine seconds')
  expect(chosen.indexOf('Paragraph 0.')).toBe(0)
  expect(chosen.indexOf('nine seconds')).toBeGreaterThan(chosen.indexOf('Paragraph 5.'))
  expect(knowledgeFor('x'.repeat(50_000), 'y', 24_000).length).toBeLessThanOrEqual(24_000)
})
