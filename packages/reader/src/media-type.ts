import { sourceExtensions } from '@parley/contract/limits/sources'
import { decodeText, looksLikeText } from './text-encoding'
import { textMediaTypes } from './text-media-types'
import { openZip } from './zip'

export const unknownMediaType = 'application/octet-stream'
export const protectedMediaType = 'application/x-encrypted-office'

/** Ends the name of a file: lower case, without the dot; empty where there is none. Folders in a name do not count. */
export function extensionOf(name: string): string {
  return /\.([^./\\]{1,12})$/.exec(name.trim())?.[1]?.toLowerCase() ?? ''
}

const { specified, more, code } = sourceExtensions
const readable = new Set<string>([...specified, ...more, ...code])

/** Whether files of such a name can be read; what is in it shows only when it is opened. */
export function isReadable(name: string): boolean {
  return readable.has(extensionOf(name))
}

/**
 * The real kind of a file, by its content; among texts also by its name. `unknownMediaType` for what cannot be read.
 */
export function mediaTypeOf(name: string, bytes: Uint8Array): string {
  const binary = binaryTypeOf(bytes)
  if (binary) return binary
  if (!looksLikeText(bytes)) return unknownMediaType
  const head = decodeText(bytes, 2_000).trimStart()
  if (head.startsWith('{\\rtf')) return 'application/rtf'
  const byName = textMediaTypes[extensionOf(name)]
  if (byName) return byName
  if (/^<!doctype html|^<html[\s>]/i.test(head)) return 'text/html'
  if (head.startsWith('<?xml')) return /<html[\s>]/i.test(head) ? 'text/html' : 'application/xml'
  return 'text/plain'
}

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

const isRiffWebp = (bytes: Uint8Array): boolean => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'

function binaryTypeOf(bytes: Uint8Array): string | undefined {
  const head = ascii(bytes, 0, Math.min(bytes.length, 1024))
  if (head.includes('%PDF-')) return 'application/pdf'
  if (head.startsWith('PK\u0003\u0004')) return zipTypeOf(bytes)
  if (head.startsWith('\u0089PNG')) return 'image/png'
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (head.startsWith('BM') && bytes.length > 26 && bytes[15] === 0 && bytes[16] === 0) return 'image/bmp'
  if (head.startsWith('II*\u0000') || head.startsWith('MM\u0000*')) return 'image/tiff'
  if (isRiffWebp(bytes)) return 'image/webp'
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0')) return oleTypeOf(bytes)
  return undefined
}

/** Office files with a password are no archives but containers of the old kind; the name of a stream tells. */
function oleTypeOf(bytes: Uint8Array): string {
  const name = 'EncryptedPackage'
  const wanted = new Uint8Array(name.length * 2)
  for (let index = 0; index < name.length; index++) wanted[index * 2] = name.charCodeAt(index)
  return indexOfBytes(bytes, wanted) < 0 ? unknownMediaType : protectedMediaType
}

function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

const openDocument = 'application/vnd.oasis.opendocument.'
const officeDocument = 'application/vnd.openxmlformats-officedocument.'
const byEntry: [string, string][] = [
  ['word/document.xml', `${officeDocument}wordprocessingml.document`],
  ['ppt/presentation.xml', `${officeDocument}presentationml.presentation`],
  ['xl/workbook.xml', `${officeDocument}spreadsheetml.sheet`],
  ['META-INF/container.xml', 'application/epub+zip'],
]
const byFolder: [string, string][] = [
  ['word/', `${officeDocument}wordprocessingml.document`],
  ['ppt/', `${officeDocument}presentationml.presentation`],
  ['xl/', `${officeDocument}spreadsheetml.sheet`],
  ['OEBPS/', 'application/epub+zip'],
]
const ofMimetype = [`${openDocument}text`, `${openDocument}presentation`, `${openDocument}spreadsheet`]

/** Archives that are no document, and archives in archives, are none that is read. */
function zipTypeOf(bytes: Uint8Array): string {
  // OpenDocument and EPUB say what they are in a first entry that is not compressed.
  const said = /^mimetype([a-z0-9.+/-]+)/.exec(ascii(bytes, 30, 160))?.[1] ?? ''
  if (said.startsWith('application/epub+zip')) return 'application/epub+zip'
  const openType = ofMimetype.find((type) => said.startsWith(type))
  if (openType) return openType
  const zip = openZip(bytes)
  const known = byEntry.find(([entry]) => zip.has(entry))
  if (known) return known[1]
  return byFolder.find(([folder]) => zip.names.some((name) => name.startsWith(folder)))?.[1] ?? unknownMediaType
}
