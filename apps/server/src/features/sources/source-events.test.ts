import type { ServerFrame } from '@parley/contract/chat'
import { pdfOf, prose } from '@parley/reader/testing/pdf-bytes'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import type { ChatClient } from '../../testing/chat-client'
import { aSharedChat } from '../../testing/shared-chat'
import { sourcesOf } from '../../testing/source-calls'

type Changed = Extract<ServerFrame, { event: 'source-changed' }>
const changesIn = ({ frames }: ChatClient): Changed[] =>
  frames.flatMap((frame) => (frame.event === 'source-changed' ? [frame] : []))

describe.each(databases)('the sources of a shared channel on %s', (kind) => {
  it('are told to everybody in it on every node, how far each is read too, and never what they hold [ST-132]', async () => {
    const { ana, channelId, sockets } = await aSharedChat({ kind, bus: 'memory' }, { nodes: 2 })
    const sources = sourcesOf(ana)
    const pages = ['MARKER one', 'MARKER two', 'MARKER three'].map((line) => prose([line]))
    const { id } = await sources.add(channelId, 'MARKER.pdf', pdfOf(pages))
    const progress = { done: 1, of: 3, unit: 'pages' as const }
    for (const client of [sockets.ana, sockets.rita]) {
      const isProgress = (frame: ServerFrame): frame is Changed =>
        frame.event === 'source-changed' && frame.progress !== undefined
      expect(await client.until(isProgress)).toEqual({ event: 'source-changed', channelId, sourceId: id, progress })
    }
    expect(await sources.ended(id)).toMatchObject({ status: 'processed', pages: 3 })
    for (const client of Object.values(sockets)) {
      // It was added, its reading began, its first page, its end.
      await expect.poll(() => changesIn(client).length).toBeGreaterThanOrEqual(4)
      expect(changesIn(client).every(({ sourceId }) => sourceId === id)).toBe(true)
      expect(JSON.stringify(client.frames)).not.toContain('MARKER')
    }
    const before = changesIn(sockets.bruno).length
    await ana.send('DELETE', `/api/embeddings/job/${id}`)
    await expect
      .poll(() => changesIn(sockets.bruno).slice(before))
      .toEqual([{ event: 'source-changed', channelId, sourceId: id }])
  })
})

describe.each(databases)('giving up on %s', (kind) => {
  it('the reading of a source or an upload is for the owner alone; the source can be read again', async () => {
    const { ana, bruno, channelId } = await aSharedChat({ kind, bus: 'memory' })
    const sources = sourcesOf(ana)
    const { id } = await sources.add(channelId, 'lease.pdf', pdfOf(Array.from({ length: 40 }, () => prose(['Rent.']))))
    const cancel = (who: typeof ana) => who.post(`/api/embeddings/job/${id}/cancel`, undefined)
    expect(await cancel(bruno)).toMatchObject({ status: 403, body: { code: 'channel.owner-only' } })
    expect(await cancel(ana)).toMatchObject({ status: 200, body: { status: 'failed', reason: 'source.cancelled' } })
    expect((await ana.send('GET', `/api/embeddings/job/${id}/document`)).status).toBe(404)
    await ana.post(`/api/embeddings/job/${id}/retry`, undefined)
    expect(await sources.ended(id)).toMatchObject({ status: 'processed', pages: 40 })
    // What is read stays read.
    expect(await cancel(ana)).toMatchObject({ status: 200, body: { status: 'processed' } })
    const { usedBytes } = await sources.quota()
    const bytes = Buffer.from('Half of it is there.')
    const upload = await sources.begun(channelId, 'notes.txt', bytes)
    await sources.continued(upload.id, 0, bytes.subarray(0, 5))
    const giveUp = (who: typeof ana) => who.send('DELETE', `/api/embeddings/uploads/${upload.id}`)
    expect((await giveUp(bruno)).status).toBe(404)
    expect((await sources.quota()).usedBytes).toBe(usedBytes + bytes.length)
    expect((await giveUp(ana)).status).toBe(204)
    expect((await sources.quota()).usedBytes).toBe(usedBytes)
    expect((await giveUp(ana)).status).toBe(404)
  })
})
