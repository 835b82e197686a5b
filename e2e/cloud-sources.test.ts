// The sources of both homes behave alike: the suite that runs against the vault of a device runs here against the
// server, over the network that a browser has.
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { Source } from '@parley/contract/sources'
import { describe, expect, it, vi } from 'vitest'
import { aFile, describeSourceStore } from '../apps/web/src/data/sources/source-store-suite'
import { aChannel, theWeb } from './both-homes'
import { aCloud, address, useCloudSources } from './cloud-sources-setup'

useCloudSources()

describeSourceStore('the cloud', aCloud)

it('ends the reading of a source that is cancelled, and reads it when it is tried again', async () => {
  const { store, channelId } = await aCloud()
  const { source } = await store.addFile(channelId, aFile())
  await store.cancel(source)
  const [now] = await store.list(channelId)
  // Such a small one may have been read before.
  if (now?.status === 'failed') {
    expect(now.reason).toBe('source.cancelled')
    await store.retry(source)
  }
  await store.whenRead(channelId)
  expect(await store.list(channelId)).toMatchObject([{ status: 'processed' }])
})

describe.each(['the cloud', 'the device'])('a website of a channel of %s', (home) => {
  const aHome = async () => {
    if (home === 'the cloud') return aCloud()
    const { sourcesOf } = await import('../apps/web/src/data/channels/channel-sources')
    const channel = await aChannel()
    const store = await sourcesOf(channel.id)
    return { store, channel, channelId: channel.id }
  }
  const whenEnded = (store: Awaited<ReturnType<typeof aHome>>['store'], channelId: string): Promise<Source> =>
    vi.waitFor(
      async () => {
        const [source] = await store.list(channelId)
        if (!source || !['processed', 'failed'].includes(source.status)) throw new Error(`${source?.status}`)
        return source
      },
      { timeout: 30_000 },
    )

  it('is read, named by its title, and one source however often it is added [ST-136, ST-137]', async () => {
    const { store, channelId } = await aHome()
    const { source, isKnown } = await store.addLink(channelId, address('/rents'))
    expect([isKnown, source.type]).toEqual([false, 'website'])
    expect(await store.addLink(channelId, address('/rents#top'))).toMatchObject({
      isKnown: true,
      source: { id: source.id },
    })
    const read = await whenEnded(store, channelId)
    expect(read).toMatchObject({ name: 'Rents', url: address('/rents'), mediaType: 'text/html', status: 'processed' })
    expect(Date.parse(read.fetchedAt ?? '')).toBeGreaterThan(Date.parse('2026-01-01'))
    expect(read.characters).toBeGreaterThan(30)
    expect((await store.document(source)).blocks).toMatchObject([{ kind: 'heading', text: 'Rents of 2026' }, {}])
    await expect(store.file(source)).rejects.toMatchObject({ code: 'source.not-found' })
  })

  it('says why it could not be read, is tried again, and is refused where it is none', async () => {
    const { store, channelId } = await aHome()
    const { source } = await store.addLink(channelId, address('/gone'))
    expect(await whenEnded(store, channelId)).toMatchObject({ status: 'failed', reason: 'source.url-status' })
    await store.retry(source)
    expect(await whenEnded(store, channelId)).toMatchObject({ status: 'failed', reason: 'source.url-status' })
    for (const url of ['ftp://example.org/', 'https://ana:secret@example.org/', 'rents'])
      await expect(store.addLink(channelId, url)).rejects.toMatchObject({ code: 'source.url-invalid' })
    expect(await store.list(channelId)).toHaveLength(1)
  })
})

