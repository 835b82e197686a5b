import 'fake-indexeddb/auto'
import type { Answer, ClientFrame, Message, ServerFrame } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { afterEach, expect, it, vi } from 'vitest'
import { homes } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { enterScope } from '../scope/scope'
import { type ChatNotice, onNotice } from './chat-notices'
import { ChatRunner } from './chat-runner'

let stopListening = (): void => undefined
afterEach(() => {
  enterScope()
  stopListening()
  vi.restoreAllMocks()
})

/** An answer of a page whose connection comes and goes; `sent` is what the server heard, `stored` what is kept. */
async function aRun(before?: Answer) {
  const scope = enterScope()
  const messageId = uuidv7()
  const [sent, stored, notices]: [string[], Message[], ChatNotice[]] = [[], [], []]
  const line = { isOpen: true }
  const send = (frame: ClientFrame): boolean => {
    if (line.isOpen) sent.push('route' in frame ? frame.route : frame.event)
    return line.isOpen
  }
  const body = { question: 'Hm?', channelId: 'c', messageId, lastMessages: [], storageMode: 'local' as const }
  const entry: OutboxEntry = { mId: messageId, body }
  const message: Message = {
    mId: messageId,
    channelId: 'c',
    chat_request: 'Hm?',
    chat_response: { role: 'assistant', content: '' },
    datetime: new Date().toISOString(),
    status: 'queued',
    run: { messageId, seq: 0, base: 0, ...(before ? { previous: before } : {}) },
  }
  vi.spyOn(outbox, 'get').mockResolvedValue(entry)
  vi.spyOn(outbox, 'remove').mockResolvedValue()
  vi.spyOn(homes.local, 'message').mockResolvedValue(message)
  const put = vi.spyOn(homes.local, 'put').mockImplementation(async (each) => void stored.push(each))
  stopListening = onNotice((notice) => void notices.push(notice))
  const runner = new ChatRunner({
    ...{ scope, socket: { connect: () => undefined, send, isOpen: true } },
    ...{ onReceive: () => undefined, onOver: () => undefined, onStored: () => undefined, storeLater: () => undefined },
    handOver: () => undefined,
  })
  const frame = { messageId, mId: messageId }
  const receive = (each: object) =>
    runner.dispatch({ type: 'frame', messageId, frame: { ...frame, ...each } as ServerFrame })
  const begin = async (): Promise<void> => {
    runner.dispatch({ type: 'asked', entry, isLeft: true })
    await vi.waitFor(() => expect(runner.isReceived(messageId)).toBe(true))
  }
  const stop = () => runner.dispatch({ type: 'stop', messageId, isOnline: line.isOpen })
  const connect = () => runner.dispatch({ type: 'connected' })
  return { scope, runner, sent, stored, notices, line, messageId, receive, begin, stop, connect, put }
}

const accepted = { event: 'accepted', seq: 1, model: 'm' } as const

it('stops what was stopped while the connection was away, so that nothing more of it is paid for', async () => {
  const { begin, receive, sent, line, stop, connect } = await aRun()
  await begin()
  receive(accepted)
  line.isOpen = false
  stop()
  line.isOpen = true
  connect()
  expect([...new Set(sent)]).toEqual(['createChatMessage', 'resume', 'stop-message'])
})

it('stops a question that had not gone out yet as soon as it does', async () => {
  const { begin, sent, line, stop, connect } = await aRun()
  line.isOpen = false
  await begin()
  stop()
  line.isOpen = true
  connect()
  expect([...new Set(sent)]).toEqual(['createChatMessage', 'stop-message'])
})

it('stops with the next connection what was stopped without one, also when its chat was deleted meanwhile', async () => {
  const { begin, receive, runner, messageId, sent, line, stop, connect } = await aRun()
  await begin()
  receive(accepted)
  line.isOpen = false
  stop()
  runner.dispatch({ type: 'abandon', messageId })
  line.isOpen = true
  connect()
  expect(sent).toEqual(['createChatMessage', 'stop-message'])
})

const previous = {
  chat_response: { role: 'assistant' as const, content: 'What I had.' },
  status: 'completed' as const,
  model: 'm',
  usage: { inputTokens: 1, outputTokens: 2 },
}

