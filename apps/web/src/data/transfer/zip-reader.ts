import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { crc32 } from './crc32'
import { flag, length, maxComment, method, signature } from './zip-format'

type Bytes = Uint8Array<ArrayBuffer>

export type ZipEntry = {
  name: string
  method: number
  flags: number
  crc: number
  packed: number
  size: number
  offset: number
}

/** Whether a file starts with a zip signature. */
export async function isZip(file: Blob): Promise<boolean> {
  const head = await viewOf(file.slice(0, 4))
  return head.byteLength === 4 && [signature.local, signature.end].some((known) => head.getUint32(0, true) === known)
}

/**
 * The entries of a zip file, from the directory at its end. Throws transfer.invalid for a broken or truncated file or a
 * path outside of it, and transfer.too-large for too many entries.
 */
export async function zipEntries(file: Blob): Promise<ZipEntry[]> {
  const tail = await viewOf(file.slice(Math.max(0, file.size - length.end - maxComment)))
  const end = endRecord(tail)
  const count = tail.getUint16(end + 10, true)
  const size = tail.getUint32(end + 12, true)
  const start = tail.getUint32(end + 16, true)
  if (count > webLimits.transfer.maxZipEntries) throw new AppError('transfer.too-large')
  if (start + size > file.size) throw new AppError('transfer.invalid')
  const directory = await viewOf(file.slice(start, start + size))
  const entries: ZipEntry[] = []
  let at = 0
  for (let n = 0; n < count; n++) {
    if (at + length.central > directory.byteLength || directory.getUint32(at, true) !== signature.central)
      throw new AppError('transfer.invalid')
    const nameLength = directory.getUint16(at + 28, true)
    const next =
      at + length.central + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
    if (next > directory.byteLength) throw new AppError('transfer.invalid')
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + length.central, nameLength))
    if (!isPlainName(name)) throw new AppError('transfer.invalid')
    entries.push({
      name,
      flags: directory.getUint16(at + 8, true),
      method: directory.getUint16(at + 10, true),
      crc: directory.getUint32(at + 16, true),
      packed: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      offset: directory.getUint32(at + 42, true),
    })
    at = next
  }
  return entries
}

type EntryOptions = {
  /** The budget of the whole file, which all entries share. */
  budget: InflateBudget
  /** A transform of the packed bytes, before they are inflated. */
  through?: TransformStream<Bytes, Bytes>
  /** The content is authenticated by its own cipher, which reports more than the checksum, and must report first. */
  isSealed?: boolean
}

/** The bytes of an entry. The stream fails with transfer.invalid where they do not match the checksum. */
export async function openEntry(
  file: Blob,
  entry: ZipEntry,
  { budget, through, isSealed = false }: EntryOptions,
): Promise<ReadableStream<Bytes>> {
  const { offset, packed, flags } = entry
  const head = await viewOf(file.slice(offset, offset + length.local))
  const isKnown = entry.method === method.stored || entry.method === method.deflated
  if (
    head.byteLength < length.local ||
    head.getUint32(0, true) !== signature.local ||
    !isKnown ||
    flags & flag.encrypted
  )
    throw new AppError('transfer.invalid')
  const start = offset + length.local + head.getUint16(26, true) + head.getUint16(28, true)
  if (start + packed > file.size) throw new AppError('transfer.invalid')
  const packedBytes: ReadableStream<Bytes> = file.slice(start, start + packed).stream()
  const content = through ? packedBytes.pipeThrough(through) : packedBytes
  const plain = entry.method === method.deflated ? content.pipeThrough(inflate(budget)) : content
  return isSealed ? plain : plain.pipeThrough(checked(entry))
}

/**
 * Limits the inflated size of a file over all its entries: a few bytes can inflate to terabytes, and a limit per entry
 * is multiplied by many small entries, or by many names of the same one.
 */
export class InflateBudget {
  /** The number of bytes inflated so far. */
  used = 0
  private readonly allowed: number

  constructor(fileBytes: number) {
    const { maxInflateRatio, ratioFromBytes, maxImportBytes } = webLimits.transfer
    this.allowed = Math.min(maxImportBytes, Math.max(ratioFromBytes, fileBytes * maxInflateRatio))
  }

  /** Checks the declared size, before anything is inflated. Throws transfer.too-large. */
  assertAllows(bytes: number): void {
    if (this.used + bytes > this.allowed) throw new AppError('transfer.too-large')
  }

  spend(bytes: number): void {
    this.assertAllows(bytes)
    this.used += bytes
  }
}

/** Inflates within the budget. The stream fails with transfer.too-large beyond it. */
export function inflate(budget: InflateBudget): TransformStream<Bytes, Bytes> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const limit = new TransformStream<Bytes, Bytes>({
    transform(piece, controller) {
      budget.spend(piece.byteLength)
      controller.enqueue(piece)
    },
  })
  return { writable, readable: readable.pipeThrough(limit) }
}

function checked(entry: ZipEntry): TransformStream<Bytes, Bytes> {
  let crc = 0
  let size = 0
  return new TransformStream({
    transform(piece, controller) {
      crc = crc32(piece, crc)
      size += piece.byteLength
      // It is too long already.
      if (size > entry.size) throw new AppError('transfer.invalid')
      controller.enqueue(piece)
    },
    flush() {
      if (crc !== entry.crc || size !== entry.size) throw new AppError('transfer.invalid')
    },
  })
}

/** Searches from the end: a comment may contain the same signature. */
function endRecord(tail: DataView): number {
  for (let at = tail.byteLength - length.end; at >= 0; at--) {
    if (
      tail.getUint32(at, true) === signature.end &&
      at + length.end + tail.getUint16(at + 20, true) === tail.byteLength
    )
      return at
  }
  throw new AppError('transfer.invalid')
}

/** No file is ever written to these paths, but a path that leaves its folder was not created by an honest program. */
function isPlainName(name: string): boolean {
  return !/^([/\\]|[a-z]:)|\\|\0/i.test(name) && !name.split('/').includes('..')
}

const viewOf = async (part: Blob): Promise<DataView<ArrayBuffer>> => new DataView(await part.arrayBuffer())
