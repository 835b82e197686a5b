import { randomBytes } from 'node:crypto'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { anApp } from '../../testing/cloud-channels'
import { sourcesOf } from '../../testing/source-calls'
import { filesIn } from '../../testing/stored-files'

const { maxFileBytes } = limits.sources

describe.each(databases)('uploads into a cloud channel on %s', (kind) => {
  const aChannel = async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id: channelId } = await cloud.create()
    return { app, ana, cloud, channelId, sources: sourcesOf(ana) }
  }
  const fileOf = async (client: { request(m: string, p: string): Promise<Response> }, id: string) =>
    Buffer.from(await (await client.request('GET', `/api/embeddings/job/${id}/file`)).arrayBuffer())

  it('go on where they stopped, and find what is there already', async () => {
    const { app, ana, channelId, sources } = await aChannel()
    const bytes = randomBytes(300_000)
    const { id, offset } = await sources.begun(channelId, 'noise.txt', bytes)
    expect(offset).toBe(0)
    expect(await sources.continued(id, 0, bytes.subarray(0, 100_000))).toEqual({ id, offset: 100_000 })
    expect((await ana.send('GET', `/api/embeddings/uploads/${id}`)).body).toEqual({ id, offset: 100_000 })
    expect(await sources.begun(channelId, 'noise.txt', bytes)).toEqual({ id, offset: 100_000 })
    expect(await sources.continue(id, 50_000, bytes.subarray(50_000))).toMatchObject({
      status: 409,
      body: { code: 'source.upload-offset' },
    })
    const { job } = await sources.continued(id, 100_000, bytes.subarray(100_000))
    expect(job).toMatchObject({ filename: 'noise.txt', bytes: bytes.length })
    expect(await sources.begun(channelId, 'again.txt', bytes)).toMatchObject({ job: { id: job?.id } })
    expect((await fileOf(ana, job?.id ?? '')).equals(bytes)).toBe(true)
    await expect.poll(async () => (await filesIn(app)).filter((key) => key.includes(id))).toEqual([])
  })

  it('keep one of two that continue at once, and the file whole', async () => {
    const { ana, channelId, sources } = await aChannel()
    const bytes = randomBytes(200_000)
    const { id } = await sources.begun(channelId, 'noise.txt', bytes)
    const first = bytes.subarray(0, 120_000)
    const answers = await Promise.all([1, 2, 3].map(() => sources.continue(id, 0, first)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const rest = await Promise.all([1, 2].map(() => sources.continue(id, 120_000, bytes.subarray(120_000))))
    expect(rest.map(({ status }) => status)).toContain(200)
    const [source] = await sources.list(channelId)
    expect((await fileOf(ana, source?.id ?? '')).equals(bytes)).toBe(true)
    expect(await sources.list(channelId)).toHaveLength(1)
  })

  it('that bring other bytes than they promised are refused, and leave nothing', async () => {
    const { app, ana, channelId, sources } = await aChannel()
    const bytes = randomBytes(1_000)
    const { id } = await sources.begun(channelId, 'noise.txt', bytes)
    expect(await sources.continue(id, 0, randomBytes(1_000))).toMatchObject({
      status: 422,
      body: { code: 'source.upload-damaged' },
    })
    expect((await ana.send('GET', `/api/embeddings/uploads/${id}`)).status).toBe(404)
    expect(await sources.list(channelId)).toEqual([])
    expect((await sources.quota()).usedBytes).toBe(0)
    await expect.poll(() => filesIn(app)).toEqual([])
  })

  it('take 50 MB and not one byte more [ST-128]', async () => {
    const { app, channelId, sources } = await aChannel()
    const most = Buffer.alloc(maxFileBytes, 'Fifty million. ')
    const tooMuch = Buffer.alloc(maxFileBytes + 1, 'x')
    expect(maxFileBytes).toBe(50 * 1024 * 1024)
    expect(await sources.upload(channelId, 'large.txt', tooMuch)).toMatchObject({
      status: 413,
      body: { code: 'source.too-large', message: 'This file is too large. Files may have up to 50 MB.' },
    })
    expect(await sources.begin(channelId, 'large.txt', tooMuch)).toMatchObject({ status: 413 })
    expect(await filesIn(app)).toEqual([])
    const added = await sources.upload(channelId, 'large.txt', most)
    expect(added).toMatchObject({ status: 201, body: { bytes: maxFileBytes } })
    expect((await sources.quota()).usedBytes).toBe(maxFileBytes)
  })

  it('count against the quota from their beginning, and give back what is removed', async () => {
    const { app, ana, cloud, channelId, sources } = await aChannel()
    const { quotaBytes } = serverLimits.sources
    const many = Math.floor(quotaBytes / maxFileBytes)
    const sizes = [...Array.from({ length: many }, () => maxFileBytes), quotaBytes - many * maxFileBytes]
    for (const [index, bytes] of sizes.entries())
      expect(
        (await sources.begin(channelId, 'x.txt', Buffer.of(index), { bytes })).status,
        `upload ${index} of ${bytes} bytes`,
      ).toBe(201)
    expect(await sources.quota()).toEqual({ usedBytes: quotaBytes, maxBytes: quotaBytes })
    expect(await sources.upload(channelId, 'one.txt', 'x')).toMatchObject({
      status: 409,
      body: { code: 'source.quota' },
    })
    expect(await filesIn(app)).toEqual([])
    await ana.send('DELETE', `/api/channel/${channelId}`)
    expect((await sources.quota()).usedBytes).toBe(0)
    const other = await cloud.create()
    expect((await sources.upload(other.id, 'one.txt', 'x')).status).toBe(201)
  })

  it('end at 50 sources in a channel', async () => {
    const { ana, channelId, sources } = await aChannel()
    const urls = Array.from({ length: limits.sources.maxPerChannel }, (_, n) => `https://example.org/${n}`)
    for (let from = 0; from < urls.length; from += 10)
      expect((await ana.post('/api/embeddings', { channelId, urls: urls.slice(from, from + 10) })).status).toBe(201)
    expect(await sources.upload(channelId, 'x.txt', 'x')).toMatchObject({
      status: 409,
      body: { code: 'source.too-many' },
    })
    const eleven = Array.from({ length: 11 }, (_, n) => `https://example.org/more/${n}`)
    expect((await ana.post('/api/embeddings', { channelId, urls: eleven })).status).toBe(400)
  })

  it('that nobody ends leave nothing when the connection breaks', async () => {
    const { app, ana, channelId, sources } = await aChannel()
    const bytes = randomBytes(1_000)
    const { id } = await sources.begun(channelId, 'noise.txt', bytes)
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.subarray(0, 500))
        setImmediate(() => controller.error(new Error('gone')))
      },
    })
    const init = { method: 'PATCH', body: broken, duplex: 'half' as const }
    const headers = {
      authorization: `Bearer ${ana.tokens?.access_token}`,
      'content-type': 'application/octet-stream',
    }
    await expect(app.call(`/api/embeddings/uploads/${id}?offset=0`, { ...init, headers })).rejects.toThrow()
    expect((await ana.send('GET', `/api/embeddings/uploads/${id}`)).body).toEqual({ id, offset: 0 })
    await expect.poll(() => filesIn(app)).toEqual([])
    const { job } = await sources.continued(id, 0, bytes)
    expect(job).toMatchObject({ bytes: 1_000 })
  })
})
