import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { crc32 } from './crc32'
import { flag, length, maxComment, method, signature } from './zip-format'

type Bytes = Uint8Array<ArrayBuffer>

export type ZipEntry = { name: string; method: number; flags: number; crc: number; packed: number; size: number; offset: number }

/** Whether a file begins like a zip file. */
export async function isZip(file: Blob): Promise<boolean> {
  const head = await viewOf(file.slice(0, 4))
  return head.byteLength === 4 && [signature.local, signature.end].some((known) => head.getUint32(0, true) === known)
}

/**
 * What is in a zip file, by the directory at its end. Throws transfer.invalid for one that is broken, cut off, or names a place outside itself, and
 * transfer.too-large for one with too many entries.
 */
export async function zipEntries(file: Blob): Promise<ZipEntry[]> {
  const tail = await viewOf(file.slice(Math.max(0, file.size - length.end - maxComment)))
  const end = endRecord(tail)
  const count = tail.getUint16(end + 10, true)
  const size = tail.getUint32(end + 12, true)
  const start = tail.getUint32(end + 16, true)
  if (count > limits.transfer.maxZipEntries) throw new AppError('transfer.too-large')
  if (start + size > file.size) throw new AppError('transfer.invalid')
  const directory = await viewOf(file.slice(start, start + size))
  const entries: ZipEntry[] = []
  let at = 0
  for (let n = 0; n < count; n++) {
    if (at + length.central > directory.byteLength || directory.getUint32(at, true) !== signature.central) throw new AppError('transfer.invalid')
    const nameLength = directory.getUint16(at + 28, true)
    const next = at + length.central + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
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

type Opening = {
  /** Of the whole file: each entry takes from it. */
  budget: InflateBudget
  /** What the packed bytes go through first. */
  through?: TransformStream<Bytes, Bytes>
  /** The content proves itself: its own cipher says more than a checksum, which would speak first. */
  isSealed?: boolean
}

/** The bytes of an entry. The stream fails with transfer.invalid where they are not those that were put in. */
export async function openEntry(file: Blob, entry: ZipEntry, { budget, through, isSealed = false }: Opening): Promise<ReadableStream<Bytes>> {
  const { offset, packed, flags } = entry
  const head = await viewOf(file.slice(offset, offset + length.local))
  const isKnown = entry.method === method.stored || entry.method === method.deflated
  if (head.byteLength < length.local || head.getUint32(0, true) !== signature.local || !isKnown || flags & flag.encrypted)
    throw new AppError('transfer.invalid')
  const start = offset + length.local + head.getUint16(26, true) + head.getUint16(28, true)
  if (start + packed > file.size) throw new AppError('transfer.invalid')
  const packedBytes: ReadableStream<Bytes> = file.slice(start, start + packed).stream()
  const content = through ? packedBytes.pipeThrough(through) : packedBytes
  const plain = entry.method === method.deflated ? content.pipeThrough(inflate(budget)) : content
  return isSealed ? plain : plain.pipeThrough(checked(entry))
}

/**
 * How many bytes a file may inflate to, over all its entries: a few bytes can be made to stand for terabytes, and an allowance per entry is multiplied by
 * many small entries, or by many names for the same one.
 */
export class InflateBudget {
  /** So many bytes were inflated. */
  used = 0
  private readonly allowed: number

  constructor(fileBytes: number) {
    const { maxInflateRatio, ratioFromBytes, maxImportBytes } = limits.transfer
    this.allowed = Math.min(maxImportBytes, Math.max(ratioFromBytes, fileBytes * maxInflateRatio))
  }

  /** By what the file says of itself, before anything is inflated. Throws transfer.too-large. */
  assertAllows(bytes: number): void {
    if (this.used + bytes > this.allowed) throw new AppError('transfer.too-large')
  }

  take(bytes: number): void {
    this.assertAllows(bytes)
    this.used += bytes
  }
}

/** Inflates within the budget. The stream fails with transfer.too-large where more comes out. */
export function inflate(budget: InflateBudget): TransformStream<Bytes, Bytes> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const limit = new TransformStream<Bytes, Bytes>({
    transform(piece, controller) {
      budget.take(piece.byteLength)
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
      // The rest can only make it worse.
      if (size > entry.size) throw new AppError('transfer.invalid')
      controller.enqueue(piece)
    },
    flush() {
      if (crc !== entry.crc || size !== entry.size) throw new AppError('transfer.invalid')
    },
  })
}

/** The last one: a comment may hold what looks like another. */
function endRecord(tail: DataView): number {
  for (let at = tail.byteLength - length.end; at >= 0; at--) {
    if (tail.getUint32(at, true) === signature.end && at + length.end + tail.getUint16(at + 20, true) === tail.byteLength) return at
  }
  throw new AppError('transfer.invalid')
}

/** Nothing is ever written to the names in a file, but one that climbs out of its folder was not made by an honest program. */
function isPlainName(name: string): boolean {
  return !/^([/\\]|[a-z]:)|\\|\0/i.test(name) && !name.split('/').includes('..')
}

const viewOf = async (part: Blob): Promise<DataView<ArrayBuffer>> => new DataView(await part.arrayBuffer())
