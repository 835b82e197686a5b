import 'fake-indexeddb/auto'
import { inflateRawSync } from 'node:zlib'
import { limits } from '@parley/contract/limits/shared'
import { SentSources } from '@parley/contract/sent-sources'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { startInPageReader } from '../../testing/in-page-reader'
import { LocalChannelStore } from '../channels/local-channel-store'
import { announce } from '../local/changes'
import { type Device, openAnonymousDevice } from '../local/device'
import { openMemoryDevice } from '../local/memory-device'
import { documentId } from '../local/source-keys'
import type { StoredSource } from '../local/source-records'
import { DeviceSourceStore } from './device-source-store'
import { changeSources, storedSource, writePart } from './device-sources'
import type { SourceRef } from './source-store'
import { aFile, describeSourceStore } from './source-store-suite'

async function makeHome(device: Device, isOfTab = false) {
  const open = async (): Promise<Device> => device
  const channels = new LocalChannelStore({ open, isOfTab })
  const [channel, other] = [await channels.create({ assistantId: null }), await channels.create({ assistantId: null })]
  const makeStore = (): DeviceSourceStore => new DeviceSourceStore({ open, isOfTab, startReader: startInPageReader })
  const ids = { channelId: channel.id, otherChannelId: other.id }
  return { device, open, channels, makeStore, store: makeStore(), ...ids }
}

const makeDeviceHome = async () => makeHome(await openAnonymousDevice())

describeSourceStore('the vault of this device', makeDeviceHome)
describeSourceStore('the memory of this tab', async () => makeHome(await openMemoryDevice(), true))

const isRead = async (store: DeviceSourceStore, channelId: string): Promise<void> =>
  vi.waitFor(async () => expect((await store.list(channelId)).map(({ status }) => status)).toEqual(['processed']), {
    timeout: 30_000,
  })

/** Left by a tab that was closed in the middle. */
const leave = async (home: Awaited<ReturnType<typeof makeHome>>, change: (stored: StoredSource) => StoredSource) => {
  const { source } = await home.store.addFile(home.channelId, aFile())
  await isRead(home.store, home.channelId)
  await changeSources(home.open, [source], change)
  return source
}

it('reads a source again that a closed tab was reading', async () => {
  const home = await makeDeviceHome()
  const source = await leave(home, ({ text: _text, ...stored }) => ({
    ...stored,
    source: { ...stored.source, status: 'processing' },
  }))
  const store = home.makeStore()
  await isRead(store, home.channelId)
  expect((await store.document(source)).blocks).toHaveLength(2)
})

it('leaves nothing of a reading that a closed tab had not ended', async () => {
  const home = await makeDeviceHome()
  const before = await home.device.db.count('files')
  const source = await leave(home, ({ text: _text, passages: _passages, ...stored }) => ({
    ...stored,
    source: { ...stored.source, status: 'processing' },
  }))
  const stored = await storedSource(home.device, source)
  for (const part of ['text-of-before', 'passages-of-before']) await writePart(home.open, stored, part, aFile())
  await isRead(home.makeStore(), home.channelId)
  // Its file, its text and its passages.
  expect(await home.device.db.count('files')).toBe(before + 3)
})

it('says of a source that a closed tab had not stored whole that it has to be added again, and then reads it', async () => {
  const home = await makeDeviceHome()
  await leave(home, ({ text: _text, file: _file, ...stored }) => ({
    ...stored,
    source: { ...stored.source, status: 'queued' },
  }))
  const store = home.makeStore()
  await vi.waitFor(
    async () =>
      expect(await store.list(home.channelId)).toMatchObject([{ status: 'failed', reason: 'source.upload-damaged' }]),
    { timeout: 30_000 },
  )
  expect(await store.addFile(home.channelId, aFile())).toMatchObject({ isKnown: false })
  await isRead(store, home.channelId)
  expect(await store.addFile(home.channelId, aFile())).toMatchObject({ isKnown: true })
})

