import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { freeMemory } from './owned-memory'
import { PieceReader } from './piece-reader'

// Files sealed as streams: AES-256-GCM in chunks, each bound to its place in the file and to whether it is the last
// one, so that none can be left out, moved or brought from another file. A file has a key of its own, made of the
// account's key, a salt and the file's place in the store.

const version = 1
const saltBytes = 32
const headerBytes = 1 + saltBytes
const tagBytes = 16
const chunkBytes = 64 * 1024
const sealedChunkBytes = chunkBytes + tagBytes
/** Each call of the file system costs more than what it writes. */
const chunksPerPiece = 4
const algorithm = 'aes-256-gcm'

/** The file is another one, was changed or cut off, or the key is not its own. */
export class DamagedFileError extends Error {
  override name = 'DamagedFileError'
}

/** Awaited before each chunk. */
type Pace = () => Promise<void>

/** Takes a copy of what `content` gives. Each piece of it is good until the next is asked for. */
export async function* sealed(
  accountKey: Buffer,
  place: string,
  content: AsyncIterable<Buffer>,
  pace: Pace = nextTurn,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const key = keyOf(accountKey, salt, place)
  yield Buffer.concat([Buffer.of(version), salt])
  const piece = Buffer.allocUnsafeSlow(chunksPerPiece * sealedChunkBytes)
  let filled = 0
  let index = 0
  try {
    for await (const { chunk, isLast } of chunksOf(content, chunkBytes)) {
      await pace()
      const cipher = createCipheriv(algorithm, key, nonceOf(index++, isLast))
      const secret = cipher.update(chunk)
      cipher.final()
      filled += secret.copy(piece, filled)
      freeMemory(secret)
      filled += cipher.getAuthTag().copy(piece, filled)
      if (!isLast && filled < piece.length) continue
      yield piece.subarray(0, filled)
      filled = 0
    }
  } finally {
    freeMemory(piece)
  }
}

/** Throws DamagedFileError. What it has given until then is good, and belongs to whoever takes it. */
export async function* opened(
  accountKey: Buffer,
  place: string,
  stored: AsyncIterable<Buffer>,
  pace: Pace = nextTurn,
): AsyncGenerator<Buffer> {
  const { fileKey, chunks } = await unlocked(accountKey, place, stored)
  yield* openedWith(fileKey, chunks, pace)
}

/** `fileKey` opens this file and no other; `chunks` is what of the file comes after its header. */
export type UnlockedFile = { fileKey: Buffer; chunks: AsyncIterable<Buffer> }

/** For whoever opens the file without the key of its account. Throws DamagedFileError. */
export async function unlocked(
  accountKey: Buffer,
  place: string,
  stored: AsyncIterable<Buffer>,
): Promise<UnlockedFile> {
  const reader = new PieceReader(stored)
  const header = await reader.take(headerBytes)
  if (header.length < headerBytes || header[0] !== version) throw new DamagedFileError('no header')
  return { fileKey: keyOf(accountKey, header.subarray(1), place), chunks: reader.rest() }
}

/** Throws as `opened`. */
export async function* openedWith(
  fileKey: Buffer,
  chunks: AsyncIterable<Buffer>,
  pace: Pace = nextTurn,
): AsyncGenerator<Buffer> {
  let index = 0
  for await (const { chunk, isLast } of chunksOf(chunks, sealedChunkBytes)) {
    if (chunk.length < tagBytes) throw new DamagedFileError('cut off')
    await pace()
    const decipher = createDecipheriv(algorithm, fileKey, nonceOf(index++, isLast), { authTagLength: tagBytes })
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

/** What the chunks of a file with so much content take. */
export const chunksBytesOf = (contentBytes: number): number =>
  contentBytes + tagBytes * Math.max(1, Math.ceil(contentBytes / chunkBytes))

/** Where nobody else waits for the event loop. */
export const unpaced: Pace = async () => undefined

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

/** In pieces of exactly this size but the last one, which may be empty. Each is good until the next is asked for. */
async function* chunksOf(
  content: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  const chunk = Buffer.allocUnsafeSlow(size)
  let filled = 0
  try {
    for await (const piece of content) {
      for (let from = 0; from < piece.length; ) {
        // There is more of it: it is not the last.
        if (filled === size) {
          yield { chunk, isLast: false }
          filled = 0
        }
        const copied = piece.copy(chunk, filled, from)
        filled += copied
        from += copied
      }
    }
    yield { chunk: chunk.subarray(0, filled), isLast: true }
  } finally {
    freeMemory(chunk)
  }
}
