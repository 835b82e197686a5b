import type { OutlineEntry } from '@parley/contract/branches'
import { assertCanClear, assertNameFree, byActivity, type Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ChatSettingsChange } from '@parley/contract/chat-settings'
import type { Summary } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import type { Nano } from '@parley/contract/money'
import type { ConversationCopy } from '@parley/contract/tree-copies'
import { announce, announceHere } from '../local/changes'
import { ChannelReader, sealChannel } from '../local/channel-codec'
import type { Device } from '../local/device'
import { orStorageError } from '../local/storage-error'
import { withTabLock } from '../local/tab-lock'
import { writeSealed } from '../local/write-sealed'
import { recordChats } from '../vault/storage-loss'
import type { ChannelStore, MessagePage, NewChannel, Owner, PagePosition, Version } from './channel-store'
import { chatTables } from './chat-keys'
import type { WholeChannel } from './chat-records'
import {
  addChannel,
  assertDeletable,
  configured,
  newChannel,
  readableChannel,
  requireName,
  unlockedChannels,
  withOpenDevice,
} from './device-channel'
import type { Importable } from './fit-exchanges'
import type { ImportOptions } from './import-to-device'
import type { CopiedParts } from './remove-copied'

/** `isOfTab`: nobody else can read it, and nothing of it is noted in the browser's storage. */
type Options = { open: () => Promise<Device>; now?: () => Date; isOfTab?: boolean }

// Each is loaded with its first use: the app begins with the list of channels, and few visits do all the rest.
const messages = () => import('./local-messages')
const puts = () => import('./put-message')
const chats = () => import('./chat-records')
const importer = () => import('./import-to-device')
const merger = () => import('./merge-into-device')
const versions = () => import('./local-versions')
const removal = () => import('./remove-copied')
const outlines = () => import('./local-outline')

/** The device home. Records are encrypted before a transaction begins, because awaiting inside one ends it. */
export class LocalChannelStore implements ChannelStore {
  private readonly openDevice: () => Promise<Device>
  private readonly now: () => Date
  private readonly isOfTab: boolean
  private readonly announce: typeof announce
  private readers = new WeakMap<Device, ChannelReader>()

  constructor({ open, now = () => new Date(), isOfTab = false }: Options) {
    this.openDevice = open
    this.now = now
    this.isOfTab = isOfTab
    this.announce = isOfTab ? announceHere : announce
  }

  list(): Promise<Channel[]> {
    return this.read(async (device) => {
      const records = await device.db.getAll('channels')
      if (!this.isOfTab) await recordChats(device.db, records.length)
      return (await Promise.all(records.map((record) => this.reader(device).read(record)))).sort(byActivity)
    })
  }

  get(channelId: string): Promise<Channel | undefined> {
    return this.read(async (device) => {
      const record = await device.db.get('channels', channelId)
      return record && this.reader(device).read(record)
    })
  }

