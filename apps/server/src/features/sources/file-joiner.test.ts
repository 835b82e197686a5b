import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createEgress } from '../../providers/egress'
import { createFileStore, type FileStoreConfig } from '../../providers/files/create-file-store'
import { opened, sealed } from '../../providers/files/file-cipher'
import { aGate } from '../../testing/a-gate'
import { buildTestApp } from '../../testing/build-test-app'
import { cloudOf } from '../../testing/cloud-channels'
import { aPerson, type Client } from '../../testing/person'
import { startS3 } from '../../testing/s3-stand-in'
import { sha256Of, sourcesOf } from '../../testing/source-calls'
import { filesIn } from '../../testing/stored-files'
import { FileJoiner, type JoinerOptions } from './file-joiner'

const program = fileURLToPath(new URL('../../../.cache/join-worker.js', import.meta.url))
const access = { region: 'us-east-1', accessKeyId: 'a-key', secretAccessKey: 'a secret of the tests' }
const nothing = Buffer.alloc(0)

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-joins-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Those that this process starts from now on. */
function watchThreads(): Worker[] {
  const threads: Worker[] = []
  const add = (thread: Worker): void => void threads.push(thread)
  process.on('worker', add)
  onTestFinished(() => void process.off('worker', add))
  return threads
}

const only = (threads: readonly Worker[]): Worker => {
  const [thread, ...others] = threads
  if (!thread || others.length > 0) throw new Error(`${threads.length} threads`)
  return thread
}

