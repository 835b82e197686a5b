import type { DataFileLock, ProtectedFile } from '@parley/contract/data-file'
import { utf8 } from '../local/bytes'
import { entryNames } from './open-file'
import { chunkBytes, fileSecret, sealing } from './sealed-chunks'
import { ZipWriter } from './zip-writer'

type Bytes = Uint8Array<ArrayBuffer>

/** `hash`: of the passphrase that protects the file, with the parameters that made it. */
export type PackOptions = {
  isCompressed: boolean
  protection: { hash: Bytes; passphrase: DataFileLock['passphrase']; exportedAt: string; version: string } | undefined
}

/** Packs the data file's text into a zip: compressed where the browser can, and encrypted with a passphrase. */
export async function packFile(
  text: ReadableStream<Bytes>,
  { isCompressed, protection }: PackOptions,
  write: (bytes: Bytes) => void | Promise<void>,
): Promise<void> {
  const zip = new ZipWriter(write)
  if (!protection) {
    await zip.add({ name: entryNames.data, isDeflated: isCompressed }, text)
    return zip.end()
  }
  const { hash, passphrase, exportedAt, version } = protection
  const secret = await fileSecret(hash)
  const head: ProtectedFile = {
    metadata: { exportedAt, version, encrypted: true, compressed: isCompressed },
    lock: { cipher: 'aes-256-gcm', chunkBytes, check: secret.check, passphrase },
  }
  await zip.add({ name: entryNames.head, isDeflated: false }, streamOf(utf8(`${JSON.stringify(head, null, 2)}\n`)))
  await zip.add({ name: entryNames.sealed, isDeflated: isCompressed, through: sealing(secret) }, text)
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
