import 'fake-indexeddb/auto'
import type { ClientFrame, Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { expect, it } from 'vitest'
import { AnswerRun } from './answer-run'

/** An answer of a page whose connection comes and goes; `sent` is what the server heard. */
function aRun() {
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
    run: { messageId, seq: 0, base: 0 },
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
