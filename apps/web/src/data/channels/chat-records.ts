import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import type { ChannelRecord, MessageRecord, SealedRecord } from '../local/database'
import type { Device } from '../local/device'
import { isSameRecord, readChannel, readMessage } from '../local/readable'
import type { WritableRecords } from '../local/write-sealed'
import { allOf, chatIdOf } from './chat-keys'

/** What a channel of this device consists of. */
export const chatTables = ['channels', 'chats', 'messages', 'drafts', 'undo'] as const

/** A whole channel as it stood at one moment, oldest message first, and the records that it was read from. */
export type WholeChannel = { channel: Channel; messages: Message[]; records: { channel: ChannelRecord; messages: readonly MessageRecord[] } }

/** The keys of what an import replaced of a channel. */
const copiesOf = (channelId: string): IDBKeyRange => IDBKeyRange.bound(`${channelId}|`, `${channelId}|\uffff`)

/** So many are decrypted at a time: all of a long chat at once would freeze the page. */
const atOnce = 200

/** Throws storage.unreadable and storage.newer-version where any part of it cannot be read: what is not read whole is no copy. */
export async function readWhole({ db, vault, userId }: Device, channelId: string): Promise<WholeChannel | undefined> {
  const tx = db.transaction(['channels', 'messages'])
  const [record, records] = await Promise.all([tx.objectStore('channels').get(channelId), tx.objectStore('messages').getAll(allOf(channelId, userId)), tx.done])
  if (!record) return undefined
  const channel = { ...(await readChannel(vault, record)), updated_at: record.at }
  const messages: Message[] = []
  for (let at = 0; at < records.length; at += atOnce)
    messages.push(...(await Promise.all(records.slice(at, at + atOnce).map((each) => readMessage(vault, each)))))
  return { channel, messages, records: { channel: record, messages: records } }
}

/** Removes a channel because the person said so. */
export async function removeWanted(records: WritableRecords, channelId: string, userId: string | undefined): Promise<void> {
  await Promise.all([
    records.removeWanted('channels', channelId),
    records.removeWanted('chats', chatIdOf(channelId, userId)),
    records.removeWanted('messages', allOf(channelId, userId)),
    records.removeWanted('drafts', channelId),
    // Who deletes a chat means its copies too.
    records.removeWanted('undo', copiesOf(channelId)),
  ])
}

/** Removes exactly what was read and copied; its unsent text stays. Throws channel.copy-differs where anything was written since. */
export async function removeCopied(records: WritableRecords, whole: WholeChannel, userId: string | undefined): Promise<void> {
  const { id } = whole.channel
  const channel = await records.read('channels').get(id)
  const messages = await records.read('messages').getAll(allOf(id, userId))
  const isSame = (one: SealedRecord | undefined, other: SealedRecord | undefined): boolean => !!one && !!other && isSameRecord(one, other)
  const isAsRead =
    isSame(channel, whole.records.channel) &&
    channel?.at === whole.records.channel.at &&
    messages.length === whole.records.messages.length &&
    messages.every((message, index) => isSame(message, whole.records.messages[index]))
  if (!isAsRead) throw new AppError('channel.copy-differs')
  await records.removeReadable('channels', id)
  await records.removeReadable('messages', allOf(id, userId))
  await records.removeReadable('chats', chatIdOf(id, userId))
}
