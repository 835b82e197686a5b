// The message of a run that is asked for, from what was read for it.
import { answerOf, fieldsBefore, partsBefore } from '@parley/contract/answer-parts'
import { type Channel, isDefaultChannelName } from '@parley/contract/channels'
import { isOver, type Message } from '@parley/contract/chat'
import { questionOf } from '@parley/contract/context'
import { AppError } from '@parley/contract/errors'
import type { Ask, AskOutcome, Found, NewRun } from './ask'
import type { MessageContext } from './message-context'

type Of<K extends Ask['kind']> = Extract<Ask, { kind: K }>
type Made = NewRun | Exclude<AskOutcome, { kind: 'stored' }>

/** Or why there is none. `at`: in milliseconds. */
export function newRun(ask: Ask, found: Found, at: number): Made {
  const datetime = new Date(at).toISOString()
  if (found.kind === 'channel')
    return 'text' in ask ? newExchange(ask, { ...found, datetime }) : failed(new AppError('not-found'))
  switch (ask.kind) {
    case 'edit':
      return editedQuestion(ask, found, datetime)
    case 'again':
      return anotherAnswer(ask, found)
    case 'continue':
      return restOfAnswer(ask, found)
    default:
      return failed(new AppError('not-found'))
  }
}

const refused = { kind: 'refused' } as const
const failed = (error: unknown): Made => ({ kind: 'failed', error })

type Place = Pick<Extract<Found, { kind: 'channel' }>, 'channel' | 'files' | 'path' | 'afterRunId'>

function newExchange(
  { id, text: question }: { id: string; text: string },
  { channel, files, path, afterRunId, datetime }: Place & { datetime: string },
): NewRun {
  const message: Message = {
    mId: id,
    channelId: channel.id,
    chat_request: question,
    ...(files.length === 0 ? {} : { files: [...files] }),
    chat_response: { role: 'assistant', content: '' },
    ...{ datetime, status: 'queued' },
    ...agentOf(channel),
    run: { messageId: id, seq: 0, base: 0 },
    ...(afterRunId === undefined ? {} : { afterRunId }),
  }
  return { message, channel, question, path, suggestName: isDefaultChannelName(channel.channelName) }
}

/** Another version of a question, which follows the same answer and is told the same path. */
function editedQuestion(
  ask: Of<'edit'>,
  { message, before, channel, isBranchable }: Extract<Found, { kind: 'message' }>,
  datetime: string,
): Made {
  if (message.author !== undefined) return failed(new AppError('channel.not-author'))
  if (channel.role === 'read') return failed(new AppError('channel.read-only'))
  if (message.error?.code.startsWith('storage.')) return failed(new AppError('storage.unreadable'))
  if (ask.text === message.chat_request.trim()) return refused
  if (!isBranchable) return failed(new AppError('channel.in-both-homes'))
  // The server has not stored the question yet, so that what it follows is unknown.
  if (message.afterRunId === undefined) return failed(new AppError('channel.answering'))
  const { files = [], afterRunId } = message
  return newExchange(ask, { channel, files, path: before, afterRunId, datetime })
}

function anotherAnswer(ask: Of<'again'>, found: Extract<Found, { kind: 'message' }>): Made {
  const message = askable(found.message, ask.isLost)
  if (!message) return refused
  if (!found.isBranchable) return failed(new AppError('channel.in-both-homes'))
  const { channel, before: path } = found
  const { modelId } = ask
  const { model: _model, ...rest } = message
  const run = { messageId: ask.id, seq: 0, base: 0, ...previousOf(message) }
  return {
    message: resetAnswer(modelId === undefined ? rest : { ...rest, model: modelId }, channel, { content: '', run }),
    ...{ channel, question: message.chat_request, path, suggestName: false, modelId },
  }
}

function restOfAnswer({ id, prompt, isLost }: Of<'continue'>, found: MessageContext): Made {
  const message = askable(found.message, isLost)
  if (!message) return refused
  const { channel, before } = found
  const { content } = message.chat_response
  const run = {
    ...{ messageId: id, seq: 0, base: content.length, question: prompt },
    ...(message.usage ? { used: message.usage } : {}),
    ...fieldsBefore(message),
    ...previousOf(message),
  }
  const messages = [
    { role: 'user' as const, content: questionOf(message) },
    { role: 'assistant' as const, content },
  ]
  return {
    message: resetAnswer(message, channel, { content, run }),
    ...{ channel, question: prompt, path: [...before, { mId: message.mId, messages }], suggestName: false },
  }
}

/** A message whose answer may be asked for anew: the partial text of a run that is abandoned counts as interrupted. */
function askable(message: Message, isLost: boolean): Message | undefined {
  if (isOver(message)) return message
  return isLost ? { ...message, status: 'interrupted' } : undefined
}

/** The previous answer is stored with the run, in the cloud too: the page may be closed when the run ends. */
function previousOf(message: Message): Pick<NonNullable<Message['run']>, 'previous'> {
  const previous = answerOf(message)
  return previous ? { previous } : {}
}

function resetAnswer(
  {
    error: _error,
    empty: _empty,
    assistantId: _assistant,
    usage: _usage,
    finishReason: _reason,
    durationMs: _ms,
    reasoning: _reasoning,
    read: _read,
    sources: _sources,
    ...message
  }: Message,
  channel: Channel,
  { content, run }: { content: string; run: NonNullable<Message['run']> },
): Message {
  return {
    ...{ ...message, ...agentOf(channel), chat_response: { role: 'assistant', content }, status: 'queued', run },
    ...partsBefore(run),
  }
}

/** The agent of a channel, as its messages store it. */
const agentOf = ({ assistantId }: Channel): Pick<Message, 'assistantId'> =>
  assistantId === null ? {} : { assistantId }
