import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { sourceExtensions } from '@parley/contract/limits/sources'

const { specified, more, code } = sourceExtensions
const extensions = new Set<string>([...specified, ...more, ...code])
const pictures: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  bmp: 'image/bmp',
  gif: 'image/gif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
}
const others: Record<string, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  html: 'text/html',
  htm: 'text/html',
  csv: 'text/csv',
  md: 'text/markdown',
  eml: 'message/rfc822',
  json: 'application/json',
}

export type FileName = { name: string; mediaType: string; isPicture: boolean }

/**
 * The name without a path and without what shows itself as something else, and the media type that it promises; what is
 * in the file the reader finds out. Throws source.type.
 */
export function fileNameOf(given: string): FileName {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim()
  const extension = /\.([A-Za-z0-9]+)$/.exec(clean)?.[1]?.toLowerCase() ?? ''
  if (!extensions.has(extension)) throw new AppError('source.type')
  const stem = clean.slice(0, -extension.length - 1)
  const room = limits.sources.maxNameLength - extension.length - 1
  const mediaType = pictures[extension] ?? others[extension] ?? 'text/plain'
  const name = `${stem.slice(0, room).replace(/\p{Cs}/gu, '') || 'document'}.${extension}`
  return { name, mediaType, isPicture: extension in pictures }
}
