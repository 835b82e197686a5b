import { fieldsBefore, partsBefore } from '@parley/contract/answer-parts'
import { isOver, type Message } from '@parley/contract/chat'
import type { ChannelStore } from '../channels/channel-store'
import { type OutboxEntry, outbox } from '../channels/outbox'

/** Undefined where another tab has finished the run while this one waited for the lease. */
export async function messageToReceive(entry: OutboxEntry, store: ChannelStore): Promise<Message | undefined> {
  const { messageId, storageMode } = entry.body
  if (!(await outbox.get(messageId))) return undefined
  const message = await messageOf(entry, store)
  // Another run has replaced this one, or its final message is stored already: the page was closed in between.
  const isReplaced = message?.run?.messageId !== messageId
  if (!message || isReplaced || (isOver(message) && storageMode === 'local')) {
    await outbox.remove(messageId)
    return undefined
  }
  return ifListed(messageId, message)
}

export const ifListed = async <T>(messageId: string, message: T): Promise<T | undefined> =>
  (await outbox.get(messageId)) ? message : undefined

/**
 * The message of an entry. A question to the cloud may never have arrived there: then it is rebuilt from the entry. The
 * text so far is streamed again.
 */
async function messageOf({ mId, body }: OutboxEntry, store: ChannelStore): Promise<Message | undefined> {
  const { channelId, messageId, storageMode } = body
  const known = await store.message(channelId, mId, messageId)
  if (storageMode === 'local' || known?.status === 'queued') return known
  const isAccepted = known?.run?.messageId === messageId
  const base = (isAccepted ? known.run?.base : body.isContinuation ? known?.chat_response.content.length : 0) ?? 0
  const before = base === 0 ? {} : isAccepted ? partsBefore(known?.run ?? {}) : (known ?? {})
  const {
    reasoning: _reasoning,
    read: _read,
    sources: _sources,
    ...message
  }: Message = known ?? {
    ...{ mId, channelId, chat_request: body.question, datetime: new Date().toISOString(), status: 'queued' as const },
    ...(body.files === undefined ? {} : { files: body.files }),
    ...(body.afterRunId === undefined ? {} : { afterRunId: body.afterRunId }),
    chat_response: { role: 'assistant', content: '' },
  }
  return {
    ...message,
    chat_response: { role: 'assistant', content: known?.chat_response.content.slice(0, base) ?? '' },
    run: {
      ...{ messageId, seq: 0, base },
      ...(body.isContinuation ? { question: body.question } : {}),
      ...fieldsBefore(before),
    },
  }
}
