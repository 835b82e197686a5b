import { AppError } from '@parley/contract/errors'
import type { ConversationCopy } from '@parley/contract/tree-copies'
import type { Device } from '../local/device'
import { exchangesOf } from '../local/exchange-records'
import { OutdatedRead, writeSealed } from '../local/write-sealed'
import { chatIdOf, emptyChat } from './chat-keys'
import { copyOf, isAsRead, noteWhole, readWhole } from './chat-records'
import { reshaped } from './chat-tree'
import { addAll, removeExchanges, sealAll } from './import-to-device'
import { united } from './unite-copies'

/**
 * Makes a chat of this device the union of itself and another copy of it, in one transaction. Its name and its last
 * activity stay. Throws channel.not-found, and storage.unreadable and storage.newer-version where any record cannot be
 * read.
 */
export function mergeIntoDevice(
  openDevice: () => Promise<Device>,
  channelId: string,
  given: ConversationCopy,
): Promise<void> {
  return writeSealed(openDevice, ['channels', 'chats', 'exchanges', 'runs'], async (device, noteRead) => {
    const whole = await readWhole(device, channelId)
    if (!whole) throw new AppError('channel.not-found')
    noteWhole(whole, noteRead)
    const { exchanges, head } = await united(copyOf(whole), given)
    const chatId = chatIdOf(channelId, device.userId)
    const sealed = await sealAll(
      device,
      chatId,
      exchanges.map(({ exchange, runs }) => ({
        exchange: { ...exchange, channelId },
        runs: runs.map((run) => ({ ...run, channelId })),
      })),
    )
    return async (records) => {
      // The channel was deleted meanwhile: its messages would be orphaned.
      if (!(await records.own('channels', channelId))) throw new AppError('channel.not-found')
      if (!isAsRead(await records.exchanges(exchangesOf(chatId)), whole)) throw new OutdatedRead()
      const { lastPosition } = (await records.read('chats').get(chatId)) ?? emptyChat(channelId, device.userId)
      await removeExchanges(records, chatId)
      await records.put(
        'chats',
        reshaped({
          ...{ id: chatId, channelId, count: sealed.length, lastPosition: lastPosition + sealed.length },
          ...(head === null ? {} : { head }),
        }),
      )
      await addAll(records, sealed, lastPosition)
    }
  })
}
