import { fieldsBefore, partsBefore } from '@parley/contract/answer-parts'
import type { Message } from '@parley/contract/chat'
import type { ChannelStore } from '../channels/channel-store'
import type { OutboxEntry } from '../channels/outbox'

/**
 * The message of an entry. A question to the cloud may never have arrived there: then it is rebuilt from the entry. The
 * text so far is streamed again.
 */
export async function messageOf({ mId, body }: OutboxEntry, store: ChannelStore): Promise<Message | undefined> {
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
