import type { Message } from '@parley/contract/chat'
import type { ChannelStore, Owner } from '../channels/channel-store'
import { readDraft, writeDraft } from '../channels/drafts'
import { outbox } from '../channels/outbox'
import { readQueue } from '../channels/queued-questions'
import { notify } from './chat-notices'

type Refused = {
  store: ChannelStore
  owner: Owner
  message: Message
  messageId: string
  code: string
  content: string
}

/**
 * Returns a refused question to the draft and removes its message, unless the next question is already being typed
 * there, or waits behind it.
 */
export async function returnQuestion({ store, owner, message, messageId, code, content }: Refused): Promise<boolean> {
  const { mId, channelId, chat_request: question } = message
  if ((await readDraft(channelId)).trim() !== '') return false
  // What waits behind it must not be asked before it.
  if ((await readQueue(channelId)).length > 0) return false
  writeDraft(channelId, question)
  notify(
    code === 'no-credits' ? { kind: 'no-credits', content, question, channelId } : { kind: 'failed', content, code },
  )
  await store.removeMessage(channelId, mId, owner)
  await outbox.remove(messageId)
  return true
}
