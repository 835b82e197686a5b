import type { StorageMode } from '@parley/contract/channels'
import { cloudChannels, modeOf } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { retryWhenRateLimited } from '../channels/rate-limit-retry'
import type { ImportChoice, ImportFile } from './import-data'
import { ImportHomes } from './import-homes'

/**
 * The effect of an import on a home. `messagesLost`: existing messages that are not in the replacing chat of the file.
 */
export type HomePreview = {
  home: StorageMode
  chatsAdded: number
  chatsReplaced: number
  messagesAdded: number
  messagesReplaced: number
  messagesLost: number
}

export type Preview = (choice: ImportChoice) => HomePreview[]

/** An existing chat: its message ids on this device, or only their number in the cloud. */
type ExistingChat = { home: StorageMode; isLocked: boolean; ids: ReadonlySet<string> | undefined; count: number }

/**
 * Reads the existing chats that the file's chats would affect, and answers a function that previews each choice. For
 * the cloud it compares numbers only: at least that many messages are lost.
 */
export async function openPreview(good: ImportFile, signal: AbortSignal): Promise<Preview> {
  const homes = await ImportHomes.open('local', signal)
  const known = new Map<string, ExistingChat>()
  for (const channelId of new Set([...good.channels.keys(), ...good.chats.keys()])) {
    signal.throwIfAborted()
    const there = homes.find(channelId)
    if (!there) continue
    const home = modeOf(there)
    const ids = home === 'local' ? await localChannels.messageIds(there.id) : undefined
    const count =
      ids?.size ?? (await retryWhenRateLimited(() => cloudChannels.messages(there.id, { limit: 1 }), signal)).total
    known.set(channelId, { home, isLocked: there.isLocked, ids, count })
  }
  return (choice) => preview(good, choice, known)
}

function preview(
  good: ImportFile,
  { types, strategy, target }: ImportChoice,
  known: ReadonlyMap<string, ExistingChat>,
): HomePreview[] {
  const empty = (home: StorageMode): HomePreview => ({
    home,
    chatsAdded: 0,
    chatsReplaced: 0,
    messagesAdded: 0,
    messagesReplaced: 0,
    messagesLost: 0,
  })
  const homes = { local: empty('local'), cloud: empty('cloud') }
  const [hasChannels, hasChats] = [types.includes('channels'), types.includes('chats')]
  for (const channelId of new Set([
    ...(hasChannels ? good.channels.keys() : []),
    ...(hasChats ? good.chats.keys() : []),
  ])) {
    const there = known.get(channelId)
    const chat = hasChats ? good.chats.get(channelId) : undefined
    const count = chat?.ids.size ?? 0
    if (!there) {
      if (!hasChannels || !good.channels.has(channelId)) continue
      homes[target].chatsAdded++
      homes[target].messagesAdded += count
      continue
    }
    const home = homes[there.home]
    if (strategy === 'skip' || (strategy === 'overwrite' && there.isLocked) || !chat) continue
    const both = there.ids ? [...chat.ids].filter((id) => there.ids?.has(id)).length : Math.min(count, there.count)
    home.messagesAdded += count - both
    if (strategy === 'merge' || !chat.isWhole) continue
    home.chatsReplaced++
    home.messagesReplaced += both
    home.messagesLost += there.count - both
  }
  return Object.values(homes).filter(
    ({ chatsAdded, chatsReplaced, messagesAdded }) => chatsAdded + chatsReplaced + messagesAdded > 0,
  )
}