async function all(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* streamOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** Two parts in a store, and how they become a file. */
async function aJoin(options: Partial<JoinerOptions> = { program }, s3?: FileStoreConfig['s3']) {
  const config = { dataDir: aFolder(), s3 }
  const store = createFileStore({ ...config, egress: createEgress(), now: Date.now })
  const [accountKey, bytes] = [randomBytes(32), randomBytes(300_000)]
  const parts = ['owner/upload/part.1', 'owner/upload/part.2']
  for (const [index, part] of parts.entries())
    await store.put(
      part,
      sealed(accountKey, part, streamOf(bytes.subarray(index * 120_000, index ? undefined : 120_000))),
    )
  const threads = watchThreads()
  const joiner = new FileJoiner({ store: config, log: pino({ level: 'silent' }) }, options)
  onTestFinished(() => joiner.close())
  const order = { accountKey: new Uint8Array(accountKey), parts, to: 'owner/source/file', maxBytes: bytes.length }
  const result = async () => all(opened(accountKey, order.to, await store.get(order.to)))
  return { joiner, order, bytes, threads, result }
}

/** An S3 that gives no part until the gate is open; `reached` is open as soon as one was asked for. */
async function aSlowS3() {
  const s3 = await startS3(access, 'files')
  const [reached, gate] = [aGate(), aGate()]
  s3.state.beforeGet = async (key) => {
    if (!key.includes('part.')) return
    reached.open()
    await gate.opened
  }
  onTestFinished(gate.open)
  return { ...s3, reached, gate }
}

async function anUploader(options: Parameters<typeof buildTestApp>[0]) {
  const app = await buildTestApp({ ...options, env: { RATE_LIMIT_SCALE: '0', ...options?.env } })
  const ana = await aPerson(app, 'ana@example.org')
  const { id: channelId } = await cloudOf(ana).create()
  return { app, ana, channelId, sources: sourcesOf(ana) }
}

const fileOf = async (client: Client, id = ''): Promise<Buffer> =>
  Buffer.from(await (await client.request('GET', `/api/embeddings/job/${id}/file`)).arrayBuffer())

it('makes one file of its parts, byte for byte, also where the server runs from its source', async () => {
  const { joiner, order, bytes, result } = await aJoin({})
  expect(await joiner.join(order)).toEqual({ bytes: bytes.length, sha256: sha256Of(bytes) })
  expect((await result()).equals(bytes)).toBe(true)
})

it('makes several at once, in one thread', async () => {
  const { joiner, order, bytes, threads, result } = await aJoin()
  const joins = Array.from({ length: 12 }, (_, n) =>
    joiner.join(n === 0 ? order : { ...order, to: `owner/more/file.${n}` }),
  )
  expect(new Set((await Promise.all(joins)).map(({ sha256 }) => sha256))).toEqual(new Set([sha256Of(bytes)]))
  expect((await result()).equals(bytes)).toBe(true)
  expect(threads).toHaveLength(1)
})

it('takes what it may and not one byte more', async () => {
  const { joiner, order, bytes } = await aJoin()
  await expect(joiner.join({ ...order, maxBytes: bytes.length - 1 })).rejects.toMatchObject({
    code: 'source.too-large',
  })
})

it('tells what failed, without the key', async () => {
  const { joiner, order } = await aJoin()
  const lost = await joiner.join({ ...order, parts: ['owner/upload/other'] }).catch((error: unknown) => error)
  expect(lost).toMatchObject({ code: 'source.upload-damaged', cause: { message: expect.stringContaining('ENOENT') } })
  const { accountKey: _, ...rest } = order
  const sealed = joiner.join({ ...rest, accountKey: new Uint8Array(32) })
  const cause = { message: expect.stringContaining('a chunk does not open') }
  await expect(sealed).rejects.toMatchObject({ code: 'source.upload-damaged', cause })
})

it('ends its thread when nobody has needed it for a while, and starts another one for the next file', async () => {
  const { joiner, order, threads } = await aJoin({ program, idleMs: 0 })
  await joiner.join(order)
  await once(only(threads), 'exit')
  await joiner.join(order)
  expect(threads).toHaveLength(2)
})

it('ends in the middle of a file when it is closed, and takes no other one', async () => {
  const s3 = await aSlowS3()
  const { joiner, order, threads } = await aJoin({ program }, { ...access, endpoint: s3.endpoint, bucket: s3.bucket })
  const joining = joiner.join(order).catch((error: unknown) => error)
  await s3.reached.opened
  const exited = once(only(threads), 'exit')
  await joiner.close()
  await exited
  expect(String(await joining)).toContain('the thread that joins files ended')
  await expect(joiner.join(order)).rejects.toThrow('the server is ending')
  expect(threads).toHaveLength(1)
})

it('ends with its app', async () => {
  const threads = watchThreads()
  const { app, sources, channelId } = await anUploader({ keepOpen: true })
  const bytes = randomBytes(1_000)
  await sources.continued((await sources.begun(channelId, 'noise.txt', bytes)).id, 0, bytes)
  const exited = once(only(threads), 'exit')
  await app.close()
  await exited
})

it('loses nothing of an upload when its thread dies: the next try makes the file whole', async () => {
  const s3 = await aSlowS3()
  const { app, ana, sources, channelId } = await anUploader({
    env: {
      ...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket },
      ...{ S3_ACCESS_KEY_ID: access.accessKeyId, S3_SECRET_ACCESS_KEY: access.secretAccessKey },
    },
  })
  const threads = watchThreads()
  const bytes = randomBytes(200_000)
  const { id } = await sources.begun(channelId, 'noise.txt', bytes)
  await sources.continued(id, 0, bytes.subarray(0, 120_000))
  const finishing = sources.continue(id, 120_000, bytes.subarray(120_000))
  await s3.reached.opened
  await only(threads).terminate()
  expect(await finishing).toMatchObject({ status: 503, body: { code: 'source.store' } })
  expect(await sources.list(channelId)).toEqual([])
  expect([...s3.objects.keys()].every((key) => key.includes(`${id}/part.`))).toBe(true)
  expect(readdirSync(join(app.dataDir, 'files-on-their-way'))).toEqual([])
  s3.gate.open()
  expect(await sources.begun(channelId, 'noise.txt', bytes)).toEqual({ id, offset: bytes.length })
  const { job } = await sources.continued(id, bytes.length, nothing)
  expect((await fileOf(ana, job?.id)).equals(bytes)).toBe(true)
  expect(await sources.list(channelId)).toHaveLength(1)
})

