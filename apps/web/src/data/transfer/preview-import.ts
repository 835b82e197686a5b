import type { Channel, StorageMode } from '@parley/contract/channels'
import type { Source } from '@parley/contract/sources'
import { sourcesInCloud } from '../channels/cloud-source-copies'
import { cloudChannels, modeOf } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { retryWhenRateLimited } from '../channels/rate-limit-retry'
import { orStorageError } from '../local/storage-error'
import { listSources } from '../sources/device-sources'
import { contentOf } from '../sources/source-copies'
import { openDevice } from '../vault/open-device'
import { ImportHomes } from './import-homes'
import type { ImportChoice, ImportFile } from './import-writer'

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
  /** Sources: files, websites and videos. */
  filesAdded: number
}

export type Preview = (choice: ImportChoice) => HomePreview[]

/** An existing chat: its message ids on this device, or only their number in the cloud. */
type ExistingChat = {
  home: StorageMode
  isLocked: boolean
  ids: ReadonlySet<string> | undefined
  count: number
  /** What its sources consist of. */
  contents: ReadonlySet<string>
}

/**
 * Reads the existing chats that the file's chats would affect, and answers a function that previews each choice. For
 * the cloud it compares numbers only: at least that many messages are lost.
 */
export async function openPreview(good: ImportFile, signal: AbortSignal): Promise<Preview> {
  const homes = await ImportHomes.open('local', signal)
  const known = new Map<string, ExistingChat>()
  for (const channelId of new Set([...good.channels.keys(), ...good.chats.keys(), ...good.sources.keys()])) {
    signal.throwIfAborted()
    const there = homes.find(channelId)
    if (!there) continue
    const home = modeOf(there)
    const ids = home === 'local' ? await localChannels.messageIds(there.id) : undefined
    const count =
      ids?.size ?? (await retryWhenRateLimited(() => cloudChannels.messages(there.id, { limit: 1 }), signal)).total
    const contents = new Set(good.sources.has(channelId) ? (await sourcesIn(there, signal)).map(contentOf) : [])
    known.set(channelId, { home, isLocked: there.isLocked, ids, count, contents })
  }
  return (choice) => preview(good, choice, known)
}

async function sourcesIn(channel: Channel, signal: AbortSignal): Promise<Source[]> {
  if (modeOf(channel) === 'cloud') return sourcesInCloud(channel.id, signal)
  return orStorageError(async () => listSources(await openDevice(), channel.id))
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
    filesAdded: 0,
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
  for (const [channelId, sources] of types.includes('documents') ? good.sources : []) {
    const there = known.get(channelId)
    const isLeft = there ? strategy === 'skip' : !hasChannels || !good.channels.has(channelId)
    if (isLeft) continue
    const contents = new Set(sources.map(contentOf).filter((content) => !there?.contents.has(content)))
    homes[there?.home ?? target].filesAdded += contents.size
  }
  return Object.values(homes).filter(
    ({ chatsAdded, chatsReplaced, messagesAdded, filesAdded }) =>
      chatsAdded + chatsReplaced + messagesAdded + filesAdded > 0,
  )
}
