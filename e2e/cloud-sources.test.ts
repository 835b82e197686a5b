// The sources of both homes behave alike: the suite that runs against the vault of a device runs here against the
// server, over the network that a browser has.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { Source } from '@parley/contract/sources'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { onChange } from '../apps/web/src/data/local/changes'
import { enterScope } from '../apps/web/src/data/scope/scope'
import { aFile, describeSourceStore } from '../apps/web/src/data/sources/source-store-suite'
import { InPageReader, startInPageReader } from '../apps/web/src/testing/in-page-reader'
import { aChannel, cut, theWeb, useBothHomes } from './both-homes'

const html =
  '<!doctype html><title>Rents</title><main><h1>Rents of 2026</h1><p>The index rose by four percent.</p></main>'
const site = createServer((request, response) => {
  if (request.url !== '/rents') return response.writeHead(404).end()
  return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
})
const address = (path: string): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`

useBothHomes(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return { FETCH_ALLOWED_HOSTS: new URL(address('/')).host }
})
beforeAll(() => {
  vi.stubGlobal('Worker', InPageReader)
  // Nobody has to wait here for a network that is back.
  Object.assign(webLimits.sources, { uploadRetryMs: 1 })
})
afterAll(() => site.close())

async function aCloud() {
  const { CloudSourceStore } = await import('../apps/web/src/data/sources/cloud-source-store')
  const { cloudChannels } = await theWeb()
  const [channel, other] = [
    await cloudChannels.create({ assistantId: null }),
    await cloudChannels.create({ assistantId: null }),
  ]
  const store = new CloudSourceStore({ startReader: startInPageReader })
  return { store, channel, channelId: channel.id, otherChannelId: other.id }
}

describeSourceStore('the cloud', aCloud)

/** More than one piece. */
const long = 'The rent is 900. '.repeat(60_000)

/** What the rows of a channel show while something happens. */
function watch(channelId: string): { shown: Source[]; end: () => void } {
  const shown: Source[] = []
  const end = onChange((change) => {
    if (change.kind === 'sources' && change.channelId === channelId && change.source) shown.push(change.source)
  })
  return { shown, end }
}

describe('an upload', () => {
  it('is posted, then the status of its job is asked for, and the list is read again [ST-144]', async () => {
    const { store, channelId } = await aCloud()
    const { fetch } = globalThis
    const calls: string[] = []
    globalThis.fetch = ((path: string, init?: RequestInit) => {
      calls.push(`${init?.method} ${path.replace(/[0-9a-f-]{36}/g, ':id')}`)
      return fetch(path, init)
    }) as typeof globalThis.fetch
    let isTold = false
    const end = onChange((change) => {
      if (change.kind === 'sources' && change.channelId === channelId && !change.source) isTold = true
    })
    await store.addFile(channelId, aFile()).finally(() => {
      globalThis.fetch = fetch
      end()
    })
    expect(calls).toEqual([
      'POST /api/embeddings/uploads',
      'PATCH /api/embeddings/uploads/:id?offset=0',
      'GET /api/embeddings/job/status/:id',
    ])
    expect(isTold).toBe(true)
  })

  it('brings a file whole, once, wherever the network is away for a moment, before or after the server has it', async () => {
    const { store, channelId } = await aCloud()
    let calls = 1
    for (let wasCut = true; wasCut; calls++)
      for (const isAfter of [false, true]) {
        const file = aFile('long.txt', `${calls} ${isAfter} ${long}`)
        Object.assign(cut, { calls, isAfter })
        const { source, isKnown } = await store.addFile(channelId, file)
        wasCut = cut.calls <= 0
        cut.calls = Number.POSITIVE_INFINITY
        expect(isKnown).toBe(false)
        expect(await (await store.file(source)).text()).toBe(await file.text())
        expect(await store.list(channelId)).toMatchObject([{ id: source.id, bytes: file.size }])
        await store.remove(source)
      }
    expect(calls).toBeGreaterThan(4)
  })

  it('tells how many bytes are there, and goes on from them when the file is added again after a reload', async () => {
    const { store, channelId } = await aCloud()
    const first = watch(channelId)
    const file = aFile('long.txt', long)
    const left = store.addFile(channelId, file).catch((error: unknown) => error)
    await vi.waitFor(() => expect(first.shown.at(-1)?.progress?.done).toBe(webLimits.sources.firstPieceBytes))
    first.end()
    enterScope()
    expect(await left).toMatchObject({ code: 'source.cancelled' })
    const { shown, end } = watch(channelId)
    const { source } = await store.addFile(channelId, file)
    end()
    const progress = { of: file.size, unit: 'bytes' }
    expect(shown[0]).toMatchObject({ status: 'queued', name: 'long.txt', progress: { ...progress, done: 0 } })
    expect(shown[1]?.progress?.done).toBeGreaterThanOrEqual(webLimits.sources.firstPieceBytes)
    expect(await (await store.file(source)).text()).toBe(long)
    expect(await store.list(channelId)).toHaveLength(1)
  })

  it('is a source that waits; cancelled it is one that failed, which can be tried again or removed', async () => {
    const { store, channelId } = await aCloud()
    const { shown, end } = watch(channelId)
    const adding = store.addFile(channelId, aFile('long.txt', long)).catch((error: unknown) => error)
    await vi.waitFor(() => expect(shown.length).toBeGreaterThan(1))
    end()
    const [waiting] = await store.list(channelId)
    if (!waiting) throw new Error('not listed')
    expect(waiting).toMatchObject({ status: 'queued', progress: { unit: 'bytes' } })
    await expect(store.document(waiting)).rejects.toMatchObject({ code: 'source.busy' })
    await store.cancel(waiting)
    expect(await adding).toMatchObject({ code: 'source.cancelled' })
    expect(await store.list(channelId)).toMatchObject([
      { id: waiting.id, status: 'failed', reason: 'source.cancelled' },
    ])
    await store.retry(waiting)
    await store.whenRead(channelId)
    expect(await store.list(channelId)).toMatchObject([{ status: 'processed' }])
    const again = store.addFile(channelId, aFile('other.txt', `${long}.`)).catch((error: unknown) => error)
    const row = await vi.waitFor(async () => {
      const found = (await store.list(channelId)).find(({ name }) => name === 'other.txt')
      if (!found) throw new Error('not listed')
      return found
    })
    await store.remove(row)
    expect(await again).toMatchObject({ code: 'source.cancelled' })
    expect((await store.list(channelId)).map(({ name }) => name)).toEqual(['long.txt'])
  })

  it('stays as one that failed where the network does not come back, and goes on when it is tried again [ST-147]', async () => {
    const { store, channelId } = await aCloud()
    const { fetch } = globalThis
    const away = async (): Promise<Response> => {
      throw new TypeError('Failed to fetch')
    }
    const adding = store.addFile(channelId, aFile('long.txt', long))
    globalThis.fetch = away
    await expect(adding).rejects.toMatchObject({ code: 'network' })
    globalThis.fetch = fetch
    const [row] = await store.list(channelId)
    expect(row).toMatchObject({ status: 'failed', reason: 'network', name: 'long.txt' })
    if (row) await store.retry(row)
    await store.whenRead(channelId)
    expect(await store.list(channelId)).toMatchObject([{ status: 'processed', bytes: long.length }])
  })
})

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
    await store.addLink(channelId, address('/rents'))
    const urls = () => asked.filter((path) => path.endsWith('/urls')).length
    for (let round = 0; round < 6; round++) {
      await vi.advanceTimersByTimeAsync(4_000 * 2 ** round - 1)
      expect(urls()).toBe(round)
      await vi.advanceTimersByTimeAsync(1)
      await settled(() => asked.length === (round + 1) * 2)
    }
    await settled(() => warn.mock.calls.length === 1)
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
