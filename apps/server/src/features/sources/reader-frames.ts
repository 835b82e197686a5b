import { Passage } from '@parley/contract/read-document'
import { SourceProgress } from '@parley/contract/sources'
import * as z from 'zod/mini'

// What the process that reads a file says to the server: frames of one byte for the kind, four for the length, then the
// content. The server trusts nothing of it: the process has met the file.

export const frameKind = { progress: 1, document: 2, passages: 3, result: 4, failure: 5 } as const
const kinds: ReadonlySet<number> = new Set(Object.values(frameKind))

const maxFrameBytes = 8 * 1024 * 1024
const headerBytes = 5

/** What goes ahead of the file. `fileKey` (base64): the file is sealed with it, chunk by chunk. */
export const FileToRead = z.object({
  name: z.string(),
  bytes: z.int().check(z.nonnegative()),
  fileKey: z.optional(z.string()),
})
export type FileToRead = z.infer<typeof FileToRead>

const Count = z.int().check(z.nonnegative())
export const maxTitleLength = 300

export const ReadingResult = z.object({
  /** What the document calls itself. */
  title: z.optional(z.string().check(z.maxLength(maxTitleLength))),
  pages: z.optional(Count),
  characters: Count,
  passages: Count,
  /** What the file is by its content. */
  mediaType: z.string().check(z.maxLength(200)),
  notices: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)),
  /** The beginning of the text. */
  excerpt: z.string().check(z.maxLength(2_000)),
})
export type ReadingResult = z.infer<typeof ReadingResult>

/** `code` is one of the error catalogue; without one the reader itself is at fault. */
export const ReadingFailure = z.object({ code: z.optional(z.string().check(z.maxLength(100))) })
export const PassageFrame = z.array(Passage)
export { SourceProgress as ProgressFrame }

export type Frame = { kind: number; content: Buffer }

export function frameOf(kind: number, content: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes)
  header[0] = kind
  header.writeUInt32BE(content.length, 1)
  return Buffer.concat([header, content])
}

export const jsonFrame = (kind: number, value: unknown): Buffer => frameOf(kind, Buffer.from(JSON.stringify(value)))

/** Throws for what is no frame. One that is cut off at the end is left out. */
export async function* framesIn(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let waiting: Buffer[] = []
  let length = 0
  let needed = headerBytes
  for await (const piece of stream) {
    waiting.push(piece)
    length += piece.length
    if (length < needed) continue
    let all = Buffer.concat(waiting, length)
    for (needed = neededFor(all); all.length >= needed; needed = neededFor(all)) {
      if (needed === headerBytes && all.length < headerBytes) break
      yield { kind: all[0] ?? 0, content: all.subarray(headerBytes, needed) }
      all = all.subarray(needed)
    }
    waiting = [all]
    length = all.length
  }
}

/** Bytes of the first frame, or of its header while that is not there. */
function neededFor(bytes: Buffer): number {
  if (bytes.length < headerBytes) return headerBytes
  const length = bytes.readUInt32BE(1)
  if (!kinds.has(bytes[0] ?? 0) || length > maxFrameBytes) throw new Error('not a frame of the reader')
  return headerBytes + length
}
