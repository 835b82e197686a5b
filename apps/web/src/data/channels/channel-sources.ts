import type { Channel } from '@parley/contract/channels'
import type { Source } from '@parley/contract/sources'
import { CloudSourceStore } from '../sources/cloud-source-store'
import { DeviceSourceStore } from '../sources/device-source-store'
import { meaningOfServer } from '../sources/meaning'
import type { SourceRef, SourceStore } from '../sources/source-store'
import { openDevice } from '../vault/open-device'
import { cloudChannels, findHome } from './homes'
import { newChatDraftId } from './new-chat'
import { isTemporary, openTemporary } from './temporary-chats'

/** The sources of a chat that has not begun: they belong to its draft. */
const isDraft = (channelId: string): boolean =>
  [true, false].some((temporary) => newChatDraftId(temporary) === channelId)

const hasChannel = (channelId: string): boolean => !isDraft(channelId)

const deviceSources = new DeviceSourceStore({ open: openDevice, hasChannel, meaning: meaningOfServer })

const temporarySources = new DeviceSourceStore({
  open: async () => (await openTemporary()).device,
  isOfTab: true,
  hasChannel,
})

const cloudSources = new CloudSourceStore()

/**
 * Gives the sources of a draft to the chat that begins with it. A chat of the cloud has them when the server has read
 * them; only then they leave the draft.
 */
export async function takeDraftSources(channel: Channel): Promise<void> {
  const draft = draftOf(channel)
  if (channel.source === 'postgresql') return takeToCloud(draft, channel.id)
  await draft.store.move(draft.id, channel.id)
}

/** The chat has not begun after all, and is about to be removed. */
export async function returnDraftSources(channel: Channel): Promise<void> {
  const draft = draftOf(channel)
  if (channel.source === 'postgresql') return returnFromCloud(draft, channel.id)
  await draft.store.move(channel.id, draft.id)
}

type Draft = { id: string; store: DeviceSourceStore }

function draftOf({ source }: Channel): Draft {
  const isOfTab = source === 'memory'
  return { id: newChatDraftId(isOfTab), store: isOfTab ? temporarySources : deviceSources }
}

async function takeToCloud(draft: Draft, channelId: string): Promise<void> {
  // What cannot be read stays, and can be tried again.
  const sources = (await draft.store.list(draft.id)).filter(({ status }) => status !== 'failed')
  if (sources.length === 0) return
  const added = await Promise.all(
    sources.map(async (source) => ({
      source,
      to: await copyOf(source, { from: draft.store, to: cloudSources, channelId }),
    })),
  )
  await cloudSources.whenRead(channelId)
  const off = added.filter(({ source }) => !source.isActive).map(({ to }) => to.id)
  const read = (await cloudSources.list(channelId)).filter(
    ({ id, status }) => off.includes(id) && status === 'processed',
  )
  await cloudSources.saveSwitches(
    channelId,
    read.map(({ id }) => ({ id, isActive: false })),
  )
  for (const { source } of added) await draft.store.remove(source)
}

async function returnFromCloud(draft: Draft, channelId: string): Promise<void> {
  const known = new Set((await draft.store.list(draft.id)).map(({ sha256 }) => sha256))
  const sources = (await cloudSources.list(channelId)).filter(({ sha256 }) => !known.has(sha256))
  for (const source of sources) await copyOf(source, { from: cloudSources, to: draft.store, channelId: draft.id })
}

type Copy = { from: SourceStore; to: SourceStore; channelId: string }

async function copyOf(source: Source, { from, to, channelId }: Copy): Promise<Source> {
  if (source.url !== undefined) return (await to.addLink(channelId, source.url)).source
  const file = new File([await from.file(source)], source.name, { type: source.mediaType })
  return (await to.addFile(channelId, file)).source
}

/** The sources of a channel of this device. */
export const deviceSourcesOf = (channelId: string): DeviceSourceStore =>
  isTemporary(channelId) ? temporarySources : deviceSources

/**
 * The home of a channel's sources, as it is now: a channel that was moved has another one. Those of a draft are on this
 * device, whichever home its chat will have.
 */
export async function sourcesOf(channelId: string): Promise<SourceStore> {
  if (isTemporary(channelId)) return temporarySources
  if (isDraft(channelId)) return deviceSources
  return (await findHome(channelId)) === cloudChannels ? cloudSources : deviceSources
}

/** One source of a cloud channel as it is now; undefined where it is gone. */
export const readCloudSource = (ref: SourceRef): Promise<Source | undefined> => cloudSources.read(ref)
