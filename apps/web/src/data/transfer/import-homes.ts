import { type Channel, freeName, type StorageMode } from '@parley/contract/channels'
import { settingsChange, settingsOf } from '@parley/contract/chat-settings'
import { AppError } from '@parley/contract/errors'
import { type ConversationCopy, tidied } from '@parley/contract/tree-copies'
import { addToCloudTree, readCloudTree } from '../channels/cloud-trees'
import { fillCloud, RefusedMessageError } from '../channels/fill-cloud'
import { cloudChannels, homeOf, modeOf } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { retryWhenRateLimited } from '../channels/rate-limit-retry'
import { lackingIn, withCloudIds } from '../channels/unite-copies'
import { storedSession } from '../session/stored-session'
import { withSourceIds } from '../sources/source-copies'
import { plainMessagesOf } from './file-trees'
import type { ImportSources } from './import-sources'
import { type ReplacedChat, storeForUndo } from './undo-import'
import { beginImport, endImport } from './unfinished-imports'

/** The writes of an import to a home. Each call leaves complete channels behind, wherever the import is interrupted. */
type Home = {
  create(channel: Channel, copy: ConversationCopy, sources: ImportSources): Promise<Channel>
  /** Without a copy the existing messages stay. */
  replace(channel: Channel, copy: ConversationCopy | undefined): Promise<void>
  /** Answers the number of new messages. */
  add(channelId: string, copy: ConversationCopy): Promise<number>
}

const device: Home = {
  async create(channel, copy, sources) {
    const made = ofThisDevice(channel)
    // Before the chat: it is there with all of them, or not yet.
    const { exchanges, head } = withSourceIds(copy, await sources.bring(made, channel.id))
    await localChannels.importChannel(made, exchanges, { head: head ?? undefined })
    return made
  },
  async replace(channel, copy) {
    const made = ofThisDevice(channel)
    if (!copy) await localChannels.rename(channel.id, channel.channelName)
    else await localChannels.importChannel(made, copy.exchanges, { isReplacing: true, head: copy.head ?? undefined })
  },
  async add(channelId, copy) {
    if (plainMessagesOf(copy)) return localChannels.addMessages(channelId, copy.exchanges)
    const known = await localChannels.messageIds(channelId)
    await localChannels.merge(channelId, copy)
    return copy.exchanges.filter(({ exchange }) => !known.has(exchange.id)).length
  },
}

const cloud = (signal: AbortSignal): Home => {
  const patiently = <T>(call: () => Promise<T>): Promise<T> => retryWhenRateLimited(call, signal)
  /** Answers the number of new messages where there are versions. */
  const fill = async (channelId: string, copy: ConversationCopy): Promise<number | undefined> => {
    const messages = plainMessagesOf(copy)
    if (messages) return void (await fillCloud(channelId, messages, { signal }))
    const there = await readCloudTree(channelId, { signal })
    const known = new Set(there.exchanges.map(({ exchange }) => exchange.id))
    const lacking = await lackingIn(there, await withCloudIds(copy))
    await addToCloudTree(channelId, lacking, { signal })
    return lacking.exchanges.filter(({ exchange }) => !known.has(exchange.id)).length
  }
  const count = async (channelId: string): Promise<number> =>
    (await patiently(() => cloudChannels.messages(channelId, { limit: 1 }))).total
  return {
    async create({ id, assistantId, channelName, isDocument, isImage, isYoutube, ...channel }, copy, sources) {
      beginImport(id)
      const { created_at, updated_at } = channel
      const fields = { id, assistantId, channelName, isDocument, isImage, isYoutube, created_at, updated_at }
      const wanted = { ...fields, ...(channel.settings ? { settings: settingsOf(channel) } : {}) }
      const made = await patiently(() => cloudChannels.create(wanted))
      try {
        await fill(made.id, withSourceIds(copy, await sources.bring(made, id)))
      } catch (error) {
        // The cloud will never accept the whole channel: the partial one is removed.
        if (error instanceof RefusedMessageError) await patiently(() => cloudChannels.remove(made.id))
        throw error
      }
      endImport(id)
      return made
    },
    async replace({ id, channelName }, copy) {
      await patiently(() => cloudChannels.rename(id, channelName))
      if (!copy) return
      beginImport(id)
      await patiently(() => cloudChannels.clear(id))
      await fill(id, copy)
      endImport(id)
    },
    async add(channelId, copy) {
      if (copy.exchanges.length === 0) return 0
      const before = await count(channelId)
      const added = await fill(channelId, copy)
      endImport(channelId)
      return added ?? (await count(channelId)) - before
    },
  }
}

