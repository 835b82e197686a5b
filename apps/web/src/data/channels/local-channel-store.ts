import { assertCanClear, assertCanDelete, assertNameFree, byActivity, type Channel, cleanChannelName, defaultChannelName } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import { announce } from '../local/changes'
import { ChannelReader, sealChannel } from '../local/channel-codec'
import type { ChannelRecord } from '../local/database'
import type { Device } from '../local/device'
import { openMessage, sealMessage } from '../local/message-codec'
import { readChannel } from '../local/readable'
import { orStorageError } from '../local/storage-error'
import { withTabLock } from '../local/tab-lock'
import { writeSealed } from '../local/write-sealed'
import { noteChats } from '../vault/storage-loss'
import type { ChannelStore, MessagePage, NewChannel, Owner, PagePlace } from './channel-store'
import { allOf, chatIdOf, emptyChat } from './chat-keys'
import { chatTables, readWhole, removeCopied, removeWanted, type WholeChannel } from './chat-records'
import { readPage } from './local-message-page'

type Options = { open: () => Promise<Device>; now?: () => Date }

/** Whole chats come with a move or an import, which few visits see. */
const importer = () => import('./import-to-device')

/** The device's home. Everything is encrypted before a transaction begins, because waiting inside one ends it. */
export class LocalChannelStore implements ChannelStore {
  private readonly openDevice: () => Promise<Device>
  private readonly now: () => Date
  private readers = new WeakMap<Device, ChannelReader>()

  constructor({ open, now = () => new Date() }: Options) {
    this.openDevice = open
    this.now = now
  }

  list(): Promise<Channel[]> {
    return this.read(async (device) => {
      const records = await device.db.getAll('channels')
      await noteChats(device.db, records.length)
      return (await Promise.all(records.map((record) => this.reader(device).read(record)))).sort(byActivity)
    })
  }

  get(channelId: string): Promise<Channel | undefined> {
    return this.read(async (device) => {
      const record = await device.db.get('channels', channelId)
      return record && this.reader(device).read(record)
    })
  }

  create(wanted: NewChannel): Promise<Channel> {
    return this.changeChannels(async (device) => {
      const others = await this.list()
      const { id = uuidv7(), assistantId, ...given } = wanted
      const now = this.now().toISOString()
      const sameAgent = others.filter((other) => other.assistantId === assistantId).map(({ channelName }) => channelName)
      const channel: Channel = {
        id,
        userId: device.userId ?? null,
        assistantId,
        isDocument: false,
        isImage: false,
        isYoutube: false,
        isLocked: false,
        created_at: now,
        updated_at: now,
        ...given,
        channelName: given.channelName === undefined ? defaultChannelName(this.now(), sameAgent) : requireName(given.channelName),
        isLocalChannel: true,
        source: 'indexeddb',
      }
      assertNameFree(channel, channel.channelName, others)
      await writeSealed(this.openDevice, ['channels', 'chats'], async ({ vault, userId }) => {
        const record: ChannelRecord = { id, at: channel.updated_at, ...(await sealChannel(vault, channel)) }
        return async (records) => void (await Promise.all([records.add('channels', record), records.put('chats', emptyChat(id, userId))]))
      })
      return channel
    })
  }

  rename(channelId: string, name: string, instead?: string): Promise<Channel> {
    return this.changeChannel(channelId, async (channel) => {
      const channelName = requireName(name)
      if (instead !== undefined && channel.channelName !== instead) return channel
      assertNameFree(channel, channelName, await this.list())
      return { ...channel, channelName }
    })
  }

  setLocked(channelId: string, isLocked: boolean): Promise<Channel> {
    return this.changeChannel(channelId, async (channel) => ({ ...channel, isLocked }))
  }

  async clear(channelId: string): Promise<void> {
    await this.changeChannels(() =>
      writeSealed(this.openDevice, chatTables, async (device) => {
        assertCanClear(await readable(device, channelId))
        const { userId } = device
        return async (records) => {
          const { lastPosition } = (await records.read('chats').get(chatIdOf(channelId, userId))) ?? emptyChat(channelId, userId)
          // The last position stays, so that a cursor of before never meets a message of after.
          await records.removeWanted('messages', allOf(channelId, userId))
          await records.put('chats', { ...emptyChat(channelId, userId), lastPosition })
        }
      }),
    )
    announce({ kind: 'messages', channelId })
  }

