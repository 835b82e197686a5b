import { execFileSync } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { jobs } from '../../db/schema/jobs'
import { sourcePassages, sources as sourceRows } from '../../db/schema/sources'
import { FolderStore } from '../../providers/files/folder-store'
import { buildTestApp, databaseKind as kind } from '../../testing/build-test-app'
import { cloudOf } from '../../testing/cloud-channels'
import { aPerson } from '../../testing/person'
import { aReaderThat, isAlive, waitsForever } from '../../testing/reader-programs'
import { sourcesOf } from '../../testing/source-calls'
import { filesIn } from '../../testing/stored-files'
import type { ReaderOptions } from './reader-process'

const lease = 'The rent is 900 reais a month.\n\nIt is paid on the fifth day.\n'
const passage = JSON.stringify([{ index: 7, text: 'Half', headings: [], blocks: [0, 1] }])

async function aChannel(reader: Partial<ReaderOptions>) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' }, reader })
  const ana = await aPerson(app, 'ana@example.org')
  const { id: channelId } = await cloudOf(ana).create()
  return { app, ana, channelId, sources: sourcesOf(ana) }
}

describe('the reading of a source', () => {
  it.each([
    ['before it says anything', "process.kill(process.pid, 'SIGKILL')"],
    ['in the middle of the text', "frame(2, 'half a text'); process.kill(process.pid, 'SIGKILL')"],
    [
      'among its passages',
      `frame(2, 'a text'); frame(3, ${JSON.stringify(passage)}); process.kill(process.pid, 'SIGKILL')`,
    ],
    ['with nonsense', "frame(9, 'nonsense'); process.exit(0)"],
  ])('begins again after its process has ended %s, and nothing of the first is left', async (_, once) => {
    const { program, pids } = aReaderThat(once)
    const { app, channelId, sources } = await aChannel({ program })
    const { id } = await sources.add(channelId, 'lease.txt', lease)
    expect(await sources.ended(id)).toMatchObject({ processed: true, passages: 1, characters: 58 })
    expect(pids()).toHaveLength(2)
    const [row] = await app.db.select().from(sourceRows)
    const passages = await app.db.select().from(sourcePassages)
    expect(passages.map(({ readingId, index }) => [readingId, index])).toEqual([[row?.readingId, 0]])
    const folder = `${row?.ownerId}/${id}`
    expect(await filesIn(app)).toEqual([`${folder}/document.${row?.readingId}`, `${folder}/file`])
    expect(await app.db.select().from(jobs).where(eq(jobs.kind, 'sources.read'))).toEqual([])
  })

  it.each([
    // On a busy machine its time may be over before the process has begun to say which it is.
    ['time', waitsForever, { timeMs: 1_000 }, [0, 1]],
    [
      'memory',
      'const all = []; for (;;) all.push(Buffer.alloc(8_000_000, 1)), await 0',
      { memoryBytes: 200_000_000 },
      [1],
    ],
    [
      'heap',
      "const all = []; for (;;) all.push({ text: 'x'.repeat(9) + all.length })",
      { memoryBytes: 200_000_000 },
      [1],
    ],
  ])('has an end of its %s, which is told', async (_, once, bounds, processes) => {
    const { program, pids } = aReaderThat(once, { always: true })
    const { app, channelId, sources } = await aChannel({ program, ...bounds })
    const { id } = await sources.add(channelId, 'endless.txt', lease)
    expect(await sources.ended(id)).toMatchObject({ status: 'failed', reason: 'source.took-too-long' })
    expect(processes).toContain(pids().length)
    expect(pids().filter(isAlive)).toEqual([])
    expect(await app.db.select().from(sourcePassages)).toEqual([])
  })

  it('that ends its process each time is given up with a reason', async () => {
    const { program, pids } = aReaderThat("process.kill(process.pid, 'SIGKILL')", { always: true })
    const { channelId, sources } = await aChannel({ program })
    const { id } = await sources.add(channelId, 'bad.txt', lease)
    expect(await sources.ended(id)).toMatchObject({ status: 'failed', reason: 'source.unreadable' })
    expect(pids()).toHaveLength(3)
  })

  it('leaves no file of the store open where its process cannot begin', async () => {
    const given: Readable[] = []
    const { get } = FolderStore.prototype
    const spy = vi.spyOn(FolderStore.prototype, 'get').mockImplementation(async function (this: FolderStore, key) {
      const stored = await get.call(this, key)
      given.push(stored)
      return stored
    })
    onTestFinished(() => {
      spy.mockRestore()
      vi.unstubAllEnvs()
    })
    const { channelId, sources } = await aChannel({})
    vi.stubEnv('TMPDIR', '/a/folder/that/is/not/there')
    const { id } = await sources.add(channelId, 'lease.txt', lease)
    expect(await sources.ended(id)).toMatchObject({ status: 'failed', reason: 'source.unreadable' })
    expect(given.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
  })

  it('is cancelled by removing its source: the process ends, nothing is left', async () => {
    const { program, pids } = aReaderThat(waitsForever)
    const { app, ana, channelId, sources } = await aChannel({ program })
    const { id } = await sources.add(channelId, 'lease.txt', lease)
    await expect.poll(() => pids().length).toBe(1)
    expect((await ana.send('DELETE', `/api/embeddings/job/${id}`)).status).toBe(204)
    await expect.poll(() => pids().filter(isAlive)).toEqual([])
    await expect.poll(() => filesIn(app)).toEqual([])
    expect((await sources.quota()).usedBytes).toBe(0)
    await expect.poll(() => app.db.select().from(jobs).where(eq(jobs.kind, 'sources.read'))).toEqual([])
  })

  it('is taken over by another node when the lease of its own has ended, and the first one changes nothing', async () => {
    const { program, pids } = aReaderThat(waitsForever)
    const { app, channelId, sources } = await aChannel({ program })
    const { id } = await sources.add(channelId, 'lease.txt', lease)
    await expect.poll(() => pids().length).toBe(1)
    await buildTestApp({ kind, keepTables: true, env: { RATE_LIMIT_SCALE: '0', DATA_DIR: app.dataDir } })
    const ofReading = eq(jobs.kind, 'sources.read')
    await app.db
      .update(jobs)
      .set({ leasedBy: 'a node that is gone', leasedUntil: new Date(0) })
      .where(ofReading)
    expect(await sources.ended(id)).toMatchObject({ processed: true, passages: 1 })
    await expect.poll(() => pids().filter(isAlive)).toEqual([])
    expect(await sources.get(id)).toMatchObject({ processed: true })
    expect(await filesIn(app)).toHaveLength(2)
  })

  it('happens without a network, in the process and in its threads', () => {
    const noNetwork = fileURLToPath(new URL('./no-network.cjs', import.meta.url))
    const tries = `
      const tell = (name) => (error) => console.log(name + ' ' + (error.cause ?? error).message)
      const { Worker, isMainThread } = require('node:worker_threads')
      const all = [
        fetch('http://127.0.0.1:8089/').catch(tell('fetch')),
        new Promise(() => require('node:net').connect(1)).catch(tell('net')),
        new Promise(() => require('node:http').get('http://127.0.0.1:1/')).catch(tell('http')),
        new Promise(() => require('node:dns').lookup('localhost', () => 0)).catch(tell('dns')),
        new Promise(() => require('node:dgram').createSocket('udp4')).catch(tell('dgram')),
      ]
      Promise.all(all).then(() => isMainThread && new Worker(process.env.TRIES, { eval: true }))`
    const output = execFileSync(process.execPath, ['--require', noNetwork, '-e', tries], {
      env: { TRIES: tries },
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    })
    const refused = ['net', 'http', 'dns', 'dgram', 'fetch'].map((name) => `${name} There is no network here`).sort()
    expect(output.trim().split('\n').sort()).toEqual([...refused, ...refused].sort())
  })
})
