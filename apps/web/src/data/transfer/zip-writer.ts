import { crc32 } from './crc32'
import { piecesOf } from './stream-pieces'
import { flag, length, maxOffset, method, signature } from './zip-format'

type Bytes = Uint8Array<ArrayBuffer>
type Write = (bytes: Bytes) => void | Promise<void>
type Entry = { name: Bytes; crc: number; packed: number; size: number; offset: number; method: number }

export type ZipPart = {
  name: string
  isDeflated: boolean
  /** A transform of the deflated bytes, such as a cipher. The zip then declares the entry as stored. */
  through?: TransformStream<Bytes, Bytes>
}

/** Writes a zip file sequentially, entry by entry, in chunks: only the current chunk is in memory. */
export class ZipWriter {
  private offset = 0
  private readonly entries: Entry[] = []

  constructor(
    private readonly write: Write,
    private readonly now: Date = new Date(),
  ) {}

  /** Adds an entry; its chunks may have any size. */
  async add({ name, isDeflated, through }: ZipPart, pieces: ReadableStream<Bytes>): Promise<void> {
    const entry: Entry = {
      name: new TextEncoder().encode(name),
      crc: 0,
      packed: 0,
      size: 0,
      offset: this.offset,
      method: isDeflated && !through ? method.deflated : method.stored,
    }
    await this.put(this.header(signature.local, entry))
    // A zip entry's checksum and size are of the bytes before deflating; for an encrypted entry those are the encrypted
    // ones.
    const measure = new TransformStream<Bytes, Bytes>({
      transform(piece, controller) {
        entry.crc = crc32(piece, entry.crc)
        entry.size += piece.byteLength
        controller.enqueue(piece)
      },
    })
    const packed = through
      ? (isDeflated ? pieces.pipeThrough(deflate()) : pieces).pipeThrough(through).pipeThrough(measure)
      : isDeflated
        ? pieces.pipeThrough(measure).pipeThrough(deflate())
        : pieces.pipeThrough(measure)
    for await (const piece of piecesOf(packed)) {
      entry.packed += piece.byteLength
      await this.put(piece)
    }
    const descriptor = new DataView(new ArrayBuffer(length.descriptor))
    descriptor.setUint32(0, signature.descriptor, true)
    this.setSizes(descriptor, 4, entry)
    await this.put(bytesOf(descriptor))
    this.entries.push(entry)
  }

  async end(): Promise<void> {
    const start = this.offset
    for (const entry of this.entries) await this.put(this.header(signature.central, entry))
    const end = new DataView(new ArrayBuffer(length.end))
    end.setUint32(0, signature.end, true)
    end.setUint16(8, this.entries.length, true)
    end.setUint16(10, this.entries.length, true)
    end.setUint32(12, this.offset - start, true)
    end.setUint32(16, start, true)
    await this.put(bytesOf(end))
  }

  private async put(bytes: Bytes): Promise<void> {
    this.offset += bytes.byteLength
    if (this.offset > maxOffset) throw new RangeError(`a zip file of more than ${maxOffset} bytes`)
    await this.write(bytes)
  }

  /** The sizes are unknown in front of the entry; they follow it, and are in the directory at the end. */
  private header(kind: typeof signature.local | typeof signature.central, entry: Entry): Bytes {
    const isCentral = kind === signature.central
    const fixed = isCentral ? length.central : length.local
    const view = new DataView(new ArrayBuffer(fixed + entry.name.byteLength))
    view.setUint32(0, kind, true)
    let at = 4
    if (isCentral) {
      view.setUint16(at, 20, true)
      at += 2
    }
    view.setUint16(at, 20, true)
    view.setUint16(at + 2, flag.descriptor | flag.utf8, true)
    view.setUint16(at + 4, entry.method, true)
    view.setUint16(at + 6, dosTime(this.now), true)
    view.setUint16(at + 8, dosDate(this.now), true)
    if (isCentral) this.setSizes(view, at + 10, entry)
    view.setUint16(at + 22, entry.name.byteLength, true)
    if (isCentral) view.setUint32(42, entry.offset, true)
    const bytes = bytesOf(view)
    bytes.set(entry.name, fixed)
    return bytes
  }

  private setSizes(view: DataView<ArrayBuffer>, at: number, { crc, packed, size }: Entry): void {
    view.setUint32(at, crc, true)
    view.setUint32(at + 4, packed, true)
    view.setUint32(at + 8, size, true)
  }
}

const bytesOf = (view: DataView<ArrayBuffer>): Bytes => new Uint8Array(view.buffer)
const deflate = () => new CompressionStream('deflate-raw')

const dosTime = (at: Date): number => (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
const dosDate = (at: Date): number => ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
