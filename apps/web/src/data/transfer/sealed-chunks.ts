import type { DataFileLock } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { toBase64Url, utf8 } from '../local/bytes'

type Bytes = Uint8Array<ArrayBuffer>
export type FileKey = { key: CryptoKey }
export type FileSecret = FileKey & { check: string }

const algorithm = 'AES-GCM'
const tagBytes = 16
/** The size of the plain text in each chunk but the last, which may be shorter or empty. */
export const chunkBytes: DataFileLock['chunkBytes'] = 65_536

/** The key of this file, and a value that verifies the passphrase: each derived for its purpose from the slow hash. */
export async function fileSecret(hash: Bytes): Promise<FileSecret> {
  const base = await baseOf(hash)
  const key = await keyFor(base, 'parley file: key')
  return { key, check: toBase64Url(await crypto.subtle.deriveBits(purpose('parley file: check'), base, 128)) }
}

/** The key of another entry of the file: bound to its name, so that no entry can stand for another one. */
export async function entryKey(hash: Bytes, name: string): Promise<FileKey> {
  return { key: await keyFor(await baseOf(hash), `parley file: entry ${name}`) }
}

const baseOf = (hash: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', hash, 'HKDF', false, ['deriveKey', 'deriveBits'])

const purpose = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(info) })

const keyFor = (base: CryptoKey, info: string): Promise<CryptoKey> =>
  crypto.subtle.deriveKey(purpose(info), base, { name: algorithm, length: 256 }, false, ['encrypt', 'decrypt'])

/**
 * Encrypts in chunks. Each is bound to its position and the last one is marked, so that none can be moved, dropped or
 * added unnoticed.
 */
export function sealing({ key }: FileKey): TransformStream<Bytes, Bytes> {
  const encrypt = async (index: number, isLast: boolean, chunk: Bytes): Promise<Bytes> =>
    new Uint8Array(await crypto.subtle.encrypt({ name: algorithm, iv: nonce(index, isLast) }, key, chunk))
  return inChunks(chunkBytes, encrypt)
}

/**
 * Decrypts the chunks. The stream fails with transfer.incomplete where the end is missing, with transfer.damaged where
 * a byte was changed.
 */
export function unsealing({ key }: FileKey): TransformStream<Bytes, Bytes> {
  const decrypt = (index: number, isLast: boolean, chunk: Bytes): Promise<ArrayBuffer> =>
    crypto.subtle.decrypt({ name: algorithm, iv: nonce(index, isLast) }, key, chunk)
  return inChunks(chunkBytes + tagBytes, async (index, isLast, chunk) => {
    try {
      return new Uint8Array(await decrypt(index, isLast, chunk))
    } catch (error) {
      // A last chunk that decrypts as a middle one is intact: the chunks after it are missing.
      const isCut = isLast && (chunk.byteLength < tagBytes || (await opens(decrypt(index, false, chunk))))
      throw new AppError(isCut ? 'transfer.incomplete' : 'transfer.damaged', { cause: error })
    }
  })
}

const opens = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** A counter is a safe nonce, because every key encrypts one file only. */
function nonce(index: number, isLast: boolean): Bytes {
  const view = new DataView(new ArrayBuffer(12))
  view.setUint32(7, index)
  view.setUint8(11, isLast ? 1 : 0)
  return new Uint8Array(view.buffer)
}

/** Splits a stream into chunks of one size. Only the end of the stream shows which chunk is the last. */
function inChunks(
  size: number,
  work: (index: number, isLast: boolean, chunk: Bytes) => Promise<Bytes>,
): TransformStream<Bytes, Bytes> {
  const buffer = new Uint8Array(size)
  let filled = 0
  let index = 0
  return new TransformStream({
    async transform(piece, controller) {
      for (let at = 0; at < piece.byteLength; ) {
        if (filled === size) {
          controller.enqueue(await work(index++, false, buffer.slice()))
          filled = 0
        }
        const taken = Math.min(size - filled, piece.byteLength - at)
        buffer.set(piece.subarray(at, at + taken), filled)
        filled += taken
        at += taken
      }
    },
    async flush(controller) {
      controller.enqueue(await work(index++, true, buffer.slice(0, filled)))
    },
  })
}
