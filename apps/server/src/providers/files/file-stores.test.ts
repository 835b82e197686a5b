import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startS3 } from '../../testing/s3-stand-in'
import { createEgress } from '../egress'
import { opened, sealed } from './file-cipher'
import { type FileStore, FileStoreError, MissingFileError } from './file-store'
import { FolderStore } from './folder-store'
import { freed, freeMemory } from './owned-memory'
import { signedHeaders } from './s3-signature'
import { S3Store } from './s3-store'

const access = { region: 'eu-west-1', accessKeyId: 'a-key', secretAccessKey: 'a secret of the tests' }

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function anS3(secretAccessKey = access.secretAccessKey) {
  const s3 = await startS3(access, 'files')
  const spoolFolder = join(aFolder(), 'spool')
  const store = new S3Store({
    ...{ ...access, secretAccessKey, ...s3, egress: createEgress(), spoolFolder },
    now: Date.now,
  })
  return { ...s3, store, spoolFolder }
}

const stores: [string, () => Promise<FileStore>][] = [
  ['a folder', async () => new FolderStore(join(aFolder(), 'files'))],
  ['a folder, for a thread of its own', async () => new FolderStore(join(aFolder(), 'files'), { isBlocking: true })],
  ['S3', async () => (await anS3()).store],
]

