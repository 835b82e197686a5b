import { AppError } from '@parley/contract/errors'
import { Inflate } from 'fflate'
import { bounds } from './bounds'
import type { Reading } from './reading'

type Entry = { name: string; method: number; dataAt: number; compressed: number; size: number; isEncrypted: boolean }

/** Pieces of compressed bytes: what one of them inflates to has its place in memory. */
const pieceBytes = 8 * 1024

/** The entries of an archive. Nothing is inflated but what is asked for, and it is counted while it is. */
export type Zip = {
  names: string[]
  /** Its list of entries is gone, as in a file that was cut off: entries were looked for one by one. */
  isDamaged: boolean
  has(name: string): boolean
  /** Hands the bytes of an entry on in pieces. False where there is no such entry. Throws `source.bomb`. */
  pipe(name: string, reading: Reading, onBytes: (bytes: Uint8Array) => void): Promise<boolean>
}

export function openZip(bytes: Uint8Array): Zip {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const directory = entriesOfDirectory(bytes, view)
  const entries = directory ?? entriesByScan(bytes, view)
  if (entries.length > bounds.maxArchiveEntries) throw new AppError('source.bomb')
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  let inflatedInAll = 0

  const count = (entry: Entry, inflated: number, added: number): void => {
    inflatedInAll += added
    const isSuspect = inflated > bounds.minSuspectBytes && inflated > entry.compressed * bounds.maxInflateRatio
    if (isSuspect || inflatedInAll > bounds.maxInflatedBytes) throw new AppError('source.bomb')
  }

  return {
    names: [...byName.keys()],
    isDamaged: !directory,
    has: (name) => byName.has(name),
    async pipe(name, reading, onBytes) {
      const entry = byName.get(name)
      if (!entry) return false
      if (entry.isEncrypted) throw new AppError('source.protected')
      // What the archive says of itself may be a lie; where it admits to be a bomb, nothing is inflated.
      if (entry.size > bounds.maxInflatedBytes) throw new AppError('source.bomb')
      const data = bytes.subarray(entry.dataAt, Math.min(bytes.length, entry.dataAt + entry.compressed))
      let inflated = 0
      const give = (piece: Uint8Array) => {
        inflated += piece.length
        count(entry, inflated, piece.length)
        onBytes(piece)
      }
      if (entry.method !== 0 && entry.method !== 8) throw new AppError('source.damaged')
      const inflate = entry.method === 8 ? new Inflate(give) : undefined
      for (let at = 0; at < data.length; at += pieceBytes) {
        await reading.breathe()
        const piece = data.subarray(at, at + pieceBytes)
        if (inflate) inflate.push(piece, false)
        else give(piece)
      }
      return true
    },
  }
}

const decoder = new TextDecoder()
const noSize = 0xffffffff

function entriesOfDirectory(bytes: Uint8Array, view: DataView): Entry[] | undefined {
  const end = endOfDirectory(bytes, view)
  if (end === undefined) return undefined
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count > bounds.maxArchiveEntries) throw new AppError('source.bomb')
  const entries: Entry[] = []
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) return undefined
    const nameLength = view.getUint16(at + 28, true)
    const localAt = view.getUint32(at + 42, true)
    if (localAt + 30 > bytes.length || view.getUint32(localAt, true) !== 0x04034b50) return undefined
    entries.push({
      name: decoder.decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      compressed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      dataAt: localAt + 30 + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries.some(({ size, compressed }) => size === noSize || compressed === noSize) ? undefined : entries
}

/** It stands at the end, before a comment of at most 64 kB. */
function endOfDirectory(bytes: Uint8Array, view: DataView): number | undefined {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at--) {
    if (bytes[at] === 0x50 && view.getUint32(at, true) === 0x06054b50) return at
  }
  return undefined
}

/** By the header before each entry; where it does not know the size yet, an entry ends where the next header is. */
function entriesByScan(bytes: Uint8Array, view: DataView): Entry[] {
  const entries: Entry[] = []
  let at = nextHeader(bytes, view, 0)
  while (at !== undefined && at + 30 <= bytes.length && entries.length <= bounds.maxArchiveEntries) {
    const flags = view.getUint16(at + 6, true)
    const nameLength = view.getUint16(at + 26, true)
    const dataAt = at + 30 + nameLength + view.getUint16(at + 28, true)
    const said = view.getUint32(at + 18, true)
    const isSaid = (flags & 8) === 0 && said !== noSize
    const next = nextHeader(bytes, view, isSaid ? dataAt + said : dataAt)
    const compressed = isSaid ? said : (next ?? bytes.length) - dataAt
    const name = decoder.decode(bytes.subarray(at + 30, at + 30 + nameLength))
    const method = view.getUint16(at + 8, true)
    if (compressed >= 0) entries.push({ name, method, isEncrypted: (flags & 1) === 1, compressed, size: 0, dataAt })
    at = next
  }
  return entries
}

function nextHeader(bytes: Uint8Array, view: DataView, from: number): number | undefined {
  for (let at = bytes.indexOf(0x50, from); at >= 0 && at + 4 <= bytes.length; at = bytes.indexOf(0x50, at + 1)) {
    if (view.getUint32(at, true) === 0x04034b50) return at
  }
  return undefined
}