it.each([
  ['refused', [], { event: 'error', code: 'chat.too-fast', content: 'Slower.' }],
  ['failed', [accepted], { event: 'error-openrouter', seq: 2, code: 'upstream.down', content: 'Later.' }],
  ['cut off', [accepted], { event: 'error', seq: 2, code: 'chat.interrupted', content: 'Cut.' }],
] as const)(
  'another answer that is %s before its first word leaves the one that was there, and says why',
  async (_how, first, end) => {
    const { begin, receive, runner, stored, notices, messageId } = await aRun(previous)
    await begin()
    for (const each of [...first, end]) receive(each)
    await runner.whenOver(messageId)
    expect(stored.at(-1)).toMatchObject({ ...previous, chat_request: 'Hm?', run: { messageId } })
    expect(stored.at(-1)).not.toHaveProperty('error')
    expect(stored.at(-1)?.run).not.toHaveProperty('previous')
    expect(notices.filter(({ kind }) => kind === 'failed')).toMatchObject([{ content: end.content }])
  },
)

it('another answer that is cut off after its first words has taken the place of the one that was there', async () => {
  const { begin, receive, runner, stored, messageId } = await aRun(previous)
  await begin()
  receive(accepted)
  receive({ event: 'content', seq: 2, content: 'A new' })
  receive({ event: 'error', seq: 3, code: 'chat.interrupted', content: 'Cut.' })
  await runner.whenOver(messageId)
  expect(stored.at(-1)).toMatchObject({ status: 'interrupted', chat_response: { content: 'A new' } })
  expect(stored.at(-1)?.run).not.toHaveProperty('previous')
})

it('what is thought is stored while it comes, and stays with the answer when that is stopped before its first word', async () => {
  const { begin, receive, runner, stored, messageId } = await aRun()
  await begin()
  receive(accepted)
  receive({ event: 'reasoning', seq: 2, content: 'Hm', ms: 800 })
  runner.dispatch({ type: 'page-hidden' })
  await expect.poll(() => stored.at(-1)).toMatchObject({ status: 'streaming', reasoning: { text: 'Hm', ms: 800 } })
  const reasoning = { text: 'Hm, so', ms: 1_200 }
  const message = { mId: messageId, chat_response: { role: 'assistant' as const, content: '' }, reasoning }
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  receive({ event: 'stopped', seq: 3, message, length: 0, sha256 })
  await runner.whenOver(messageId)
  expect(stored.at(-1)).toMatchObject({ status: 'stopped', chat_response: { content: '' }, reasoning })
})

it('another answer that only thought leaves the one that was there, with what was thought for that', async () => {
  const { begin, receive, runner, stored, messageId } = await aRun({
    ...previous,
    reasoning: { text: 'Before', ms: 5 },
  })
  await begin()
  receive(accepted)
  receive({ event: 'reasoning', seq: 2, content: 'Now', ms: 800 })
  receive({ event: 'error-openrouter', seq: 3, code: 'upstream.down', content: 'Later.' })
  await runner.whenOver(messageId)
  expect(stored.at(-1)).toMatchObject({
    ...{ chat_response: previous.chat_response, reasoning: { text: 'Before', ms: 5 } },
    run: { thought: { text: 'Before', ms: 5 } },
  })
})

it('the end of a scope leaves the lease of a run, and nothing of it is sent, shown or stored afterwards', async () => {
  const { begin, receive, scope, runner, sent, stored, notices, messageId, connect, stop } = await aRun()
  await begin()
  receive(accepted)
  receive({ event: 'content', seq: 2, content: 'For Ana' })
  runner.dispatch({ type: 'dispose' })
  scope.dispose()
  await runner.whenOver(messageId)
  const before = [sent.length, stored.length, notices.length]
  receive({ event: 'error', seq: 3, code: 'chat.interrupted', content: 'Cut.' })
  connect()
  stop()
  await Promise.resolve()
  expect([sent.length, stored.length, notices.length]).toEqual(before)
  expect(runner.state.runs).toEqual({})
})

it('an answer that cannot be stored is kept, says so once, and leaves its lease', async () => {
  const { begin, receive, runner, put, notices, messageId } = await aRun()
  put.mockRejectedValue(new Error('full'))
  await begin()
  receive(accepted)
  receive({ event: 'error-openrouter', seq: 2, code: 'upstream.down', content: 'Later.' })
  await runner.whenOver(messageId)
  expect(runner.isUnsaved(messageId)).toBe(true)
  expect(notices.map(({ kind }) => kind)).toEqual(['not-saved'])
})
