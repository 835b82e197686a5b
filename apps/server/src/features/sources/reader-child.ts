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
import { chunksBytesOf, DamagedFileError, openedWith, unpaced } from '../../providers/files/file-cipher'
import { PieceReader } from '../../providers/files/piece-reader'
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

/** Resolves once the file is here. Throws DamagedFileError. */
async function readInput(): Promise<{ header: FileToRead; bytes: Uint8Array }> {
  // The end of the input is the end of the server.
  process.stdin.once('end', () => process.exit(1))
  const input = new PieceReader(process.stdin)
  const headerLength = (await input.take(4)).readUInt32BE(0)
  const header = z.parse(FileToRead, JSON.parse((await input.take(headerLength)).toString('utf8')))
  const bytes = new Uint8Array(header.bytes)
  let filled = 0
  for await (const piece of contentOf(header, input)) {
    bytes.set(piece, filled)
    filled += piece.length
  }
  // Its end is told to whoever reads on.
  void input.take(1)
  return { header, bytes }
}

function contentOf({ bytes, fileKey }: FileToRead, input: PieceReader): AsyncIterable<Buffer> {
  if (fileKey === undefined) return input.pieces(bytes)
  return openedWith(Buffer.from(fileKey, 'base64'), input.pieces(chunksBytesOf(bytes)), unpaced)
}

// pdf.js lets some of what it finds in damaged files go unhandled, beside the failure that it tells: that one decides.
process.on('unhandledRejection', () => undefined)

main().then(
  () => process.exit(0),
  (error: unknown) => {
    // Nothing else of it is told: its message may quote the file.
    const code = error instanceof DamagedFileError ? 'source.store' : error instanceof AppError ? error.code : undefined
    send(jsonFrame(frameKind.failure, code === undefined ? {} : { code }))
    process.exit(0)
  },
)
