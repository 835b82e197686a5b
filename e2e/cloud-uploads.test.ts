// Uploads into cloud channels, over the network that a browser has.
import { webLimits } from '@parley/contract/limits/web'
import type { Source } from '@parley/contract/sources'
import { describe, expect, it, vi } from 'vitest'
import { onChange } from '../apps/web/src/data/local/changes'
import { enterScope } from '../apps/web/src/data/scope/scope'
import { aFile } from '../apps/web/src/data/sources/source-store-suite'
import { cut } from './both-homes'
import { aCloud, useCloudSources } from './cloud-sources-setup'

useCloudSources()

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
    const { fetch } = globalThis
    // The second piece never gets there: otherwise the server might have all of it by now.
    globalThis.fetch = ((path: string, init?: RequestInit) =>
      /offset=[1-9]/.test(path)
        ? new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
        : fetch(path, init)) as typeof globalThis.fetch
    const left = store.addFile(channelId, file).catch((error: unknown) => error)
    await vi
      .waitFor(() => expect(first.shown.at(-1)?.progress?.done).toBe(webLimits.sources.firstPieceBytes))
      .finally(first.end)
    enterScope()
    expect(await left).toMatchObject({ code: 'source.cancelled' })
    globalThis.fetch = fetch
    const { shown, end } = watch(channelId)
    const { source } = await store.addFile(channelId, file)
    end()
    const progress = { of: file.size, unit: 'bytes' }
    expect(shown[0]).toMatchObject({ status: 'queued', name: 'long.txt', progress: { ...progress, done: 0 } })
    // It may say more than once that it waits for its turn.
    const goneOn = shown.find(({ progress: at }) => (at?.done ?? 0) > 0)
    expect(goneOn?.progress?.done).toBeGreaterThanOrEqual(webLimits.sources.firstPieceBytes)
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