  create(request: NewChannel): Promise<Channel> {
    return this.changeChannels(async (device) => {
      const others = await this.list()
      const channel = newChannel(request, others, {
        ...{ userId: device.userId ?? null, now: this.now() },
        source: this.isOfTab ? 'memory' : 'indexeddb',
      })
      assertNameFree(channel, channel.channelName, others)
      await addChannel(this.openDevice, channel)
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

  configure(channelId: string, change: ChatSettingsChange): Promise<Channel> {
    return this.changeChannel(channelId, async (channel) => configured(channel, change))
  }

  setLocked(channelId: string, isLocked: boolean): Promise<Channel> {
    return this.changeChannel(channelId, async (channel) => ({ ...channel, isLocked }))
  }

  async clear(channelId: string): Promise<void> {
    await this.changeChannels(async () => {
      const { clearChat } = await chats()
      return writeSealed(this.openDevice, chatTables, async (device) => {
        assertCanClear(await readableChannel(device, channelId))
        return (records) => clearChat(records, channelId, device.userId)
      })
    })
    this.announce({ kind: 'messages', channelId })
  }

  async remove(channelId: string): Promise<void> {
    await this.changeChannels(async () => {
      const { removeChannel } = await chats()
      return writeSealed(this.openDevice, chatTables, async (device) => {
        await assertDeletable(device, channelId)
        return (records) => removeChannel(records, channelId, device.userId)
      })
    })
    this.announce({ kind: 'messages', channelId })
  }

  /**
   * Deletes all readable and unlocked channels, in one transaction. Unreadable ones count as failed, because they may
   * have been locked.
   */
  removeAll(): Promise<{ deleted: number; skipped: number; failed: number }> {
    return this.changeChannels(async () => {
      const { removeChannel } = await chats()
      return writeSealed(this.openDevice, chatTables, async (device) => {
        const { doomed, ...left } = await unlockedChannels(device)
        return async (records) => {
          await Promise.all(doomed.map((id) => removeChannel(records, id, device.userId)))
          return { deleted: doomed.length, ...left }
        }
      })
    })
  }

  /** The ids of all messages, also of unreadable ones. */
  messageIds(channelId: string): Promise<Set<string>> {
    return this.read(async (device) => (await messages()).readMessageIds(device, channelId))
  }

  /**
   * Reads a channel with all its messages for a copy. Throws storage.unreadable and storage.newer-version where any
   * record cannot be read.
   */
  readWhole(channelId: string): Promise<WholeChannel | undefined> {
    return this.read(async (device) => (await chats()).readWhole(device, channelId))
  }

  /**
   * Removes a channel that was copied elsewhere with its `sources`, locked or not; `hasEveryRun`: with the earlier runs
   * of its exchanges, which stay here otherwise. Throws channel.copy-differs where anything was written since.
   */
  async removeCopied(whole: WholeChannel, copied: CopiedParts): Promise<void> {
    await this.changeChannels(async () => (await removal()).removeCopiedChat(this.openDevice, whole, copied))
    this.announce({ kind: 'messages', channelId: whole.channel.id })
  }

  messages(channelId: string, options: PagePosition & { limit?: number } = {}): Promise<MessagePage> {
    return this.read(async (device) => (await messages()).readMessages(device, channelId, options))
  }

  message(channelId: string, mId: string, runId?: string): Promise<Message | undefined> {
    return this.read(async (device) => (await messages()).readMessage(device, channelId, mId, runId))
  }

  async put(message: Message, of?: Owner, { isAnswer = false } = {}): Promise<void> {
    const { channelId, mId } = message
    const at = this.now().toISOString()
    const put = async () => (await puts()).putMessage(this.openDevice, message, { of, at, isAnswer })
    const result = await orStorageError(put)
    if (!result) return
    const { isNew, isBranch, shown } = result
    if (isBranch) this.announce({ kind: 'messages', channelId })
    else this.announce({ kind: 'message', channelId, mId, ...(shown ? { message: shown } : {}) })
    // While an answer grows its chat is the most recently active one anyway.
    if (isNew || message.status !== 'streaming') this.announce({ kind: 'channel', channelId, home: 'local' })
  }

  async removeMessage(channelId: string, mId: string, of?: Owner): Promise<void> {
    const remove = async () => (await messages()).removeMessage(this.openDevice, { channelId, mId }, of)
    const isBranch = await orStorageError(remove)
    this.announce({ kind: 'message', channelId, mId, isRemoved: true })
    if (isBranch) this.announce({ kind: 'messages', channelId })
  }

  show(channelId: string, version: Version): Promise<void> {
    return this.changeShape(channelId, async () => (await versions()).showVersion(this.openDevice, channelId, version))
  }

  branch(channelId: string, version: Version): Promise<Channel> {
    return this.changeChannels(async () => {
      const others = await this.list()
      return (await versions()).branchChat(this.openDevice, channelId, version, { others, now: this.now() })
    })
  }

  removeBranch(channelId: string, mId: string): Promise<void> {
    return this.changeShape(channelId, async () => (await versions()).removeBranch(this.openDevice, channelId, mId))
  }

  outline(channelId: string): Promise<OutlineEntry[]> {
    return this.read(async (device) => (await outlines()).readOutline(device, channelId))
  }

  async setPinned(channelId: string, mId: string, isPinned: boolean): Promise<void> {
    await orStorageError(async () => (await outlines()).setPinned(this.openDevice, { channelId, mId }, isPinned))
    this.announce({ kind: 'message', channelId, mId })
  }

  cost(channelId: string): Promise<Nano> {
    return this.read(async (device) => (await import('./local-cost')).readCost(device, channelId))
  }

  summaries(channelId: string): Promise<Summary[]> {
    return this.read(async (device) => (await import('./local-summaries')).readSummaries(device, channelId))
  }

  async putSummary(summary: Summary, of?: Owner): Promise<void> {
    await orStorageError(async () => (await import('./local-summaries')).putSummary(this.openDevice, summary, of))
    this.announce({ kind: 'summaries', channelId: summary.channelId })
  }

  private async changeShape(channelId: string, change: () => Promise<void>): Promise<void> {
    await orStorageError(change)
    this.announce({ kind: 'messages', channelId })
  }

  /**
   * Imports a channel with its messages in one transaction. It fails where the id exists, unless `isReplacing`. `head`:
   * of a chat with branches.
   */
  importChannel(channel: Channel, messages: readonly Importable[], options: ImportOptions = {}): Promise<void> {
    return orStorageError(async () => (await importer()).importToDevice(this.openDevice, channel, messages, options))
  }

  /**
   * Adds the messages that this channel does not have, after its own, and earlier runs of those that it has. Answers
   * how many messages were added. `hasBranches`: the chat that they come from has some.
   */
  addMessages(
    channelId: string,
    messages: readonly Importable[],
    from: { hasBranches?: boolean } = {},
  ): Promise<number> {
    return orStorageError(async () => (await importer()).addToDevice(this.openDevice, channelId, messages, from))
  }

  /** Adds all that another copy of a channel has and this one has not. */
  merge(channelId: string, copy: ConversationCopy): Promise<void> {
    return orStorageError(async () => (await merger()).mergeIntoDevice(this.openDevice, channelId, copy))
  }

  private read<T>(action: (device: Device) => Promise<T>): Promise<T> {
    return orStorageError(() => withOpenDevice(this.openDevice, action))
  }

  /** Runs one change of the list at a time over all tabs, because names must be unique among channels. */
  private async changeChannels<T>(change: (device: Device) => Promise<T>): Promise<T> {
    const result = await orStorageError(async () => {
      const device = await this.openDevice()
      return withTabLock('channels', () => change(device))
    })
    this.announce({ kind: 'channels', home: 'local' })
    return result
  }

  private changeChannel(channelId: string, change: (channel: Channel) => Promise<Channel>): Promise<Channel> {
    return this.changeChannels(() =>
      writeSealed(this.openDevice, ['channels'], async (device) => {
        const before = await readableChannel(device, channelId)
        const channel = await change(before)
        const sealed = await sealChannel(device.vault, channel)
        return async (records) => {
          const record = await records.own('channels', channelId)
          if (!record) throw new AppError('channel.not-found')
          // An answer may have changed the last activity since the channel was read.
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