async function* piecesOf(...pieces: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

async function all(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  // A piece is good until the next is asked for.
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

describe.each(stores)('files in %s', (_, make) => {
  const keysIn = async (store: FileStore, prefix = ''): Promise<string[]> => {
    const keys: string[] = []
    for await (const { key } of store.list(prefix)) keys.push(key)
    return keys.sort()
  }

  it('are kept, listed by their beginning and removed', async () => {
    const store = await make()
    const large = randomBytes(1_000_000)
    for (const key of ['a/1/file', 'a/1/part.1', 'a/2/file', 'b/1/file', 'b/11/file'])
      await store.put(key, piecesOf(large.subarray(0, 10), large.subarray(10)))
    expect((await all(await store.get('a/1/file'))).equals(large)).toBe(true)
    expect(await keysIn(store)).toEqual(['a/1/file', 'a/1/part.1', 'a/2/file', 'b/1/file', 'b/11/file'])
    expect(await keysIn(store, 'b/1/')).toEqual(['b/1/file'])
    await store.put('a/1/file', piecesOf('another'))
    expect(String(await all(await store.get('a/1/file')))).toBe('another')
    await store.remove('a/1/file')
    await store.remove('a/1/file')
    expect(await keysIn(store, 'a/')).toEqual(['a/1/part.1', 'a/2/file'])
    await expect(store.get('a/1/file')).rejects.toThrow()
  })

  it('are there whole or not at all', async () => {
    const store = await make()
    const broken = (async function* () {
      yield Buffer.from('half')
      throw new Error('the client is gone')
    })()
    await expect(store.put('a/1/file', broken)).rejects.toThrow('the client is gone')
    expect(await keysIn(store)).toEqual([])
  })

  it.each(['../outside', 'a/../../b', '/etc/passwd', 'a//b', 'a/.hidden', ''])('never lie at %j', async (key) => {
    const store = await make()
    await expect(store.put(key, piecesOf('x'))).rejects.toThrow('not the key of a file')
    await expect(store.get(key)).rejects.toThrow('not the key of a file')
    await expect(store.remove(key)).rejects.toThrow('not the key of a file')
  })
})

describe('a file that is lost', () => {
  const failureOf = (store: FileStore) => store.get('a/1/file').catch((error: unknown) => error)

  it('is told from a folder that is away', async () => {
    const root = join(aFolder(), 'files')
    const store = new FolderStore(root)
    expect(await failureOf(store)).not.toBeInstanceOf(MissingFileError)
    await store.put('a/2/file', piecesOf('another'))
    expect(await failureOf(store)).toBeInstanceOf(MissingFileError)
    renameSync(root, `${root}.away`)
    const away = await failureOf(store)
    expect(away).toBeInstanceOf(FileStoreError)
    expect(away).not.toBeInstanceOf(MissingFileError)
  })

  it('is told from an S3 that is away, or has lost its bucket', async () => {
    const { store, state, ...s3 } = await anS3()
    expect(await failureOf(store)).toBeInstanceOf(MissingFileError)
    state.isAway = true
    expect(await failureOf(store)).not.toBeInstanceOf(MissingFileError)
    state.isAway = false
    const egress = createEgress()
    const other = new S3Store({ ...access, ...s3, bucket: 'another', egress, now: Date.now })
    expect(await failureOf(other)).toBeInstanceOf(FileStoreError)
    expect(await failureOf(other)).not.toBeInstanceOf(MissingFileError)
  })
})

describe('a store that speaks S3', () => {
  it('gets nothing from whoever does not have the secret, and its failures are told without it', async () => {
    const { store, objects } = await anS3('another secret')
    await expect(store.put('a/1/file', piecesOf('x'))).rejects.toThrow('the store answered 403')
    expect(objects.size).toBe(0)
  })

  it('gets files whose copies on their way nobody has to sweep, whenever the process ends', async () => {
    const { store, objects, spoolFolder } = await anS3()
    const content = (async function* () {
      for (let piece = 0; piece < 3; piece++) {
        expect(readdirSync(spoolFolder)).toEqual([])
        yield Buffer.from('piece')
      }
    })()
    await store.put('a/1/file', content)
    expect(String(objects.get('a/1/file')?.content)).toBe('piecepiecepiece')
  })

  it('is signed as the documentation of S3 has it', () => {
    const headers = signedHeaders(
      {
        region: 'us-east-1',
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
      {
        ...{ method: 'GET', host: 'examplebucket.s3.amazonaws.com', path: '/test.txt', query: new URLSearchParams() },
        headers: { range: 'bytes=0-9' },
        payloadHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        at: new Date('2013-05-24T00:00:00Z'),
      },
    )
    expect(headers.authorization).toContain('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  })
})

describe('a sealed file', () => {
  const key = randomBytes(32)
  const sealedOf = (content: Buffer, place = 'a/1/file') => all(sealed(key, place, piecesOf(content)))
  const openedOf = (bytes: Buffer, { place = 'a/1/file', by = key } = {}) =>
    all(opened(by, place, piecesOf(bytes.subarray(0, 7), bytes.subarray(7))))

  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_001])('of %i bytes opens as it was', async (size) => {
    const content = randomBytes(size)
    const bytes = await sealedOf(content)
    expect(bytes.length).toBeGreaterThan(size)
    expect((await openedOf(bytes)).equals(content)).toBe(true)
  })

  it('opens nowhere else, with no other key, and not when anything of it was changed, moved or cut off', async () => {
    const content = Buffer.alloc(200_000, 'text')
    const bytes = await sealedOf(content)
    expect(bytes.includes('texttext')).toBe(false)
    await expect(openedOf(bytes, { place: 'a/2/file' })).rejects.toThrow()
    await expect(openedOf(bytes, { by: randomBytes(32) })).rejects.toThrow()
    for (const at of [0, 20, 40, 100_000, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(openedOf(changed), `changed at ${at}`).rejects.toThrow()
    }
    const chunk = 65_536 + 16
    for (const length of [0, 10, 33, 33 + chunk, 33 + 2 * chunk, bytes.length - 1])
      await expect(openedOf(bytes.subarray(0, length)), `cut off at ${length}`).rejects.toThrow()
    const [header, one, two] = [bytes.subarray(0, 33), bytes.subarray(33, 33 + chunk), bytes.subarray(33 + chunk)]
    const swapped = Buffer.concat([header, two.subarray(0, chunk), one, two.subarray(chunk)])
    await expect(openedOf(swapped)).rejects.toThrow()
  })

  it('takes memory for a few pieces, however long it is: what has passed goes back without the collector', async () => {
    const pieceBytes = 64 * 1024
    async function* longContent(): AsyncGenerator<Buffer> {
      for (let piece = 0; piece < 300; piece++) yield Buffer.allocUnsafeSlow(pieceBytes).fill(piece)
    }
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    let bytes = 0
    const once = sealed(key, 'a/1/file', freed(longContent()))
    for await (const piece of freed(opened(key, 'a/1/file', once))) {
      bytes += piece.length
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    expect(bytes).toBe(300 * pieceBytes)
    expect(most).toBeLessThan(40 * pieceBytes)
  })
})

describe('the memory of a Buffer', () => {
  it('goes back at once, and stays where others have a part in it', () => {
    const own = Buffer.allocUnsafeSlow(1_000)
    freeMemory(own)
    expect(own.length).toBe(0)
    const shared = Buffer.from('a text in the memory that small Buffers share')
    freeMemory(shared)
    expect(String(shared)).toBe('a text in the memory that small Buffers share')
    const part = Buffer.alloc(1_000, 'x').subarray(0, 999)
    freeMemory(part)
    expect(part.length).toBe(999)
    expect(() => freeMemory(Buffer.alloc(0))).not.toThrow()
    expect(() => freeMemory(Buffer.from(new SharedArrayBuffer(10)))).not.toThrow()
  })
})
