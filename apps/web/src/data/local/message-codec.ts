import type { Message } from '@parley/contract/chat'
import type { MessageRecord, Sealed } from './database'
import { readMessage } from './readable'
import { storageError } from './storage-error'
import type { Vault } from './vault'

export function sealMessage(vault: Vault, message: Message): Promise<Sealed> {
  return vault.seal({ table: 'messages', id: message.mId, channelId: message.channelId }, message)
}

/** A record that cannot be read is shown as such and kept. */
export async function openMessage(vault: Vault, record: MessageRecord): Promise<Message> {
  try {
    return await readMessage(vault, record)
  } catch (error) {
    const { code, message } = storageError(error)
    return {
      mId: record.id,
      channelId: record.channelId,
      chat_request: '',
      chat_response: { role: 'assistant', content: '' },
      datetime: record.at,
      status: 'failed',
      error: { code, content: message },
    }
  }
}
