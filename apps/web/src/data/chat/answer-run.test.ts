import 'fake-indexeddb/auto'
import type { Answer, ClientFrame, Message, ServerFrame } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { afterEach, expect, it, vi } from 'vitest'
import { homes } from '../channels/homes'
import { AnswerRun } from './answer-run'
import { type ChatNotice, onNotice } from './chat-notices'

/** An answer of a page whose connection comes and goes; `sent` is what the server heard. */
function aRun(before?: Answer) {
  const messageId = uuidv7()
  const sent: string[] = []
  const line = { isOpen: true }
  const send = (frame: ClientFrame): boolean => {
    if (line.isOpen) sent.push('route' in frame ? frame.route : frame.event)
    return line.isOpen
  }
  const body = { question: 'Hm?', channelId: 'c', messageId, lastMessages: [], storageMode: 'local' as const }
  const message: Message = {
    mId: messageId,
    channelId: 'c',
    chat_request: 'Hm?',
    chat_response: { role: 'assistant', content: '' },
    datetime: new Date().toISOString(),
    status: 'queued',
    run: { messageId, seq: 0, base: 0, ...(before ? { previous: before } : {}) },
  }
  const run = new AnswerRun({ mId: messageId, body }, message, send, () => undefined)
  return { run, sent, line, messageId }
}

it('stops what was stopped while the connection was away, so that nothing more of it is paid for', () => {
  const { run, sent, line, messageId } = aRun()
  run.ask()
  run.receive({ event: 'accepted', messageId, mId: messageId, seq: 1, model: 'm' })
  line.isOpen = false
  run.stop()
  line.isOpen = true
  run.ask()
  expect(sent).toEqual(['createChatMessage', 'resume', 'stop-message'])
  run.abandon()
})

it('stops a question that had not gone out yet as soon as it does', () => {
  const { run, sent, line } = aRun()
  line.isOpen = false
  run.ask()
  run.stop()
  line.isOpen = true
  run.ask()
  expect(sent).toEqual(['createChatMessage', 'stop-message'])
  run.abandon()
})

const previous = {
  chat_response: { role: 'assistant' as const, content: 'What I had.' },
  status: 'completed' as const,
  model: 'm',
  usage: { inputTokens: 1, outputTokens: 2 },
}

/** One that is asked for again, what is stored of it, and what the person is told. */
function anotherRun(before: Answer = previous) {
  const stored: Message[] = []
  vi.spyOn(homes.local, 'put').mockImplementation(async (message) => void stored.push(message))
  const notices: ChatNotice[] = []
  stopListening = onNotice((notice) => void notices.push(notice))
  const { run, messageId } = aRun(before)
  return { run, stored, notices, frame: { messageId, mId: messageId } }
}
let stopListening = (): void => undefined
afterEach(() => {
  stopListening()
  vi.restoreAllMocks()
})

const accepted = { event: 'accepted', seq: 1, model: 'm' } as const
it.each([
  ['refused', [], { event: 'error', code: 'chat.too-fast', content: 'Slower.' }],
  ['failed', [accepted], { event: 'error-openrouter', seq: 2, code: 'upstream.down', content: 'Later.' }],
  ['cut off', [accepted], { event: 'error', seq: 2, code: 'chat.interrupted', content: 'Cut.' }],
] as const)(
  'another answer that is %s before its first word leaves the one that was there, and says why',
  async (_how, begin, end) => {
    const { run, stored, notices, frame } = anotherRun()
    run.ask()
    for (const each of [...begin, end]) run.receive({ ...frame, ...each } as ServerFrame)
    await run.ended
    expect(stored.at(-1)).toMatchObject({ ...previous, chat_request: 'Hm?', run: { messageId: frame.messageId } })
    expect(stored.at(-1)).not.toHaveProperty('error')
    expect(stored.at(-1)?.run).not.toHaveProperty('previous')
    expect(notices).toMatchObject([{ kind: 'failed', content: end.content }])
  },
)

it('another answer that is cut off after its first words has taken the place of the one that was there', async () => {
  const { run, stored, frame } = anotherRun()
  run.ask()
  run.receive({ ...frame, event: 'accepted', seq: 1, model: 'm' })
  run.receive({ ...frame, event: 'content', seq: 2, content: 'A new' })
  run.receive({ ...frame, event: 'error', seq: 3, code: 'chat.interrupted', content: 'Cut.' })
  await run.ended
  expect(stored.at(-1)).toMatchObject({ status: 'interrupted', chat_response: { content: 'A new' } })
  expect(stored.at(-1)?.run).not.toHaveProperty('previous')
})

it('what is thought is stored while it comes, and stays with the answer when that is stopped before its first word', async () => {
  const stored: Message[] = []
  vi.spyOn(homes.local, 'put').mockImplementation(async (message) => void stored.push(message))
  const { run, messageId } = aRun()
  const frame = { messageId, mId: messageId }
  run.ask()
  run.receive({ ...frame, event: 'accepted', seq: 1, model: 'm' })
  run.receive({ ...frame, event: 'reasoning', seq: 2, content: 'Hm', ms: 800 })
  run.savePartial()
  await expect.poll(() => stored.at(-1)).toMatchObject({ status: 'streaming', reasoning: { text: 'Hm', ms: 800 } })
  const reasoning = { text: 'Hm, so', ms: 1_200 }
  const message = { mId: messageId, chat_response: { role: 'assistant' as const, content: '' }, reasoning }
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  run.receive({ ...frame, event: 'stopped', seq: 3, message, length: 0, sha256 })
  await run.ended
  expect(stored.at(-1)).toMatchObject({ status: 'stopped', chat_response: { content: '' }, reasoning })
})

it('another answer that only thought leaves the one that was there, with what was thought for that', async () => {
  const { run, stored, frame } = anotherRun({ ...previous, reasoning: { text: 'Before', ms: 5 } })
  run.ask()
  run.receive({ ...frame, ...accepted })
  run.receive({ ...frame, event: 'reasoning', seq: 2, content: 'Now', ms: 800 })
  run.receive({ ...frame, event: 'error-openrouter', seq: 3, code: 'upstream.down', content: 'Later.' })
  await run.ended
  expect(stored.at(-1)).toMatchObject({
    ...{ chat_response: previous.chat_response, reasoning: { text: 'Before', ms: 5 } },
    run: { thought: { text: 'Before', ms: 5 } },
  })
})
