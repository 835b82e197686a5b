import { AppError } from '@parley/contract/errors'
import type { ReadDocument } from '@parley/contract/read-document'
import { bounds } from './bounds'
import { readDelimited } from './formats/delimited'
import { readDocx } from './formats/docx'
import { readEpub } from './formats/epub'
import { readHtmlFile } from './formats/html'
import { readMail } from './formats/mail'
import { readMarkdown } from './formats/markdown'
import { readOdf } from './formats/odf'
import { readPicture } from './formats/picture'
import { readCode, readJson, readPlain } from './formats/plain'
import { readPptx } from './formats/pptx'
import { readRtf } from './formats/rtf'
import { readTex } from './formats/tex'
import { readTiff } from './formats/tiff'
import { readXlsx } from './formats/xlsx'
import { mediaTypeOf, protectedMediaType, unknownMediaType } from './media-type'
import { readPdf } from './pdf/read-pdf'
import { type FileToRead, ReadEnough, Reading, type ReadOptions } from './reading'
import { decodeText } from './text-encoding'
import { openZip, type Zip } from './zip'

export type { FileToRead, ReadOptions } from './reading'

/**
 * Reads a file into its text with structure. Its content decides what it is, not its name. Throws an AppError with a
 * code `source.…` where nothing of it can be read; what can be read of a damaged one is given with the notice
 * `damaged`.
 */
export async function readFile(file: FileToRead, options: ReadOptions = {}): Promise<ReadDocument> {
  const { bytes, name } = file
  if (bytes.length === 0) throw new AppError('source.empty')
  if (bytes.length > bounds.maxFileBytes) throw new AppError('source.too-large')
  const reading = new Reading(options)
  reading.throwIfCancelled()
  try {
    const type = mediaTypeOf(name, bytes)
    await readAs(type, file, reading)
  } catch (error) {
    keepWhatWasRead(error, reading)
  }
  reading.throwIfCancelled()
  if (reading.isEmpty) {
    if (reading.notices.has('damaged')) throw new AppError('source.damaged')
    reading.notices.add('no-text')
  }
  return reading.document()
}

/** Errors with a code are meant; any other one comes of bytes that are not what the format has. */
function keepWhatWasRead(error: unknown, reading: Reading): void {
  if (error instanceof ReadEnough) return
  const isBroken = !(error instanceof AppError) || error.code === 'source.damaged'
  if (!isBroken) throw error
  if (reading.isEmpty) throw error instanceof AppError ? error : new AppError('source.damaged', { cause: error })
  reading.notices.add('damaged')
}

type Read = (file: FileToRead, reading: Reading, type: string) => Promise<void>

const ofText =
  (read: (text: string, reading: Reading) => Promise<void>): Read =>
  async ({ bytes }, reading) => {
    const text = decodeText(bytes, bounds.maxTextLength + 1)
    await read(text.slice(0, bounds.maxTextLength), reading)
    if (text.length > bounds.maxTextLength) reading.notices.add('first-text')
  }

const ofZip =
  (read: (zip: Zip, reading: Reading) => Promise<void>): Read =>
  async ({ bytes }, reading) => {
    const zip = openZip(bytes)
    if (zip.isDamaged) reading.notices.add('damaged')
    await read(zip, reading)
  }

const office = 'application/vnd.openxmlformats-officedocument.'

const ofPicture: Read = ({ bytes }, reading, type) => readPicture(bytes, reading, type)

const readers: Record<string, Read> = {
  'application/pdf': ({ bytes }, reading) => readPdf(bytes, reading),
  [`${office}wordprocessingml.document`]: ofZip(readDocx),
  [`${office}presentationml.presentation`]: ofZip(readPptx),
  [`${office}spreadsheetml.sheet`]: ofZip(readXlsx),
  'application/vnd.oasis.opendocument.text': ofZip(readOdf),
  'application/vnd.oasis.opendocument.presentation': ofZip(readOdf),
  'application/vnd.oasis.opendocument.spreadsheet': ofZip(readOdf),
  'application/epub+zip': ofZip(readEpub),
  'application/rtf': ({ bytes }, reading) => readRtf(bytes, reading),
  'application/x-tex': ofText(readTex),
  'message/rfc822': ({ bytes }, reading) => readMail(bytes, reading),
  'image/tiff': ({ bytes }, reading) => readTiff(bytes, reading),
  ...Object.fromEntries(['png', 'jpeg', 'gif', 'bmp', 'webp'].map((kind) => [`image/${kind}`, ofPicture])),
  'text/html': ({ bytes }, reading) => readHtmlFile(bytes, reading),
  'text/plain': ofText(readPlain),
  'text/markdown': ofText(readMarkdown),
  'text/csv': ofText(readDelimited),
  'text/tab-separated-values': ofText(readDelimited),
  'text/x-source': ofText(readCode),
  'application/xml': ofText(readCode),
  'application/yaml': ofText(readCode),
  'application/json': ofText(readJson),
}

async function readAs(type: string, file: FileToRead, reading: Reading): Promise<void> {
  if (type === protectedMediaType) throw new AppError('source.protected')
  const read = readers[type]
  if (type === unknownMediaType || !read) throw new AppError('source.type')
  await read(file, reading, type)
}