/** The imported channel belongs to the current person, whoever exported it. */
function ofThisDevice(channel: Channel): Channel {
  return { ...channel, userId: storedSession()?.user.id ?? null, isLocalChannel: true, source: 'indexeddb' }
}

/**
 * The existing channels of both homes, and their names. Existing channels are changed in their home; new ones are
 * created in the target.
 */
export class ImportHomes {
  private readonly known = new Map<string, Channel>()
  private readonly names = new Map<string, Set<string>>()

  private readonly homes: Record<StorageMode, Home>
  /** The time that identifies the copies of this import. */
  private readonly at = new Date().toISOString()
  undoable = 0

  private constructor(
    private readonly target: StorageMode,
    private readonly signal: AbortSignal,
  ) {
    this.homes = { local: device, cloud: cloud(signal) }
  }

  static async open(target: StorageMode, signal: AbortSignal): Promise<ImportHomes> {
    const homes = new ImportHomes(target, signal)
    // Of a channel in both homes the copy on this device is used.
    for (const channel of [...(await cloudList(target)), ...(await localChannels.list())]) homes.learn(channel)
    return homes
  }

  find(channelId: string): Channel | undefined {
    return this.known.get(channelId)
  }

  async create(channel: Channel, copy: ConversationCopy, sources: ImportSources): Promise<void> {
    const named = {
      ...channel,
      channelName: freeName(channel.channelName, [...this.namesOf(this.target, channel.assistantId)]),
    }
    const made = await this.homes[this.target].create(named, copy, sources)
    // The cloud may assign another id: the file's id then maps to it.
    this.known.set(channel.id, made)
    this.learn(made)
  }

  /** Replaces a channel, keeping its id, home and position. A copy of it is stored first. */
  async replace(there: Channel, channel: Channel, copy: ConversationCopy | undefined): Promise<void> {
    const mode = modeOf(there)
    await storeForUndo(await this.wholeOf(there), this.at)
    this.undoable++
    const others = [...this.namesOf(mode, channel.assistantId)].filter(
      (name) => name !== there.channelName.toLowerCase(),
    )
    const renewed = { ...channel, id: there.id, channelName: freeName(channel.channelName, others) }
    await this.homes[mode].replace(renewed, copy)
    const change = settingsChange(there, renewed)
    if (change) await retryWhenRateLimited(() => homeOf(there).configure(there.id, change), this.signal)
    this.namesOf(mode, there.assistantId).delete(there.channelName.toLowerCase())
    this.learn({ ...renewed, source: there.source })
  }

  add(there: Channel, copy: ConversationCopy): Promise<number> {
    return this.homes[modeOf(there)].add(there.id, copy)
  }

  /** Reads the existing channel with all its messages. Throws storage.unreadable, storage.newer-version. */
  private async wholeOf(channel: Channel): Promise<ReplacedChat> {
    if (modeOf(channel) === 'cloud') {
      const copy = tidied(await readCloudTree(channel.id, { signal: this.signal }))
      const messages = plainMessagesOf(copy)
      if (messages) return { channel, messages }
      const { exchanges, head } = copy
      return { channel, messages: [], exchanges: [...exchanges], ...(head === null ? {} : { head }) }
    }
    const whole = await localChannels.readWhole(channel.id)
    if (!whole) throw new AppError('channel.not-found')
    const { channel: stored, messages, exchanges, head } = whole
    return { channel: stored, messages, exchanges, ...(head === undefined ? {} : { head }) }
  }

  private learn(channel: Channel): void {
    this.known.set(channel.id, channel)
    this.namesOf(modeOf(channel), channel.assistantId).add(channel.channelName.toLowerCase())
  }

  private namesOf(mode: StorageMode, assistantId: string | null): Set<string> {
    const key = `${mode} ${assistantId ?? ''}`
    const names = this.names.get(key) ?? new Set()
    this.names.set(key, names)
    return names
  }
}

/** The cloud's channels; none where the network fails and the import goes to this device. */
async function cloudList(target: StorageMode): Promise<Channel[]> {
  if (storedSession() === undefined) {
    if (target === 'cloud') throw new AppError('transfer.no-user')
    return []
  }
  try {
    return await cloudChannels.list()
  } catch (error) {
    if (target === 'cloud') throw error
    return []
  }
}
