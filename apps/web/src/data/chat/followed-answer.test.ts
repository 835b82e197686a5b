import type { ClientFrame, Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { expect, it } from 'vitest'
import { FollowedAnswer } from './followed-answer'

it('an answer that was stopped while the connection was away is stopped when it is back', () => {
  const run = { messageId: uuidv7(), seq: 3, base: 0 }
  const message: Message = {
    ...{ mId: 'm', channelId: 'c', chat_request: 'Hm?', chat_response: { role: 'assistant', content: 'Well' } },
    ...{ datetime: new Date().toISOString(), status: 'streaming', author: { name: 'bruno' }, run },
  }
  const sent: string[] = []
  let isOpen = true
  const send = (frame: ClientFrame): boolean => {
    if (isOpen) sent.push('route' in frame ? frame.route : frame.event)
    return isOpen
  }
  const answer = new FollowedAnswer(message, run, { send, onEnd: () => undefined })
  answer.ask()
  isOpen = false
  answer.stop()
  isOpen = true
  answer.ask()
  expect(sent).toEqual(['resume', 'resume', 'stop-message'])
  answer.abandon()
})
