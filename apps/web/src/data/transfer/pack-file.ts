import type { DataFileLock, ProtectedFile } from '@parley/contract/data-file'
import { utf8 } from '../local/bytes'
import { entryNames } from './open-file'
import { chunkBytes, entryKey, type FileKey, fileSecret, sealing } from './sealed-chunks'
import { ZipWriter } from './zip-writer'

type Bytes = Uint8Array<ArrayBuffer>
/** Bytes of an entry, or the beginning of the next one. */
export type FilePiece = Bytes | { entry: string }

/** `hash`: of the passphrase that protects the file, with the parameters that made it. */
export type PackOptions = {
  isCompressed: boolean
  protection: { hash: Bytes; passphrase: DataFileLock['passphrase']; exportedAt: string; version: string } | undefined
}

/**
 * Packs the data file and the files that belong to it into a zip: its text compressed where the browser can, everything
 * encrypted with a passphrase. Only the current piece is in memory.
 */
export async function packFile(
  pieces: AsyncIterator<FilePiece, unknown>,
  { isCompressed, protection }: PackOptions,
  write: (bytes: Bytes) => void | Promise<void>,
): Promise<void> {
  const zip = new ZipWriter(write)
  let dataKey: FileKey | undefined
  if (protection) {
    const { hash, passphrase, exportedAt, version } = protection
    const secret = await fileSecret(hash)
    dataKey = secret
    const head: ProtectedFile = {
      metadata: { exportedAt, version, encrypted: true, compressed: isCompressed },
      lock: { cipher: 'aes-256-gcm', chunkBytes, check: secret.check, passphrase },
    }
    await zip.add({ name: entryNames.head, isDeflated: false }, streamOf(utf8(`${JSON.stringify(head, null, 2)}\n`)))
  }
  const partOf = async (entry: string) => {
    const isData = entry === entryNames.data
    const isDeflated = isData && isCompressed
    if (!protection) return { name: entry, isDeflated }
    const key = isData && dataKey ? dataKey : await entryKey(protection.hash, entry)
    return { name: isData ? entryNames.sealed : entry, isDeflated, through: sealing(key) }
  }
  let next = await pieces.next()
  while (!next.done) {
    if (!('entry' in next.value)) throw new TypeError('bytes before the first entry')
    const part = await partOf(next.value.entry)
    const content = new ReadableStream<Bytes>(
      {
        async pull(controller) {
          next = await pieces.next()
          if (next.done || 'entry' in next.value) controller.close()
          else controller.enqueue(next.value)
        },
      },
      { highWaterMark: 0 },
    )
    await zip.add(part, content)
  }
  return zip.end()
}

function streamOf(bytes: Bytes): ReadableStream<Bytes> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}
