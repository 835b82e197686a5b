import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { users } from '../../db/schema/users'
import { buildTestApp } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'
import { aReaderThat } from '../../testing/reader-programs'
import { storeOf } from '../../testing/stored-files'
import { AccountFiles } from './account-files'
import { FileJoiner } from './file-joiner'
import { frameKind } from './reader-frames'
import { type Receiver, readInProcess } from './reader-process'

const program = fileURLToPath(new URL('../../../.cache/reader-child.js', import.meta.url))
const bounds = { timeMs: 60_000, memoryBytes: 768 * 1024 * 1024, program }

async function* streamOf(...pieces: Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

const takesAll: Receiver = {
  onProgress: async () => undefined,
  onDocument: async (gzip) => {
    for await (const _ of gzip);
  },
  onPassages: async () => undefined,
}

/** Sends one document and one list of passages, and more until its pipe takes nothing any more: then it says so. */
const fillsItsPipe = `
const { Socket } = await import('node:net')
frame(${frameKind.document}, 'half a document')
frame(${frameKind.passages}, '[]')
const pipe = new Socket({ fd: 3 })
pipe.on('error', () => undefined)
while (pipe.writableLength === 0) {
  pipe.write(Buffer.from([${frameKind.passages}, 0, 0, 0, 2, 0x5b, 0x5d]))
  await new Promise((resolve) => setImmediate(resolve))
}
say('full')
await new Promise(() => undefined)
`

it('ends when what it has read is not taken, however much there still is', async () => {
  const { program, said } = aReaderThat(fillsItsPipe)
  let taken = 0
  const reading = readInProcess(
    { name: 'long.txt', bytes: 10 },
    streamOf(Buffer.alloc(10)),
    {
      onProgress: async () => undefined,
      onDocument: async (gzip) => {
        for await (const piece of gzip) taken += piece.length
      },
      onPassages: async () => {
        await vi.waitFor(() => expect(said()).toBe('full'), { timeout: 60_000 })
        throw new Error('the source is gone')
      },
    },
    { ...bounds, program, signal: new AbortController().signal },
  )
  await expect(reading).rejects.toThrow('the source is gone')
  expect(taken).toBeGreaterThan(0)
})

it('ends with what ended it, also while the store has stopped in the middle of the file', async () => {
  const cancelling = new AbortController()
  const reading = readInProcess(
    { name: 'long.txt', bytes: 1_000 },
    (async function* () {
      yield Buffer.alloc(500, 'x')
      cancelling.abort(new Error('the source is gone'))
      await new Promise(() => undefined)
    })(),
    takesAll,
    { ...bounds, signal: cancelling.signal },
  )
  await expect(reading).rejects.toThrow('the source is gone')
})

describe('a file that is read as it is stored', () => {
  const content = Buffer.from('The rent is 900.\n\n'.repeat(20_000))
  const [chunk, header] = [65_536 + 16, 33]

  /** Reads it after `change` has had its sealed bytes. */
  async function read(change: (sealed: Buffer) => Buffer) {
    const app = await buildTestApp()
    await aPerson(app, 'ana@example.org')
    const [{ id: ownerId } = { id: '' }] = await app.db.select().from(users)
    const store = storeOf(app)
    const log = pino({ level: 'silent' })
    const joiner = new FileJoiner({ store: { dataDir: app.dataDir, s3: undefined }, log })
    const files = new AccountFiles({ db: app.db, store, joiner, serverKey: Buffer.alloc(32) })
    const place = { ownerId, folder: 'source', name: 'file' }
    await files.write(place, streamOf(content))
    const key = `${ownerId}/source/file`
    const stored = await store.get(key)
    const pieces: Buffer[] = []
    for await (const piece of stored) pieces.push(piece as Buffer)
    await store.put(key, streamOf(change(Buffer.concat(pieces))))
    const { fileKey, chunks, close } = await files.readSealed(place, content.length)
    onTestFinished(close)
    return readInProcess(
      { name: 'lease.txt', bytes: content.length, fileKey: fileKey.toString('base64') },
      chunks,
      takesAll,
      { ...bounds, signal: new AbortController().signal },
    )
  }

  it('is opened by the process that reads it', async () => {
    const { characters } = await read((sealed) => sealed)
    expect(characters).toBeGreaterThan(300_000)
  })

  it.each<[string, (sealed: Buffer) => Buffer]>([
    ['was changed', (sealed) => Buffer.concat([sealed.subarray(0, 100_000), Buffer.of(1), sealed.subarray(100_001)])],
    ['was cut off in a chunk', (sealed) => sealed.subarray(0, 100_000)],
    ['was cut off after a chunk', (sealed) => sealed.subarray(0, header + 2 * chunk)],
    ['has lost all but its header', (sealed) => sealed.subarray(0, header)],
    ['became longer', (sealed) => Buffer.concat([sealed, randomBytes(1_000)])],
    ['has another header', (sealed) => Buffer.concat([randomBytes(header), sealed.subarray(header)])],
  ])('is a fault of the store where it %s', async (_, change) => {
    await expect(read(change)).rejects.toMatchObject({ code: 'source.store' })
  })
})