  async remove(channelId: string): Promise<void> {
    await this.changeChannels(() =>
      writeSealed(this.openDevice, chatTables, async (device) => {
        const channel = await readable(device, channelId).catch((error: unknown) => {
          // Nothing can bring it back, and this is the one way to be rid of it. What a later version wrote may be locked: that version can tell.
          if (!(error instanceof AppError && error.code === 'storage.unreadable')) throw error
        })
        if (channel) assertCanDelete(channel)
        return (records) => removeWanted(records, channelId, device.userId)
      }),
    )
    announce({ kind: 'messages', channelId })
  }

  /** What can be read and is not locked, in one transaction: all of it or nothing. What cannot be read counts as failed; it may have been locked. */
  removeAll(): Promise<{ deleted: number; skipped: number; failed: number }> {
    return this.changeChannels(() =>
      writeSealed(this.openDevice, chatTables, async (device) => {
        const found = await device.db.getAll('channels')
        const channels = await Promise.all(found.map((record) => readChannel(device.vault, record).catch(() => undefined)))
        const doomed = channels.filter((channel) => channel !== undefined && !channel.isLocked).map((channel) => channel?.id ?? '')
        const failed = channels.filter((channel) => channel === undefined).length
        return async (records) => {
          await Promise.all(doomed.map((id) => removeWanted(records, id, device.userId)))
          return { deleted: doomed.length, skipped: found.length - doomed.length - failed, failed }
        }
      }),
    )
  }

  /** Also of those that cannot be read. */
  messageIds(channelId: string): Promise<Set<string>> {
    return this.read(async ({ db, userId }) => {
      const ids = new Set<string>()
      const chatId = chatIdOf(channelId, userId)
      const range = IDBKeyRange.bound([chatId, ''], [chatId, '\uffff'])
      for (let cursor = await db.transaction('messages').store.index('byId').openKeyCursor(range); cursor; cursor = await cursor.continue())
        ids.add(cursor.key[1])
      return ids
    })
  }

  /** For who copies it. Throws storage.unreadable and storage.newer-version where any part of it cannot be read. */
  readWhole(channelId: string): Promise<WholeChannel | undefined> {
    return this.read((device) => readWhole(device, channelId))
  }

  /** Removes what was read and copied elsewhere, locked or not. Throws channel.copy-differs where anything was written since. */
  async removeCopied(whole: WholeChannel): Promise<void> {
    await this.changeChannels(() =>
      writeSealed(
        this.openDevice,
        chatTables,
        async ({ userId }) =>
          (records) =>
            removeCopied(records, whole, userId),
      ),
    )
    announce({ kind: 'messages', channelId: whole.channel.id })
  }

  messages(channelId: string, { limit = limits.channels.messagePageSize, ...place }: PagePlace & { limit?: number } = {}): Promise<MessagePage> {
    return this.read(async ({ db, vault, userId }) => {
      const chat = await db.get('chats', chatIdOf(channelId, userId))
      if (!chat) return { messages: [], cursor: undefined, newer: undefined, total: 0 }
      const { records, ...cursors } = await readPage({ db, userId, channelId, lastPosition: chat.lastPosition }, { ...place, limit })
      return { messages: await Promise.all(records.map((record) => openMessage(vault, record))), ...cursors, total: chat.count }
    })
  }

  message(channelId: string, mId: string): Promise<Message | undefined> {
    return this.read(async ({ db, vault, userId }) => {
      const record = await db.getFromIndex('messages', 'byId', [chatIdOf(channelId, userId), mId])
      return record && openMessage(vault, record)
    })
  }