/** A program that ends its thread in the middle of a write, the first time; then it is the real one. */
function aDyingThread(): string {
  const [path, mark] = [join(aFolder(), 'program.mjs'), join(aFolder(), 'mark')]
  writeFileSync(
    path,
    `import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
if (existsSync(${JSON.stringify(mark)})) await import(${JSON.stringify(pathToFileURL(program).href)})
else
  parentPort.on('message', ({ order }) => {
    writeFileSync(${JSON.stringify(mark)}, '')
    const path = join(workerData.dataDir, 'files', order.to)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path + '.1.unfinished', 'half')
    process.exit(1)
  })
`,
  )
  return path
}

it('leaves nothing of a file that it had begun; one with a part that was changed or is lost begins anew', async () => {
  const { app, ana, sources, channelId } = await anUploader({ joiner: { program: aDyingThread() } })
  const bytes = randomBytes(1_000)
  const { id } = await sources.begun(channelId, 'noise.txt', bytes)
  expect(await sources.continue(id, 0, bytes)).toMatchObject({ status: 503, body: { code: 'source.store' } })
  const [part = '', ...others] = await filesIn(app)
  expect([part, ...others]).toEqual([expect.stringContaining(`/${id}/part.`)])
  expect(await sources.continue(id, bytes.length, Buffer.from('more'))).toMatchObject({
    body: { code: 'source.upload-damaged' },
  })
  expect(await filesIn(app)).toEqual([part])
  const change = (path: string): void => {
    const good = readFileSync(path)
    writeFileSync(path, Buffer.concat([good.subarray(0, -1), Buffer.of((good.at(-1) ?? 0) ^ 1)]))
  }
  // As a loss of power leaves it: of another length, or not there at all.
  const empty = (path: string): void => writeFileSync(path, '')
  for (const harm of [change, empty, rmSync]) {
    const begun = await sources.begun(channelId, 'noise.txt', bytes)
    const half = bytes.subarray(begun.offset, 500)
    if (begun.offset === 0) await sources.continued(begun.id, 0, half)
    const [stored = ''] = await filesIn(app)
    harm(join(app.dataDir, 'files', stored))
    const rest = begun.offset === 0 ? bytes.subarray(500) : nothing
    const finished = await sources.continue(begun.id, bytes.length - rest.length, rest)
    expect(finished).toMatchObject({ status: 422, body: { code: 'source.upload-damaged' } })
    await vi.waitFor(async () => expect(await filesIn(app)).toEqual([]))
  }
  const again = await sources.begun(channelId, 'noise.txt', bytes)
  expect(again.offset).toBe(0)
  const { job } = await sources.continued(again.id, 0, bytes)
  expect((await fileOf(ana, job?.id)).equals(bytes)).toBe(true)
})

it('takes an upload that was cancelled while it became whole for one that is gone, not for a damaged one', async () => {
  const s3 = await aSlowS3()
  const { ana, sources, channelId } = await anUploader({
    env: {
      ...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket },
      ...{ S3_ACCESS_KEY_ID: access.accessKeyId, S3_SECRET_ACCESS_KEY: access.secretAccessKey },
    },
  })
  const bytes = randomBytes(1_000)
  const { id } = await sources.begun(channelId, 'noise.txt', bytes)
  const finishing = sources.continue(id, 0, bytes)
  await s3.reached.opened
  await ana.send('DELETE', `/api/embeddings/uploads/${id}`)
  await vi.waitFor(() => expect([...s3.objects.keys()]).toEqual([]))
  s3.gate.open()
  expect(await finishing).toMatchObject({ status: 404, body: { code: 'source.not-found' } })
})

it('makes uploads whole that end at the same time', async () => {
  const { ana, sources, channelId } = await anUploader({})
  const files = Array.from({ length: 3 }, () => randomBytes(150_000))
  const jobs = await Promise.all(
    files.map(async (bytes, n) => {
      const { id } = await sources.begun(channelId, `noise-${n}.txt`, bytes)
      await sources.continued(id, 0, bytes.subarray(0, 100_000))
      return (await sources.continued(id, 100_000, bytes.subarray(100_000))).job
    }),
  )
  for (const [n, bytes] of files.entries()) expect((await fileOf(ana, jobs[n]?.id)).equals(bytes)).toBe(true)
})
