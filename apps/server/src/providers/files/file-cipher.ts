import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

// Files sealed as streams: AES-256-GCM in chunks, each bound to its place in the file and to whether it is the last one,
// so that none can be left out, moved or brought from another file. A file has a key of its own, made of the account's
// key, a salt and the file's place in the store.

const version = 1
const saltBytes = 32
const headerBytes = 1 + saltBytes
const tagBytes = 16
const chunkBytes = 64 * 1024
const sealedChunkBytes = chunkBytes + tagBytes
const algorithm = 'aes-256-gcm'

/** The file is another one, was changed or cut off, or the key is not its own. */
export class DamagedFileError extends Error {
  override name = 'DamagedFileError'
}

/** Awaited before each chunk. */
type Pace = () => Promise<void>

export async function* sealed(
  accountKey: Buffer,
  place: string,
  content: AsyncIterable<Buffer>,
  pace: Pace = nextTurn,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const key = keyOf(accountKey, salt, place)
  yield Buffer.concat([Buffer.of(version), salt])
  let index = 0
  for await (const { chunk, isLast } of chunksOf(content, chunkBytes)) {
    await pace()
    const cipher = createCipheriv(algorithm, key, nonceOf(index++, isLast))
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

/** Throws DamagedFileError. What it has given until then is good. */
export async function* opened(
  accountKey: Buffer,
  place: string,
  stored: AsyncIterable<Buffer>,
  pace: Pace = nextTurn,
): AsyncGenerator<Buffer> {
  const reader = new Reader(stored)
  const header = await reader.take(headerBytes)
  if (header.length < headerBytes || header[0] !== version) throw new DamagedFileError('no header')
  const key = keyOf(accountKey, header.subarray(1), place)
  let index = 0
  for await (const { chunk, isLast } of chunksOf(reader.rest(), sealedChunkBytes)) {
    if (chunk.length < tagBytes) throw new DamagedFileError('cut off')
    await pace()
    const decipher = createDecipheriv(algorithm, key, nonceOf(index++, isLast), { authTagLength: tagBytes })
    decipher.setAuthTag(chunk.subarray(-tagBytes))
    const plain = decipher.update(chunk.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch (error) {
      throw new DamagedFileError('a chunk does not open', { cause: error })
    }
    if (plain.length > 0) yield plain
  }
}

let lastTurn = Promise.resolve()

/**
 * One chunk of all files is sealed or opened in a turn of the event loop: whoever chats waits for one, not for one of
 * each file that is on its way.
 */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return lastTurn
}

const keyOf = (accountKey: Buffer, salt: Buffer, place: string): Buffer =>
  Buffer.from(hkdfSync('sha256', accountKey, salt, `parley:file:${place}`, 32))

/** The key is of this file alone, so that counting is enough. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(index, 0)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** In pieces of exactly this size but the last one, which may be empty. */
async function* chunksOf(
  content: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of content) {
    waiting.push(piece)
    length += piece.length
    // More than one chunk: otherwise it may be the last.
    if (length <= size) continue
    const all = Buffer.concat(waiting, length)
    let from = 0
    for (; all.length - from > size; from += size) yield { chunk: all.subarray(from, from + size), isLast: false }
    waiting = [all.subarray(from)]
    length = all.length - from
  }
  yield { chunk: Buffer.concat(waiting, length), isLast: true }
}

class Reader {
  private readonly pieces: AsyncIterator<Buffer>
  private left: Buffer = Buffer.alloc(0)

  constructor(content: AsyncIterable<Buffer>) {
    this.pieces = content[Symbol.asyncIterator]()
  }

  /** Fewer at the end. */
  async take(count: number): Promise<Buffer> {
    while (this.left.length < count) {
      const next = await this.pieces.next()
      if (next.done) break
      this.left = Buffer.concat([this.left, next.value])
    }
    const taken = this.left.subarray(0, count)
    this.left = this.left.subarray(taken.length)
    return taken
  }

  async *rest(): AsyncGenerator<Buffer> {
    try {
      yield this.left
      for (let next = await this.pieces.next(); !next.done; next = await this.pieces.next()) yield next.value
    } finally {
      await this.pieces.return?.()
    }
  }
}
