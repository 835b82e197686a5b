// The message that an answer becomes, and the one that the screen shows of it.
import { type AnswerParts, fieldsBefore, joinedParts, partsBefore } from '@parley/contract/answer-parts'
import type { Message } from '@parley/contract/chat'
import type { AnswerEnd } from './apply-frame'
import type { Final, Receiving } from './chat-state'
import { finalFields } from './final-fields'
import type { LiveAnswer } from './live-chat'

export function partialMessage(run: Receiving): Message {
  return withAnswer(run, { status: 'streaming' })
}

/** What is stored at the end: a failed retry must not lose the answer that was there. */
export function finalMessage(run: Receiving, end: AnswerEnd): Final {
  const previous = restored(run, end)
  const message =
    previous ?? withAnswer(run, finalFields(end, { hasText: run.answer.text !== '', used: run.message.run?.used }))
  if (end.kind === 'failed') {
    const isTold = previous !== undefined || message.status === 'failed'
    return { message, notice: isTold ? { kind: 'failed', content: end.content, code: end.code } : undefined }
  }
  return { message, notice: end.message.empty ? { kind: 'empty' } : undefined }
}

export function liveAnswer({ message, answer, isPaused }: Receiving): LiveAnswer {
  const { mId, channelId, chat_response } = message
  return {
    mId,
    channelId,
    messageId: answer.messageId,
    phase: isPaused ? 'lost' : answer.seq > 0 ? 'writing' : 'waiting',
    content: chat_response.content.slice(0, message.run?.base ?? 0) + answer.text,
    ...{ ...partsOf({ message, answer }), isThinking: answer.isThinking },
    ...(answer.isSearching ? { isSearching: true } : {}),
    isSaving: answer.isSaving,
  }
}

export function unsavedAnswer({ mId, channelId, chat_response, run }: Message, ended: Message): LiveAnswer {
  const messageId = run?.messageId ?? mId
  return { mId, channelId, messageId, phase: 'unsaved', content: chat_response.content, isSaving: false, ended }
}

/** The previous answer of the message, where this run produced none. */
function restored({ message, answer }: Receiving, end: AnswerEnd): Message | undefined {
  const { previous, thought: _thought, read: _read, sources: _sources, ...run } = message.run ?? {}
  const isNothing = answer.text.trim() === '' || (end.kind !== 'failed' && end.message.empty === true)
  if (!previous || !isNothing) return undefined
  const { mId, channelId, chat_request, files, datetime, author, forwarded } = message
  return {
    ...{ mId, channelId, chat_request, datetime, ...previous },
    ...(files === undefined ? {} : { files }),
    ...(author === undefined ? {} : { author }),
    ...(forwarded === undefined ? {} : { forwarded }),
    run: {
      ...run,
      ...{ messageId: answer.messageId, seq: answer.seq, base: previous.chat_response.content.length },
      ...fieldsBefore(previous),
    },
  }
}

function withAnswer(receiving: Receiving, fields: Partial<Message>): Message {
  const { message: asked, answer } = receiving
  const { previous, ...run } = asked.run ?? { messageId: answer.messageId, seq: 0, base: 0 }
  const kept = asked.chat_response.content.slice(0, run.base)
  const { error: _error, empty: _empty, reasoning: _reasoning, read: _read, sources: _sources, ...message } = asked
  return {
    ...message,
    ...partsOf(receiving),
    chat_response: { role: 'assistant', content: kept + answer.text },
    ...fields,
    run: {
      ...run,
      messageId: answer.messageId,
      seq: answer.seq,
      ...(previous && answer.text === '' ? { previous } : {}),
    },
  }
}

/** Of all runs of the answer. */
const partsOf = ({ message, answer }: Pick<Receiving, 'message' | 'answer'>): AnswerParts =>
  joinedParts(partsBefore(message.run ?? {}), answer)
