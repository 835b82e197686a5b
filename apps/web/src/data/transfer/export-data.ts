import { type DataType, dataFileName, type StorageType } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { trustedScriptUrl } from '../../lib/trusted-url'
import { newPassphraseHash, passphraseSecret } from '../local/passphrase'
import { storageError } from '../local/storage-error'
import { type DataFileChoice, dataFileText, homesOf, type TextCounts } from './data-file-text'
import { sourceFiles } from './export-sources'
import { blobSink, filled, handleSink } from './file-sink'
import { entryNames } from './open-file'
import { type FilePiece, type PackOptions, packFile } from './pack-file'
import type { PackOrder, PackReply } from './pack-worker'
import workerUrl from './pack-worker?worker&url'

type Bytes = Uint8Array<ArrayBuffer>
type Pieces = AsyncGenerator<FilePiece, DataFileCounts>
/** `unreadable`: messages, and `unreadableSources`, of this device that could not be read and are not in the file. */
type DataFileCounts = TextCounts & { unreadableSources: number }
type ExportResult = DataFileCounts & { blob: Blob | undefined }

export type ExportChoice = { types: readonly DataType[]; storageType: StorageType; passphrase: string | undefined }
type ExportOptions = {
  /** The file that the person chose; without one the result is a blob to download. */
  handle: FileSystemFileHandle | undefined
  /** Called with numbers of channels. */
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}

/** Without CompressionStream the file is plain JSON, as specified; a protected one is a zip in any case. */
const canDeflate = (): boolean => typeof CompressionStream !== 'undefined'

export function exportFileName(
  { storageType, passphrase }: Pick<ExportChoice, 'storageType' | 'passphrase'>,
  now: Date = new Date(),
): string {
  return dataFileName(storageType, now, canDeflate() || passphrase !== undefined ? 'zip' : 'json')
}

/**
 * Exports the chosen data of both homes into one file, page by page. Throws AppError or the signal's reason; the chosen
 * file is then unchanged.
 */
export async function exportData(
  choice: ExportChoice,
  { handle, onProgress, signal }: ExportOptions,
): Promise<ExportResult> {
  const { types, storageType, passphrase } = choice
  if (types.length === 0) throw new AppError('transfer.nothing-selected')
  const now = new Date()
  const isCompressed = canDeflate()
  const isEncrypted = passphrase !== undefined
  const packing: PackOptions = {
    isCompressed,
    protection: isEncrypted ? await protectionFor(passphrase, now) : undefined,
  }
  const isZip = isCompressed || isEncrypted
  const pieces = piecesOf({ types, storageType, isCompressed, isEncrypted }, { isZip, onProgress, signal, now })
  try {
    if (!isZip) return await plain(pieces, handle)
    return typeof Worker === 'undefined'
      ? await packHere(pieces, packing, handle)
      : await pack(pieces, packing, handle, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof DOMException ? storageError(error) : error
  } finally {
    await pieces.return(noCounts)
  }
}

const noCounts: DataFileCounts = { items: 0, unreadable: 0, unreadableSources: 0 }

type PieceOptions = Omit<ExportOptions, 'handle'> & { isZip: boolean; now: Date }

/** The files of sources, which only a zip can hold, and then the data, which tell of those that are in it. */
async function* piecesOf(choice: DataFileChoice, { isZip, onProgress, signal, now }: PieceOptions): Pieces {
  const hasSources = isZip && choice.types.includes('documents')
  const { sources, unreadable } = hasSources
    ? yield* sourceFiles(homesOf(choice.storageType), signal)
    : { sources: [], unreadable: 0 }
  yield { entry: entryNames.data }
  const counts = yield* encoded(dataFileText({ ...choice, sources }, onProgress, now), signal)
  return { ...counts, unreadableSources: unreadable }
}

async function protectionFor(passphrase: string, now: Date): Promise<PackOptions['protection']> {
  const parameters = newPassphraseHash()
  const hash = await passphraseSecret(passphrase, parameters)
  return { hash, passphrase: parameters, exportedAt: now.toISOString(), version: webLimits.transfer.version }
}

/** The chunk size for messages to the worker. */
const pieceCharacters = 256 * 1024

async function* encoded(
  text: AsyncGenerator<string, TextCounts>,
  signal: AbortSignal,
): AsyncGenerator<Bytes, TextCounts> {
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
    await text.return(noCounts)
  }
}

async function plain(pieces: Pieces, handle: FileSystemFileHandle | undefined): Promise<ExportResult> {
  let counts = noCounts
  const blob = await filled(handle ? await handleSink(handle) : blobSink('application/json'), async (sink) => {
    for (let piece = await pieces.next(); ; piece = await pieces.next()) {
      if (piece.done) {
        counts = piece.value
        return
      }
      if (!('entry' in piece.value)) await sink.write(piece.value)
    }
  })
  return { ...counts, blob }
}

async function packHere(
  pieces: Pieces,
  packing: PackOptions,
  handle: FileSystemFileHandle | undefined,
): Promise<ExportResult> {
  const sink = handle ? await handleSink(handle) : blobSink('application/zip')
  let counts = noCounts
  const counted: AsyncIterator<FilePiece, unknown> = {
    next: async () => {
      const next = await pieces.next()
      if (next.done) counts = next.value
      return next
    },
  }
  const blob = await filled(sink, ({ write }) => packFile(counted, packing, write))
  return { ...counts, blob }
}

async function pack(
  pieces: Pieces,
  packing: PackOptions,
  handle: FileSystemFileHandle | undefined,
  signal: AbortSignal,
): Promise<ExportResult> {
  const worker = new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module', name: 'export' })
  const order = (message: PackOrder, transfer: Transferable[] = []): void => worker.postMessage(message, transfer)
  let counts = noCounts
  let cause: unknown
  // The worker frees the file and then replies: until it has, nobody else can write to it or remove it.
  const abort = (error: unknown): void => {
    cause ??= error
    order('abort')
  }
  const onAbort = (): void => abort(signal.reason)
  try {
    const blob = await new Promise<Blob | undefined>((resolve, reject) => {
      const next = async (): Promise<void> => {
        const { done, value } = await pieces.next()
        if (done) {
          counts = value
          order('end')
        } else order({ piece: value }, 'entry' in value ? [] : [value.buffer])
      }
      signal.addEventListener('abort', onAbort)
      worker.onerror = (event) => reject(new AppError('unknown', { cause: new Error(event.message) }))
      worker.onmessage = ({ data }: MessageEvent<PackReply>) => {
        if (data === 'more') next().catch(abort)
        else if ('failure' in data) reject(cause ?? packError(data.failure))
        else resolve(data.blob)
      }
      order({ packing, handle })
    })
    return { ...counts, blob }
  } finally {
    signal.removeEventListener('abort', onAbort)
    worker.terminate()
  }
}

function packError(name: string): AppError {
  if (name === 'RangeError') return new AppError('transfer.export-too-large')
  return new AppError(name === 'QuotaExceededError' ? 'storage.full' : 'unknown', { cause: name })
}
