import type { StorageMode } from '@parley/contract/channels'
import { cloudChannels, modeOf } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { whenAllowed } from '../channels/when-allowed'
import type { GoodFile, ImportChoice } from './import-data'
import { ImportHomes } from './import-homes'

/** What an import would do to a home. `messagesLost`: they are here, and not in the chat of the file that takes their place. */
export type HomePreview = {
  home: StorageMode
  chatsAdded: number
  chatsReplaced: number
  messagesAdded: number
  messagesReplaced: number
  messagesLost: number
}

export type Preview = (choice: ImportChoice) => HomePreview[]

/** What is here: the ids of a chat on this device, their number in the cloud. */
type Known = { home: StorageMode; isLocked: boolean; ids: ReadonlySet<string> | undefined; count: number }

/** Looks at what the file's chats would meet, and tells for each choice what it would do. Of the cloud it counts with numbers alone: at least so many are lost. */
export async function openPreview(good: GoodFile, signal: AbortSignal): Promise<Preview> {
  const homes = await ImportHomes.open('local', signal)
  const known = new Map<string, Known>()
  for (const channelId of new Set([...good.channels.keys(), ...good.chats.keys()])) {
    signal.throwIfAborted()
    const there = homes.find(channelId)
    if (!there) continue
    const home = modeOf(there)
    const ids = home === 'local' ? await localChannels.messageIds(there.id) : undefined
    const count = ids?.size ?? (await whenAllowed(() => cloudChannels.messages(there.id, { limit: 1 }), signal)).total
    known.set(channelId, { home, isLocked: there.isLocked, ids, count })
  }
  return (choice) => preview(good, choice, known)
}

function preview(good: GoodFile, { types, strategy, target }: ImportChoice, known: ReadonlyMap<string, Known>): HomePreview[] {
  const empty = (home: StorageMode): HomePreview => ({ home, chatsAdded: 0, chatsReplaced: 0, messagesAdded: 0, messagesReplaced: 0, messagesLost: 0 })
  const homes = { local: empty('local'), cloud: empty('cloud') }
  const [hasChannels, hasChats] = [types.includes('channels'), types.includes('chats')]
  for (const channelId of new Set([...(hasChannels ? good.channels.keys() : []), ...(hasChats ? good.chats.keys() : [])])) {
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
  return Object.values(homes).filter(({ chatsAdded, chatsReplaced, messagesAdded }) => chatsAdded + chatsReplaced + messagesAdded > 0)
}