it('asks for the addresses of a channel up to six times, after 4 s and twice as long each time, and then only logs a warning [ST-142, ST-143]', async () => {
  expect(limits.sources).toMatchObject({ urlPolls: 6, urlPollMs: 4_000 })
  const { store, channelId } = await aCloud()
  const { fetch } = globalThis
  const asked: string[] = []
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    // As if it were never read.
    globalThis.fetch = (async (path: string, init?: RequestInit) => {
      const isOfLink = /\/urls$|job\/status/.test(path)
      if (isOfLink) asked.push(path)
      if (path.endsWith('/urls')) return Response.json([])
      if (isOfLink) return Response.json({}, { status: 503 })
      return fetch(path, init)
    }) as typeof globalThis.fetch
    const { source } = await store.addLink(channelId, address('/rents'))
    // Other tests' links may still be followed.
    const own = () => asked.filter((path) => path.includes(channelId) || path.includes(source.id))
    const urls = () => own().filter((path) => path.endsWith('/urls')).length
    for (let round = 0; round < 6; round++) {
      await vi.advanceTimersByTimeAsync(4_000 * 2 ** round - 1)
      expect(urls()).toBe(round)
      await vi.advanceTimersByTimeAsync(1)
      await settled(() => own().length === (round + 1) * 2)
    }
    await settled(() => warn.mock.calls.length > 0)
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(urls()).toBe(6)
  } finally {
    vi.useRealTimers()
    globalThis.fetch = fetch
    warn.mockRestore()
  }
})

/** Resolves when it is so; no timer passes meanwhile. */
async function settled(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

describe('the sources of a draft', () => {
  const aDraft = async () => {
    const { sourcesOf, ...sources } = await import('../apps/web/src/data/channels/channel-sources')
    const { sourcesOfDraft } = await import('../apps/web/src/data/channels/use-sources')
    const { cloudChannels } = await theWeb()
    const draftId = sourcesOfDraft(false)
    const draft = await sourcesOf(draftId)
    for (const source of await draft.list(draftId)) await draft.remove(source)
    const lease = await draft.addFile(draftId, aFile())
    const notes = await draft.addFile(draftId, aFile('notes.txt', 'Call the plumber.'))
    await draft.addLink(draftId, address('/rents'))
    await vi.waitFor(
      async () => expect((await draft.list(draftId)).map(({ status }) => status)).toEqual(Array(3).fill('processed')),
      30_000,
    )
    await draft.saveSwitches(draftId, [{ id: notes.source.id, isActive: false }])
    const names = async (store: typeof draft, id: string) =>
      (await store.list(id)).map(({ name, status, isActive }) => `${name} ${status} ${isActive}`).sort()
    return { ...sources, draft, draftId, lease, cloudChannels, sourcesOf, names }
  }
  const all = ['Rents processed true', 'lease.txt processed true', 'notes.txt processed false']

  it('are in the cloud, read, before the first question of its chat; and in the draft again where there was none', async () => {
    const { draft, draftId, cloudChannels, sourcesOf, names, takeDraftSources, returnDraftSources } = await aDraft()
    const channel = await cloudChannels.create({ assistantId: null })
    await takeDraftSources(channel)
    expect(await names(await sourcesOf(channel.id), channel.id)).toEqual(all)
    expect(await names(draft, draftId)).toEqual([])
    await returnDraftSources(channel)
    await cloudChannels.remove(channel.id)
    await vi.waitFor(async () =>
      expect((await names(draft, draftId)).map((name) => name.split(' ')[1])).toEqual(Array(3).fill('processed')),
    )
  })

  it('stay in the draft where the network is away', async () => {
    const { draft, draftId, cloudChannels, names, takeDraftSources } = await aDraft()
    const channel = await cloudChannels.create({ assistantId: null })
    Object.assign(webLimits.sources, { uploadRetries: 0 })
    const { fetch } = globalThis
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(takeDraftSources(channel)).rejects.toMatchObject({ code: 'network' })
    globalThis.fetch = fetch
    Object.assign(webLimits.sources, { uploadRetries: 10 })
    expect(await names(draft, draftId)).toEqual(all)
  })
})

it('asks the home that a channel has now', async () => {
  const { sourcesOf } = await import('../apps/web/src/data/channels/channel-sources')
  const { moveToCloud, moveToDevice } = await theWeb()
  const channel = await aChannel()
  const here = await sourcesOf(channel.id)
  const inCloud = await moveToCloud(channel)
  const there = await sourcesOf(inCloud.id)
  expect(there).not.toBe(here)
  const back = await moveToDevice(inCloud)
  expect(await sourcesOf(back.id)).toBe(here)
})
