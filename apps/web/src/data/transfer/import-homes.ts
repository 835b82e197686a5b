import { type Channel, freeName, type StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { allInCloud, fillCloud, RefusedMessageError } from '../channels/fill-cloud'
import { cloudChannels, modeOf } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { whenAllowed } from '../channels/when-allowed'
import { storedSession } from '../session/stored-session'
import { keepForUndo } from './undo-import'
import { beginImport, endImport } from './unfinished-imports'

/** What an import does to a home. Each call leaves whole channels behind, whatever interrupts the import between two of them. */
type Home = {
  create(channel: Channel, messages: readonly Message[]): Promise<Channel>
  /** Without messages those that are there stay. */
  replace(channel: Channel, messages: readonly Message[] | undefined): Promise<void>
  /** Answers how many were new. */
  add(channelId: string, messages: readonly Message[]): Promise<number>
}

const device: Home = {
  async create(channel, messages) {
    const made = ofThisDevice(channel)
    await localChannels.importChannel(made, messages)
    return made
  },
  async replace(channel, messages) {
    const made = ofThisDevice(channel)
    if (messages) await localChannels.importChannel(made, messages, { isReplacing: true })
    else await localChannels.rename(channel.id, channel.channelName)
  },
  add: (channelId, messages) => localChannels.addMessages(channelId, messages),
}

const cloud = (signal: AbortSignal): Home => {
  const patiently = <T>(call: () => Promise<T>): Promise<T> => whenAllowed(call, signal)
  const fill = (channelId: string, messages: readonly Message[]): Promise<void> => fillCloud(channelId, messages, { signal })
  const count = async (channelId: string): Promise<number> => (await patiently(() => cloudChannels.messages(channelId, { limit: 1 }))).total
  return {
    async create({ id, assistantId, channelName, isDocument, isImage, isYoutube, created_at, updated_at }, messages) {
      beginImport(id)
      const wanted = { id, assistantId, channelName, isDocument, isImage, isYoutube, created_at, updated_at }
      const made = await patiently(() => cloudChannels.create(wanted))
      try {
        await fill(made.id, messages)
      } catch (error) {
        // Half of a channel that the cloud will never take whole is nothing to leave there.
        if (error instanceof RefusedMessageError) await patiently(() => cloudChannels.remove(made.id))
        throw error
      }
      endImport(id)
      return made
    },
    async replace({ id, channelName }, messages) {
      await patiently(() => cloudChannels.rename(id, channelName))
      if (!messages) return
      beginImport(id)
      await patiently(() => cloudChannels.clear(id))
      await fill(id, messages)
      endImport(id)
    },
    async add(channelId, messages) {
      if (messages.length === 0) return 0
      const before = await count(channelId)
      await fill(channelId, messages)
      endImport(channelId)
      return (await count(channelId)) - before
    },
  }
}

/** Whoever's it was, it is the current person's now. */
function ofThisDevice(channel: Channel): Channel {
  return { ...channel, userId: storedSession()?.user.id ?? null, isLocalChannel: true, source: 'indexeddb' }
}

/** The channels that are there already, of both homes, and the names that are taken. What is there is changed where it is; what is new goes to the target. */
export class ImportHomes {
  private readonly known = new Map<string, Channel>()
  private readonly names = new Map<string, Set<string>>()

  private readonly homes: Record<StorageMode, Home>
  /** By it the copies of one import are known. */
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
    // The copy on this device wins.
    for (const channel of [...(await cloudList(target)), ...(await localChannels.list())]) homes.learn(channel)
    return homes
  }

  find(channelId: string): Channel | undefined {
    return this.known.get(channelId)
  }

  async create(channel: Channel, messages: readonly Message[]): Promise<void> {
    const named = { ...channel, channelName: freeName(channel.channelName, [...this.namesOf(this.target, channel.assistantId)]) }
    const made = await this.homes[this.target].create(named, messages)
    // The cloud may give it another id: the one of the file then stands for it.
    this.known.set(channel.id, made)
    this.learn(made)
  }

  /** What stays of the one that is there: its id, its home, and its place among the others. A copy of it is kept first. */
  async replace(there: Channel, channel: Channel, messages: readonly Message[] | undefined): Promise<void> {
    const mode = modeOf(there)
    await keepForUndo(await this.wholeOf(there), this.at)
    this.undoable++
    const others = [...this.namesOf(mode, channel.assistantId)].filter((name) => name !== there.channelName.toLowerCase())
    const renewed = { ...channel, id: there.id, channelName: freeName(channel.channelName, others) }
    await this.homes[mode].replace(renewed, messages)
    this.namesOf(mode, there.assistantId).delete(there.channelName.toLowerCase())
    this.learn({ ...renewed, source: there.source })
  }

  add(there: Channel, messages: readonly Message[]): Promise<number> {
    return this.homes[modeOf(there)].add(there.id, messages)
  }

  /** Throws storage.unreadable and storage.newer-version. */
  private async wholeOf(channel: Channel): Promise<{ channel: Channel; messages: Message[] }> {
    if (modeOf(channel) === 'cloud') return { channel, messages: await allInCloud(channel.id, { signal: this.signal }) }
    const whole = await localChannels.readWhole(channel.id)
    if (!whole) throw new AppError('channel.not-found')
    return { channel: whole.channel, messages: whole.messages }
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

/** Without a network an import to this device works as well. */
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
