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
import { orStorageError } from '../local/storage-error'
import { withTabLock } from '../local/tab-lock'
import { writeSealed } from '../local/write-sealed'
import type { ChannelStore, MessagePage, NewChannel, PagePlace, Seen } from './channel-store'
import { allOf, chatIdOf, emptyChat } from './chat-keys'
import { addToDevice, importToDevice } from './import-to-device'
import { readPage } from './local-message-page'

type Options = { open: () => Promise<Device>; now?: () => Date }

const strict = { durability: 'strict' } as const

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
        return async (tx) => void (await Promise.all([tx.objectStore('channels').add(record), tx.objectStore('chats').put(emptyChat(id, userId))]))
      })
      return channel
    })
  }

  rename(channelId: string, name: string, instead?: string): Promise<Channel> {
    return this.changeChannels(async () => {
      const channelName = requireName(name)
      const channels = await this.list()
      const channel = channels.find(({ id }) => id === channelId)
      if (!channel) throw new AppError('channel.not-found')
      if (instead !== undefined && channel.channelName !== instead) return channel
      assertNameFree(channel, channelName, channels)
      return this.replace({ ...channel, channelName })
    })
  }

  setLocked(channelId: string, isLocked: boolean): Promise<Channel> {
    return this.changeChannels(async () => this.replace({ ...(await this.require(channelId)), isLocked }))
  }

  async clear(channelId: string): Promise<void> {
    await this.changeChannels(async ({ db, userId }) => {
      assertCanClear(await this.require(channelId))
      const tx = db.transaction(['chats', 'messages'], 'readwrite', strict)
      const { lastPosition } = (await tx.objectStore('chats').get(chatIdOf(channelId, userId))) ?? emptyChat(channelId, userId)
      // The last position stays, so that a cursor of before never meets a message of after.
      await Promise.all([
        tx.objectStore('messages').delete(allOf(channelId, userId)),
        tx.objectStore('chats').put({ ...emptyChat(channelId, userId), lastPosition }),
        tx.done,
      ])
    })
    announce({ kind: 'messages', channelId })
  }

  async remove(channelId: string, seen?: Seen): Promise<void> {
    await this.changeChannels(async ({ db, userId }) => {
      assertCanDelete(await this.require(channelId))
      const tx = db.transaction(['channels', 'chats', 'messages', 'drafts'], 'readwrite', strict)
      const channel = await tx.objectStore('channels').get(channelId)
      const chat = await tx.objectStore('chats').get(chatIdOf(channelId, userId))
      // Nothing was written yet: the transaction ends by itself.
      if (seen && (channel?.at !== seen.updatedAt || (chat?.count ?? 0) !== seen.total)) throw new AppError('channel.copy-differs')
      await Promise.all([
        tx.objectStore('channels').delete(channelId),
        tx.objectStore('chats').delete(chatIdOf(channelId, userId)),
        tx.objectStore('messages').delete(allOf(channelId, userId)),
        tx.objectStore('drafts').delete(channelId),
        tx.done,
      ])
    })
    announce({ kind: 'messages', channelId })
  }

  async removeAll(): Promise<{ deleted: number; skipped: number; failed: number }> {
    const result = { deleted: 0, skipped: 0, failed: 0 }
    for (const channel of await this.list()) {
      if (channel.isLocked) {
        result.skipped++
        continue
      }
      try {
        await this.remove(channel.id)
        result.deleted++
      } catch {
        // One that fails stays, and is counted for the person.
        result.failed++
      }
    }
    return result
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

  async put(message: Message): Promise<void> {
    const at = this.now().toISOString()
    const { channelId, mId } = message
    await orStorageError(() =>
      writeSealed(this.openDevice, ['channels', 'chats', 'messages'], async ({ vault, userId }) => {
        const sealed = await sealMessage(vault, message)
        return async (tx) => {
          const channel = await tx.objectStore('channels').get(channelId)
          // A late answer must not bring back a channel that was deleted meanwhile.
          if (!channel) throw new AppError('channel.not-found')
          const chat = (await tx.objectStore('chats').get(chatIdOf(channelId, userId))) ?? emptyChat(channelId, userId)
          const known = await tx.objectStore('messages').index('byId').get([chat.id, mId])
          const position = known?.position ?? chat.lastPosition + 1
          if (!known) await tx.objectStore('chats').put({ ...chat, count: chat.count + 1, lastPosition: position })
          await tx.objectStore('messages').put({ id: mId, chatId: chat.id, channelId, position, at: message.datetime, ...sealed })
          await tx.objectStore('channels').put({ ...channel, at })
        }
      }),
    )
    announce({ kind: 'messages', channelId })
    announce({ kind: 'channels', home: 'local' })
  }

  async removeMessage(channelId: string, mId: string): Promise<void> {
    await orStorageError(async () => {
      const { db, userId } = await this.openDevice()
      const tx = db.transaction(['chats', 'messages'], 'readwrite', strict)
      const chat = await tx.objectStore('chats').get(chatIdOf(channelId, userId))
      const key = await tx
        .objectStore('messages')
        .index('byId')
        .getKey([chatIdOf(channelId, userId), mId])
      if (chat && key) await Promise.all([tx.objectStore('messages').delete(key), tx.objectStore('chats').put({ ...chat, count: chat.count - 1 })])
      await tx.done
    })
    announce({ kind: 'messages', channelId })
  }

  /** A whole channel with its messages at once. With `isReplacing` it takes the place of one with the same id, without that such an id makes it fail. */
  importChannel(channel: Channel, messages: readonly Message[], { isReplacing = false } = {}): Promise<void> {
    return orStorageError(() => importToDevice(this.openDevice, channel, messages, isReplacing))
  }

  /** Adds the messages that this channel lacks, after those it has. Answers how many those were. */
  addMessages(channelId: string, messages: readonly Message[]): Promise<number> {
    return orStorageError(() => addToDevice(this.openDevice, channelId, messages))
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

  private async require(channelId: string): Promise<Channel> {
    const channel = await this.get(channelId)
    if (!channel) throw new AppError('channel.not-found')
    return channel
  }

  private async replace(channel: Channel): Promise<Channel> {
    await writeSealed(this.openDevice, ['channels'], async ({ vault }) => {
      const sealed = await sealChannel(vault, channel)
      return async (tx) => {
        // An answer may have moved the last activity since it was read.
        const at = (await tx.objectStore('channels').get(channel.id))?.at ?? channel.updated_at
        await tx.objectStore('channels').put({ id: channel.id, at, ...sealed })
      }
    })
    return channel
  }

  private reader(device: Device): ChannelReader {
    const reader = this.readers.get(device) ?? new ChannelReader(device.vault)
    this.readers.set(device, reader)
    return reader
  }
}

function requireName(name: string): string {
  const clean = cleanChannelName(name)
  if (clean === '') throw new AppError('validation')
  return clean
}
