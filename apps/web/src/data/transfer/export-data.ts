import { type DataType, dataFileName, type StorageType } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { trustedScriptUrl } from '../../lib/trusted-url'
import { newPassphraseHash, passphraseSecret } from '../local/passphrase'
import { storageError } from '../local/storage-error'
import { type DataFileCounts, dataFileText } from './data-file-text'
import { blobSink, handleSink } from './file-sink'
import { type Packing, packFile } from './pack-file'
import type { PackOrder, PackReply } from './pack-worker'
import workerUrl from './pack-worker?worker&url'

type Bytes = Uint8Array<ArrayBuffer>
type Pieces = AsyncGenerator<Bytes, DataFileCounts>
type Exported = DataFileCounts & { blob: Blob | undefined }

export type ExportChoice = { types: readonly DataType[]; storageType: StorageType; passphrase: string | undefined }
type Work = {
  /** A file that the person chose; without one the result is a blob to download. */
  handle: FileSystemFileHandle | undefined
  /** Counts channels. */
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}

/** Where the browser cannot deflate, a file is plain JSON, as the specification has it; a protected one is a zip in any case. */
const canDeflate = (): boolean => typeof CompressionStream !== 'undefined'

export function exportFileName({ storageType, passphrase }: Pick<ExportChoice, 'storageType' | 'passphrase'>, now: Date = new Date()): string {
  return dataFileName(storageType, now, canDeflate() || passphrase !== undefined ? 'zip' : 'json')
}

/** Writes what was chosen of both homes into one file, page by page. Throws AppError or the signal's reason; a chosen file is then as it was before. */
export async function exportData(choice: ExportChoice, { handle, onProgress, signal }: Work): Promise<Exported> {
  const { types, storageType, passphrase } = choice
  if (types.length === 0) throw new AppError('transfer.nothing-selected')
  const now = new Date()
  const isCompressed = canDeflate()
  const isEncrypted = passphrase !== undefined
  const packing: Packing = { isCompressed, protection: isEncrypted ? await protectionFor(passphrase, now) : undefined }
  const text = dataFileText({ types, storageType, isCompressed, isEncrypted }, onProgress, now)
  const pieces = encoded(text, signal)
  try {
    if (!isCompressed && !isEncrypted) return await plain(pieces, handle)
    return typeof Worker === 'undefined' ? await packHere(pieces, packing, handle) : await pack(pieces, packing, handle, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof DOMException ? storageError(error) : error
  } finally {
    await pieces.return({ items: 0, unreadable: 0 })
  }
}

async function protectionFor(passphrase: string, now: Date): Promise<Packing['protection']> {
  const parameters = newPassphraseHash()
  const hash = await passphraseSecret(passphrase, parameters)
  return { hash, passphrase: parameters, exportedAt: now.toISOString(), version: limits.transfer.version }
}

/** Of a size that is worth a message to the worker. */
const pieceCharacters = 256 * 1024

async function* encoded(text: AsyncGenerator<string, DataFileCounts>, signal: AbortSignal): Pieces {
  const encoder = new TextEncoder()
  let waiting = ''
  try {
    while (true) {
      signal.throwIfAborted()
      const { done, value } = await text.next()
      if (done) {
        yield encoder.encode(waiting)
        return value
      }
      waiting += value
      if (waiting.length < pieceCharacters) continue
      yield encoder.encode(waiting)
      waiting = ''
    }
  } finally {
    await text.return({ items: 0, unreadable: 0 })
  }
}

async function plain(pieces: Pieces, handle: FileSystemFileHandle | undefined): Promise<Exported> {
  const sink = handle ? await handleSink(handle) : blobSink('application/json')
  while (true) {
    const { done, value } = await pieces.next()
    if (done) return { ...value, blob: await sink.end() }
    await sink.write(value)
  }
}

async function packHere(pieces: Pieces, packing: Packing, handle: FileSystemFileHandle | undefined): Promise<Exported> {
  const sink = handle ? await handleSink(handle) : blobSink('application/zip')
  let counts: DataFileCounts = { items: 0, unreadable: 0 }
  const text = new ReadableStream<Bytes>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (!done) return controller.enqueue(value)
      counts = value
      controller.close()
    },
  })
  await packFile(text, packing, sink.write)
  return { blob: await sink.end(), ...counts }
}

async function pack(pieces: Pieces, packing: Packing, handle: FileSystemFileHandle | undefined, signal: AbortSignal): Promise<Exported> {
  const worker = new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module', name: 'export' })
  const order = (message: PackOrder, transfer: Transferable[] = []): void => worker.postMessage(message, transfer)
  let counts: DataFileCounts = { items: 0, unreadable: 0 }
  let onAbort: () => void = () => undefined
  try {
    const blob = await new Promise<Blob | undefined>((resolve, reject) => {
      const next = async (): Promise<void> => {
        const { done, value } = await pieces.next()
        if (done) {
          counts = value
          order('end')
        } else order({ piece: value }, [value.buffer])
      }
      onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort)
      worker.onerror = (event) => reject(new AppError('unknown', { cause: new Error(event.message) }))
      worker.onmessage = ({ data }: MessageEvent<PackReply>) => {
        if (data === 'more') next().catch(reject)
        else if ('failure' in data) reject(new AppError(data.failure === 'QuotaExceededError' ? 'storage.full' : 'unknown', { cause: data.failure }))
        else resolve(data.blob)
      }
      order({ packing, handle })
    })
    return { ...counts, blob }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // A chosen file that is not closed keeps what was in it.
    worker.terminate()
  }
}
