import type { DataFileLock } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { toBase64Url, utf8 } from '../local/bytes'

type Bytes = Uint8Array<ArrayBuffer>
export type FileSecret = { key: CryptoKey; check: string }

const algorithm = 'AES-GCM'
const tagBytes = 16
/** Of the plain text in each chunk but the last, which may be shorter and may be empty. */
export const chunkBytes: DataFileLock['chunkBytes'] = 65_536

/** A key for this one file, and what tells whether a passphrase is the file's: each derived for its purpose from the slow hash. */
export async function fileSecret(hash: Bytes): Promise<FileSecret> {
  const base = await crypto.subtle.importKey('raw', hash, 'HKDF', false, ['deriveKey', 'deriveBits'])
  const purpose = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(info) })
  const key = await crypto.subtle.deriveKey(purpose('parley file: key'), base, { name: algorithm, length: 256 }, false, ['encrypt', 'decrypt'])
  return { key, check: toBase64Url(await crypto.subtle.deriveBits(purpose('parley file: check'), base, 128)) }
}

/** Encrypts in chunks, each bound to its place and the last one marked as such, so that none can be moved, dropped or added unnoticed. */
export function sealing({ key }: FileSecret): TransformStream<Bytes, Bytes> {
  const encrypt = async (index: number, isLast: boolean, chunk: Bytes): Promise<Bytes> =>
    new Uint8Array(await crypto.subtle.encrypt({ name: algorithm, iv: nonce(index, isLast) }, key, chunk))
  return inChunks(chunkBytes, encrypt)
}

/** The way back. The stream fails with transfer.incomplete where the end is missing, with transfer.damaged where a byte was changed. */
export function unsealing({ key }: FileSecret): TransformStream<Bytes, Bytes> {
  const decrypt = (index: number, isLast: boolean, chunk: Bytes): Promise<ArrayBuffer> =>
    crypto.subtle.decrypt({ name: algorithm, iv: nonce(index, isLast) }, key, chunk)
  return inChunks(chunkBytes + tagBytes, async (index, isLast, chunk) => {
    try {
      return new Uint8Array(await decrypt(index, isLast, chunk))
    } catch (error) {
      // A last chunk that opens as one of the middle is whole: what should follow it is gone.
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

/** Every key seals one file, so a counter never meets the same key twice. */
function nonce(index: number, isLast: boolean): Bytes {
  const view = new DataView(new ArrayBuffer(12))
  view.setUint32(7, index)
  view.setUint8(11, isLast ? 1 : 0)
  return new Uint8Array(view.buffer)
}

/** Cuts a stream into chunks of one size. Whether a chunk is the last is known only when nothing follows it. */
function inChunks(size: number, work: (index: number, isLast: boolean, chunk: Bytes) => Promise<Bytes>): TransformStream<Bytes, Bytes> {
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
