import { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import * as z from 'zod/mini'
import type { MessageRecord, Sealed } from './database'
import { storageError } from './storage-error'
import type { Vault } from './vault'

export function sealMessage(vault: Vault, message: Message): Promise<Sealed> {
  return vault.seal({ table: 'messages', id: message.mId, channelId: message.channelId }, message)
}

/** A record that cannot be read is shown as such and kept. */
export async function openMessage(vault: Vault, record: MessageRecord): Promise<Message> {
  try {
    const value = await vault.open({ table: 'messages', id: record.id, channelId: record.channelId }, record)
    const message = z.safeParse(Message, value)
    if (message.success) return message.data
    throw new AppError('storage.unreadable')
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
