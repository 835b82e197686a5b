// Temporary chats: in the memory of this tab alone, and gone with it.
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { announceHere } from '../local/changes'
import type { MemoryDevice } from '../local/memory-device'
import { scoped } from '../scope/scope'
import { storedSession } from '../session/stored-session'
import { isLockingPage } from '../vault/vault-state'
import type { NewChannel, Owner, Version } from './channel-store'
import { assertOwner } from './chat-keys'
import { LocalChannelStore } from './local-channel-store'

/** The id of the text that is typed for a temporary chat that has not begun. */
export const temporaryDraftId = 'new-temporary'

/** `userId`: whose it is; a person who signs in takes along what they began before. */
type Temporary = { device: MemoryDevice; store: LocalChannelStore; userId: string | undefined }

type TemporaryChats = {
  current: Temporary | undefined
  opening: Promise<Temporary> | undefined
  /**
   * The channels that were begun here and not kept, also those that are gone: what is typed or queued for one of them a
   * moment too late must not be stored either.
   */
  ids: Set<string>
}

const chats = scoped(
  (): TemporaryChats => ({ current: undefined, opening: undefined, ids: new Set([temporaryDraftId]) }),
  {
    carry: ({ current, opening, ids }, { userId }) => {
      if (userId !== undefined && current && current.userId === undefined)
        return { current: Object.assign(current, { userId }), opening, ids }
      stopWarning(current)
      // What is late for one of them must find no place in the next person's vault.
      return { current: undefined, opening: undefined, ids }
    },
  },
)

/** Whether a channel, or the draft with this id, is of this tab alone. */
export const isTemporary = (id: string): boolean => chats().ids.has(id)

/** Its chat is in the vault now. */
export const markKept = (channelId: string): boolean => chats().ids.delete(channelId)

/** The store of a temporary chat; undefined for any other channel. */
export function temporaryStoreOf(channelId: string): LocalChannelStore | undefined {
  const { current } = chats()
  return current?.device.holds(channelId) ? current.store : undefined
}

export const listTemporary = async (): Promise<Channel[]> => (await chats().current?.store.list()) ?? []

/** Whether the end of this tab would lose something that was said. */
export const hasTemporaryMessages = (): boolean => chats().current?.device.hasMessages() ?? false

/** What is in the memory of this tab; undefined where no temporary chat was begun. */
export const temporaryDevice = (): MemoryDevice | undefined => chats().current?.device

/** The home of temporary chats, made with the first one. */
export async function openTemporary(): Promise<Temporary> {
  const own = chats()
  own.opening ??= open()
  const mine = own.opening
  try {
    return await mine
  } catch (error) {
    if (own.opening === mine) own.opening = undefined
    throw error
  }
}

async function open(): Promise<Temporary> {
  const userId = storedSession()?.user.id
  // Loaded here: few visits need it.
  const { openMemoryDevice } = await import('../local/memory-device')
  const device = await openMemoryDevice()
  const made = { device, store: new TemporaryChannelStore({ open: async () => device, isOfTab: true }), userId }
  // Another person has signed in meanwhile.
  if (storedSession()?.user.id !== userId) return openTemporary()
  chats().current = made
  addEventListener('beforeunload', warnBeforeUnload)
  return made
}

/** Removes what the person deletes with all chats of this device. */
export const removeTemporary = async (): Promise<{ deleted: number }> =>
  (await chats().current?.store.removeAll()) ?? { deleted: 0 }

/** Drops every temporary chat, as the end of the tab does. */
export function dropTemporary(): void {
  const own = chats()
  own.opening = undefined
  const { current } = own
  own.current = undefined
  stopWarning(current)
}

function stopWarning(dropped: Temporary | undefined): void {
  if (!dropped) return
  removeEventListener('beforeunload', warnBeforeUnload)
  announceHere({ kind: 'channels', home: 'local' })
}

/** The browser asks whether to leave. */
function warnBeforeUnload(event: BeforeUnloadEvent): void {
  if (hasTemporaryMessages() && !isLockingPage()) event.preventDefault()
}

/** Its records belong to nobody: whose they are is known here, and may be somebody who signs in later. */
class TemporaryChannelStore extends LocalChannelStore {
  override async create(request: NewChannel): Promise<Channel> {
    return noted(await super.create(request))
  }

  override async branch(channelId: string, version: Version): Promise<Channel> {
    return noted(await super.branch(channelId, version))
  }

  override async put(message: Message, of?: Owner, options?: { isAnswer?: boolean }): Promise<void> {
    assertOwner(of, storedSession()?.user.id)
    return super.put(message, undefined, options)
  }

  override async removeMessage(channelId: string, mId: string, of?: Owner): Promise<void> {
    assertOwner(of, storedSession()?.user.id)
    return super.removeMessage(channelId, mId)
  }
}

function noted(channel: Channel): Channel {
  chats().ids.add(channel.id)
  return channel
}