it('leaves nothing of a source that is removed, nor of those of a channel that is deleted', async () => {
  const { device, store, channels, channelId } = await makeDeviceHome()
  const before = await device.db.count('files')
  const { source } = await store.addFile(channelId, aFile())
  await store.addFile(channelId, aFile('other.txt', 'Another one.'))
  await vi.waitFor(async () =>
    expect((await store.list(channelId)).every((each) => each.status === 'processed')).toBe(true),
  )
  expect(await device.db.count('files')).toBe(before + 6)
  await store.remove(source)
  expect(await device.db.count('files')).toBe(before + 3)
  await channels.remove(channelId)
  expect(await device.db.count('files')).toBe(before)
  expect(await store.list(channelId)).toEqual([])
})

it('never writes over a source of a later version, shows it as such, and lets it be removed', async () => {
  const { device, store, channelId } = await makeDeviceHome()
  const { source } = await store.addFile(channelId, aFile())
  await isRead(store, channelId)
  const id = documentId(source)
  const record = await device.db.get('documents', id)
  if (!record) throw new Error('no record')
  const later = { ...record, v: record.v + 1 }
  await device.db.put('documents', later)
  expect(await store.list(channelId)).toMatchObject([
    { id: source.id, status: 'failed', reason: 'storage.newer-version', isActive: false },
  ])
  for (const change of [
    store.cancel(source),
    store.retry(source),
    store.saveSwitches(channelId, [{ id: source.id, isActive: true }]),
  ])
    await expect(change).rejects.toMatchObject({ code: 'storage.newer-version' })
  expect(await device.db.get('documents', id)).toEqual(later)
  await store.remove(source)
  expect(await store.list(channelId)).toEqual([])
})

it('stops reading a source that is cancelled in another tab, and reads it when it is tried again', async () => {
  const home = await makeDeviceHome()
  const held: (() => void)[] = []
  const store = new DeviceSourceStore({
    open: home.open,
    startReader: () => {
      const worker = startInPageReader()
      const post = worker.postMessage.bind(worker)
      worker.postMessage = (message: { kind: string }) => {
        if (message.kind === 'read') held.push(() => post(message))
        else post(message)
      }
      return worker
    },
  })
  const { source } = await store.addFile(home.channelId, aFile())
  await vi.waitFor(() => expect(held).toHaveLength(1))
  const otherTab = home.makeStore()
  await changeSources(home.open, [source], (stored) => ({
    ...stored,
    source: { ...stored.source, status: 'failed', reason: 'source.cancelled' },
  }))
  announce({ kind: 'sources', channelId: home.channelId })
  // The other tab can read it only when this one has stopped.
  await otherTab.retry(source)
  await isRead(otherTab, home.channelId)
  held.forEach((go) => void go())
  expect((await storedSource(home.device, source)).source.status).toBe('processed')
})

it('leaves nothing of a reading that is cancelled while its text is written', async () => {
  const home = await makeDeviceHome()
  const before = await home.device.db.count('files')
  let ref: SourceRef | undefined
  const store = new DeviceSourceStore({
    // The vault is opened for each part that is written: the second time there is a text, and there are no passages.
    open: async () => {
      if (ref && (await home.device.db.count('files')) > before + 1)
        await changeSources(home.open, [ref], ({ source, ...stored }) => ({
          ...stored,
          source: { ...source, status: 'failed', reason: 'source.cancelled' },
        }))
      return home.device
    },
    startReader: startInPageReader,
  })
  ref = (await store.addFile(home.channelId, aFile())).source
  await store.whenRead(home.channelId)
  expect(await home.store.list(home.channelId)).toMatchObject([{ status: 'failed', reason: 'source.cancelled' }])
  // Its file alone.
  await vi.waitFor(async () => expect(await home.device.db.count('files')).toBe(before + 1))
})

it('takes no more sources than a channel may have', async () => {
  const { store, channelId } = await makeDeviceHome()
  for (let n = 0; n < limits.sources.maxPerChannel; n++)
    await store.addFile(channelId, aFile(`${n}.txt`, `Number ${n}.`))
  await expect(store.addFile(channelId, aFile())).rejects.toMatchObject({ code: 'source.too-many' })
  expect(await store.list(channelId)).toHaveLength(limits.sources.maxPerChannel)
})

