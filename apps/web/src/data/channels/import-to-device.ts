import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { sealChannel } from '../local/channel-codec'
import type { ChannelRecord, Sealed } from '../local/database'
import type { Device } from '../local/device'
import { sealMessage } from '../local/message-codec'
import type { Vault } from '../local/vault'
import { writeSealed } from '../local/write-sealed'
import { allOf, chatIdOf, emptyChat } from './chat-keys'

type OpenDevice = () => Promise<Device>
type SealedMessage = { message: Message; sealed: Sealed }

/** So many messages are encrypted and written at a time: all of a long chat at once would freeze the page. */
const atOnce = 200

/** A whole channel with its messages in one transaction: an import leaves no half of it behind. One that exists makes it fail, unless it is to be replaced. */
export async function importToDevice(openDevice: OpenDevice, channel: Channel, messages: readonly Message[], isReplacing: boolean): Promise<void> {
  await writeSealed(openDevice, ['channels', 'chats', 'messages'], async ({ vault, userId }) => {
    const record: ChannelRecord = { id: channel.id, at: channel.updated_at, ...(await sealChannel(vault, channel)) }
    const sealedMessages = await sealAll(vault, messages)
    const chatId = chatIdOf(channel.id, userId)
    return async (records) => {
      // The last position stays, so that a cursor of before never meets a message of after.
      const { lastPosition } = (await records.read('chats').get(chatId)) ?? emptyChat(channel.id, userId)
      await records.removeReadable('messages', allOf(channel.id, userId))
      await (isReplacing ? records.put('channels', record) : records.add('channels', record))
      await records.put('chats', { id: chatId, channelId: channel.id, count: messages.length, lastPosition: lastPosition + messages.length })
      let position = lastPosition
      for (const batch of batchesOf(sealedMessages)) {
        const put = ({ message: { mId, datetime }, sealed }: SealedMessage): Promise<unknown> =>
          records.add('messages', { id: mId, chatId, channelId: channel.id, position: ++position, at: datetime, ...sealed })
        await Promise.all(batch.map(put))
      }
    }
  })
}

/** Adds the messages that a channel lacks, after those it has, in one transaction. The channel's last activity stays. Answers how many were added. */
export async function addToDevice(openDevice: OpenDevice, channelId: string, messages: readonly Message[]): Promise<number> {
  return writeSealed(openDevice, ['channels', 'chats', 'messages'], async ({ vault, userId }) => {
    const sealedMessages = await sealAll(vault, messages)
    return async (records) => {
      // Deleted meanwhile: its messages would stand nowhere.
      if (!(await records.own('channels', channelId))) throw new AppError('channel.not-found')
      const chat = (await records.read('chats').get(chatIdOf(channelId, userId))) ?? emptyChat(channelId, userId)
      let { count, lastPosition } = chat
      for (const { message, sealed } of sealedMessages) {
        if (await records.message(chat.id, message.mId)) continue
        count += 1
        lastPosition += 1
        await records.add('messages', { id: message.mId, chatId: chat.id, channelId, position: lastPosition, at: message.datetime, ...sealed })
      }
      await records.put('chats', { ...chat, count, lastPosition })
      return count - chat.count
    }
  })
}

async function sealAll(vault: Vault, messages: readonly Message[]): Promise<SealedMessage[]> {
  const all: SealedMessage[] = []
  for (const batch of batchesOf(messages)) {
    const sealed = await Promise.all(batch.map(async (message) => ({ message, sealed: await sealMessage(vault, message) })))
    for (const each of sealed) all.push(each)
  }
  return all
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += atOnce) yield all.slice(at, at + atOnce)
}