  async put(message: Message, of?: Owner): Promise<void> {
    let isNew = false
    const at = this.now().toISOString()
    const { channelId, mId } = message
    await orStorageError(() =>
      writeSealed(this.openDevice, ['channels', 'chats', 'messages'], async ({ vault, userId }) => {
        assertOwner(of, userId)
        const sealed = await sealMessage(vault, message)
        return async (records) => {
          const channel = await records.own('channels', channelId)
          // A late answer must not bring back a channel that was deleted meanwhile.
          if (!channel) throw new AppError('channel.not-found')
          const chat = (await records.read('chats').get(chatIdOf(channelId, userId))) ?? emptyChat(channelId, userId)
          const known = await records.message(chat.id, mId)
          const position = known?.position ?? chat.lastPosition + 1
          isNew = !known
          if (!known) await records.put('chats', { ...chat, count: chat.count + 1, lastPosition: position })
          await records.put('messages', { id: mId, chatId: chat.id, channelId, position, at: message.datetime, ...sealed })
          await records.put('channels', { ...channel, at })
        }
      }),
    )
    announce({ kind: 'message', channelId, mId, message })
    // While an answer grows its chat is the last one that was active anyhow.
    if (isNew || message.status !== 'streaming') announce({ kind: 'channel', channelId, home: 'local' })
  }

  async removeMessage(channelId: string, mId: string, of?: Owner): Promise<void> {
    await orStorageError(() =>
      writeSealed(this.openDevice, ['chats', 'messages'], async ({ userId }) => {
        assertOwner(of, userId)
        return async (records) => {
          const chat = await records.read('chats').get(chatIdOf(channelId, userId))
          const known = await records.message(chatIdOf(channelId, userId), mId)
          if (!chat || !known) return
          await records.removeWanted('messages', [known.chatId, known.position])
          await records.put('chats', { ...chat, count: chat.count - 1 })
        }
      }),
    )
    announce({ kind: 'message', channelId, mId, isRemoved: true })
  }

  /** A whole channel with its messages at once. With `isReplacing` it takes the place of one with the same id, without that such an id makes it fail. */
  importChannel(channel: Channel, messages: readonly Message[], { isReplacing = false } = {}): Promise<void> {
    return orStorageError(async () => (await importer()).importToDevice(this.openDevice, channel, messages, isReplacing))
  }

  /** Adds the messages that this channel lacks, after those it has. Answers how many those were. */
  addMessages(channelId: string, messages: readonly Message[]): Promise<number> {
    return orStorageError(async () => (await importer()).addToDevice(this.openDevice, channelId, messages))
  }

  /** Once more when the database was closed in the middle: by the browser, or because another person uses this page from now on. */
  private read<T>(action: (device: Device) => Promise<T>): Promise<T> {
    return orStorageError(async () => {
      try {
        return await action(await this.openDevice())
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
        return action(await this.openDevice())
      }
    })
  }

  /** Rules that compare channels with each other hold over all tabs: one change of the list at a time. */
  private async changeChannels<T>(change: (device: Device) => Promise<T>): Promise<T> {
    const result = await orStorageError(async () => {
      const device = await this.openDevice()
      return withTabLock('channels', () => change(device))
    })
    announce({ kind: 'channels', home: 'local' })
    return result
  }

  private changeChannel(channelId: string, change: (channel: Channel) => Promise<Channel>): Promise<Channel> {
    return this.changeChannels(() =>
      writeSealed(this.openDevice, ['channels'], async (device) => {
        const before = await readable(device, channelId)
        const channel = await change(before)
        const sealed = await sealChannel(device.vault, channel)
        return async (records) => {
          const record = await records.own('channels', channelId)
          if (!record) throw new AppError('channel.not-found')
          // An answer may have moved the last activity since it was read.
          if (channel !== before) await records.put('channels', { id: channelId, at: record.at, ...sealed })
          return channel
        }
      }),
    )
  }

  private reader(device: Device): ChannelReader {
    const reader = this.readers.get(device) ?? new ChannelReader(device.vault)
    this.readers.set(device, reader)
    return reader
  }
}

/** For who changes it. Throws channel.not-found, and what readChannel throws: a stand-in must never be written back. */
async function readable({ db, vault }: Device, channelId: string): Promise<Channel> {
  const record = await db.get('channels', channelId)
  if (!record) throw new AppError('channel.not-found')
  return { ...(await readChannel(vault, record)), updated_at: record.at }
}

/** An answer that somebody else began must not end in the vault that is open now, which may have a channel of the same id. */
function assertOwner(of: Owner | undefined, userId: string | undefined): void {
  if (of && of.userId !== userId) throw new AppError('channel.not-found')
}

function requireName(name: string): string {
  const clean = cleanChannelName(name)
  if (clean === '') throw new AppError('validation')
  return clean
}