describe('what goes along with a question', () => {
  const inflatedOf = async (compressed: string): Promise<SentSources> =>
    z.parse(SentSources, JSON.parse(inflateRawSync(Buffer.from(compressed, 'base64')).toString()))
  const added = async (...files: File[]) => {
    const home = await makeDeviceHome()
    for (const file of files) await home.store.addFile(home.channelId, file)
    await home.store.whenRead(home.channelId)
    return home
  }

  it('is everything where it has room, numbered from 1', async () => {
    const { store, channelId } = await added(aFile(), aFile('notes.txt', 'Call the plumber.'))
    const chosen = await store.choose(channelId, { question: 'What is the rent?', roomTokens: 10_000 })
    if (!chosen) throw new Error('nothing chosen')
    expect(chosen.sent).toMatchObject([
      { name: 'lease.txt', reading: 'whole', of: 1, passages: [{ n: 1, text: expect.stringContaining('900') }] },
      { name: 'notes.txt', reading: 'whole', of: 1, passages: [{ n: 2, text: 'Call the plumber.' }] },
    ])
    expect(await inflatedOf(chosen.compressed)).toEqual({ v: 1, sources: chosen.sent })
  })

  it('is the best passages where it has not, and never more than a question may carry', async () => {
    const words = Array.from({ length: 60_000 }, (_, n) => `w${((n * 2_654_435_761) % 4_294_967_296).toString(36)}`)
    const paragraphs = Array.from({ length: 600 }, (_, n) => `ficus ${words.slice(n * 100, n * 100 + 100).join(' ')}`)
    paragraphs[311] = 'The ficus is watered on Thursdays.'
    const { store, channelId } = await added(aFile('long.txt', paragraphs.join('\n\n')))
    const asked = { question: 'When is the ficus watered?', roomTokens: 100_000 }
    const chosen = await store.choose(channelId, asked)
    if (!chosen) throw new Error('nothing chosen')
    const [long] = chosen.sent
    expect(chosen.compressed.length).toBeLessThanOrEqual(limits.sources.maxCompressedBytes)
    expect(long?.reading).toBe('passages')
    expect(long?.passages.length).toBeLessThan(long?.of ?? 0)
    expect(long?.passages.some(({ text }) => text.includes('Thursdays'))).toBe(true)
    const small = await store.choose(channelId, { ...asked, roomTokens: 500 })
    expect(JSON.stringify(small?.sent)).toContain('Thursdays')
    expect(small?.sent[0]?.passages.length).toBeLessThan(5)
  })

  it('is nothing of what is switched off, is not read, or was never added', async () => {
    const { store, channelId, otherChannelId } = await added(aFile(), aFile('film.txt', '\u0000\u0001'))
    const [lease] = await store.list(channelId)
    await store.saveSwitches(channelId, [{ id: lease?.id ?? '', isActive: false }])
    const asked = { question: 'What is the rent?', roomTokens: 10_000 }
    expect(await store.choose(channelId, asked)).toBeUndefined()
    expect(await store.choose(otherChannelId, asked)).toBeUndefined()
  })
})

it('lists sources in the order in which they were added, also while the clock is set back', async () => {
  const home = await makeDeviceHome()
  let calls = 0
  const now = () => new Date(1_700_000_000_000 - 1_000 * calls++)
  const store = new DeviceSourceStore({ open: home.open, startReader: startInPageReader, now })
  const names = Array.from({ length: 6 }, (_, index) => `${index}.txt`)
  for (const name of names) await store.addFile(home.channelId, aFile(name, `Of ${name}.`))
  expect((await store.list(home.channelId)).map(({ name }) => name)).toEqual(names)
})

it('gives the sources of a draft to the channel that begins with it, read or not, and back', async () => {
  const device = await openAnonymousDevice()
  const home = await makeHome(device)
  const store = new DeviceSourceStore({
    ...{ open: home.open, startReader: startInPageReader },
    hasChannel: (channelId) => channelId !== 'new',
  })
  const { source } = await store.addFile('new', aFile())
  await store.move('new', home.channelId)
  expect(await store.list('new')).toEqual([])
  await store.whenRead(home.channelId)
  expect(await store.list(home.channelId)).toMatchObject([{ id: source.id, status: 'processed' }])
  expect((await store.document({ ...source, channelId: home.channelId })).blocks).toHaveLength(2)
  await store.move(home.channelId, 'new')
  await home.channels.remove(home.channelId)
  expect((await store.document(source)).blocks).toHaveLength(2)
  await store.remove(source)
})
