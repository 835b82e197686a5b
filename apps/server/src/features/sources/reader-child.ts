import { writeFileSync, writeSync } from 'node:fs'
import { setPriority } from 'node:os'
import { gzipSync } from 'node:zlib'
import { AppError } from '@parley/contract/errors'
import type { SourceProgress } from '@parley/contract/sources'
import { mediaTypeOf } from '@parley/reader/media-type'
import { nodeOcr } from '@parley/reader/node-ocr'
import { nodePdf } from '@parley/reader/node-pdf'
import { passagesOf } from '@parley/reader/passages'
import { readFile } from '@parley/reader/read-file'
import * as z from 'zod/mini'
import { FileToRead, frameKind, frameOf, jsonFrame } from './reader-frames'
import { resultOf } from './reading-result'

// A process of its own that reads one file: on its standard input the length of a header, the header and the file; its
// answer goes to the descriptor 3. It ends with the server, which keeps the input open until it has the answer.

const answers = 3
const documentChunkBytes = 64 * 1024
const passagesPerFrame = 100
const progressMs = 1_000

function send(frame: Buffer): void {
  for (let from = 0; from < frame.length; ) from += writeSync(answers, frame, from)
}

async function main(): Promise<void> {
  yieldToOthers()
  const { header, bytes } = await readInput()
  const { name } = header
  const ocr = nodeOcr()
  const mediaType = mediaTypeOf(name, bytes)
  const document = await readFile({ name, bytes }, { ocr, pdf: nodePdf(), onProgress: sendProgress() })
  await ocr.end()
  const zipped = gzipSync(JSON.stringify(document), { level: 4 })
  for (let from = 0; from < zipped.length; from += documentChunkBytes)
    send(frameOf(frameKind.document, zipped.subarray(from, from + documentChunkBytes)))
  const passages = passagesOf(document)
  for (let from = 0; from < passages.length; from += passagesPerFrame)
    send(jsonFrame(frameKind.passages, passages.slice(from, from + passagesPerFrame)))
  send(jsonFrame(frameKind.result, { ...resultOf(document, passages.length), mediaType }))
}

/** Not each page, nor each byte. */
function sendProgress(): (progress: SourceProgress) => void {
  let sentAt = 0
  return (progress) => {
    if (Date.now() - sentAt < progressMs) return
    sentAt = Date.now()
    send(jsonFrame(frameKind.progress, progress))
  }
}

/** Answers go before reading; and where memory runs out, this process is the one that has to go. */
function yieldToOthers(): void {
  try {
    setPriority(10)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not every system has it.
  }
}

/** Resolves once the file is here; from then on the end of the input is the end of the server. */
function readInput(): Promise<{ header: FileToRead; bytes: Uint8Array }> {
  return new Promise((resolve, reject) => {
    let start: Buffer = Buffer.alloc(0)
    let file: { header: FileToRead; bytes: Uint8Array; filled: number } | undefined
    const take = (piece: Buffer): void => {
      if (file) {
        file.bytes.set(piece.subarray(0, file.bytes.length - file.filled), file.filled)
        file.filled += piece.length
      } else {
        start = Buffer.concat([start, piece])
        const length = start.length < 4 ? Number.POSITIVE_INFINITY : 4 + start.readUInt32BE(0)
        if (start.length < length) return
        const header = z.parse(FileToRead, JSON.parse(start.subarray(4, length).toString('utf8')))
        file = { header, bytes: new Uint8Array(header.bytes), filled: 0 }
        take(start.subarray(length))
        return
      }
      if (file.filled >= file.bytes.length) resolve(file)
    }
    process.stdin.on('data', (piece: Buffer) => {
      try {
        take(piece)
      } catch (error) {
        reject(error)
      }
    })
    process.stdin.once('end', () => process.exit(1))
  })
}

// pdf.js lets some of what it finds in damaged files go unhandled, beside the failure that it tells: that one decides.
process.on('unhandledRejection', () => undefined)

main().then(
  () => process.exit(0),
  (error: unknown) => {
    // Nothing else of it is told: its message may quote the file.
    send(jsonFrame(frameKind.failure, error instanceof AppError ? { code: error.code } : {}))
    process.exit(0)
  },
)
