// Sources on a device and in the cloud, as one browser has them.
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { Source } from '@parley/contract/sources'
import { uuidv7 } from '@parley/contract/uuid'
import { vi } from 'vitest'
import type { SourceCopy } from '../apps/web/src/data/sources/source-copies'
import { aChannel, theWeb } from './both-homes'

export async function theSources() {
  const { openDevice } = await import('../apps/web/src/data/vault/open-device')
  const { DeviceSourceStore } = await import('../apps/web/src/data/sources/device-source-store')
  const { copiesOnDevice, putOnDevice } = await import('../apps/web/src/data/sources/device-copies')
  const { ReaderWorkerPort } = await import('../apps/web/src/data/sources/reader-worker-port')
  const cloud = await import('../apps/web/src/data/channels/cloud-source-copies')
  const { startInPageReader } = await import('../apps/web/src/testing/in-page-reader')
  const store = new DeviceSourceStore({ open: openDevice, startReader: startInPageReader })
  const reader = new ReaderWorkerPort({ start: startInPageReader })
  return { ...cloud, copiesOnDevice, openDevice, putOnDevice, reader, store }
}

export const aFile = (name: string, content: string | Uint8Array<ArrayBuffer>): File =>
  new File([content], name, { type: 'text/plain' })

export async function whenRead(channelId: string): Promise<Source[]> {
  const { store } = await theSources()
  return vi.waitFor(
    async () => {
      const sources = await store.list(channelId)
      if (sources.some(({ status }) => status === 'queued' || status === 'processing')) throw new Error('being read')
      return sources
    },
    { timeout: 20_000, interval: 20 },
  )
}

const page = { blocks: [{ kind: 'paragraph' as const, text: 'Since then the page was changed.' }], notices: [] }

/** As one that was fetched for this device last year. */
export async function aWebsite(channelId: string): Promise<Source> {
  const { putOnDevice, openDevice, reader } = await theSources()
  const url = 'https://example.org/page'
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url))
  const source: Source = {
    ...{ id: uuidv7(), channelId, type: 'website', name: 'A page', url, mediaType: 'text/html', bytes: 32 },
    ...{ sha256: Buffer.from(digest).toString('hex'), status: 'processed', isActive: true, notices: [] },
    ...{ addedAt: '2025-05-01T10:00:00.000Z', fetchedAt: '2025-05-01T10:00:01.000Z' },
  }
  return (await putOnDevice({ open: openDevice, reader }, channelId, { source, text: async () => page })).source
}

/** A chat of this device with files of several kinds, and an answer that cites two of its sources. */
export async function aChatWithSources(): Promise<Channel> {
  const { localChannels } = await theWeb()
  const { store } = await theSources()
  const channel = await aChannel()
  const { id } = channel
  await store.addFile(id, aFile('lease.txt', 'The rent is 900 reais.\n\nThe tenant waters the ficus.'))
  await store.addFile(id, aFile('noise.txt', crypto.getRandomValues(new Uint8Array(5_000))))
  await store.addFile(id, aFile('off.md', '# Off\n\nNobody asks about this.'))
  await aWebsite(id)
  const sources = await whenRead(id)
  const idOf = (name: string): string => sources.find((each) => each.name === name)?.id ?? ''
  await store.saveSwitches(id, [{ id: idOf('off.md'), isActive: false }])
  await localChannels.put(citing(id, [idOf('lease.txt'), idOf('A page')]))
  return channel
}

export function citing(channelId: string, fileIds: readonly string[]): Message {
  const at = new Date().toISOString()
  return {
    ...{ mId: uuidv7(), channelId, chat_request: 'What is the rent?', status: 'completed', datetime: at },
    chat_response: { role: 'assistant', content: 'It is 900 [1], as the page says [2].' },
    files: fileIds.map((fileId) => ({
      ...{ type: 'file', fileId, name: 'lease.txt', mediaType: 'text/plain', bytes: 1, reading: 'whole' },
    })),
    sources: fileIds.map((fileId, index) => ({
      ...{ type: 'source', n: index + 1, title: 'A source', fileId, passage: 'The rent is 900 reais.' },
    })),
  }
}

/** The ids of sources that the answers of a chat cite. */
export async function cited(channelId: string): Promise<string[]> {
  const { cloudChannels, localChannels } = await theWeb()
  const home = (await localChannels.get(channelId)) ? localChannels : cloudChannels
  const { messages } = await home.messages(channelId)
  return messages.flatMap(({ files = [], sources = [] }) =>
    [...files, ...sources].flatMap(({ fileId }) => fileId ?? []),
  )
}

export type Held = Pick<Source, 'name' | 'type' | 'isActive' | 'addedAt' | 'fetchedAt' | 'sha256' | 'id'> & {
  content: string
}

/** What a home has of sources: what people see of them, and their bytes. */
export async function held(copies: readonly SourceCopy[]): Promise<Held[]> {
  const all = []
  for (const { source, file, text } of copies) {
    const { id, name, type, isActive, addedAt, fetchedAt, sha256 } = source
    const bytes = file
      ? Buffer.from(await (await file()).arrayBuffer()).toString('hex')
      : JSON.stringify(await text?.())
    all.push({ id, name, type, isActive, addedAt, ...(fetchedAt ? { fetchedAt } : {}), sha256, content: bytes })
  }
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export async function heldOnDevice(channelId: string): Promise<Held[]> {
  const { copiesOnDevice, openDevice } = await theSources()
  return held(await copiesOnDevice(await openDevice(), channelId))
}

/** What the cloud has, read or not. */
export const sent = async (channelId: string): Promise<Held[]> =>
  held(await (await theSources()).copiesInCloud(channelId))

/** Once the server has read what it can. */
export async function heldInCloud(channelId: string): Promise<Held[]> {
  const { sourcesInCloud } = await theSources()
  const areRead = async (): Promise<void> => {
    const sources = await sourcesInCloud(channelId)
    if (sources.some(({ status }) => status === 'queued' || status === 'processing')) throw new Error('being read')
  }
  await vi.waitFor(areRead, { timeout: 50_000, interval: 100 })
  return sent(channelId)
}

/** How much of sources is in the device's storage: their records, and pieces of files and texts. */
export async function recordsOnDevice(): Promise<number> {
  const { db } = await (await theSources()).openDevice()
  return (await db.count('documents')) + (await db.count('files'))
}
