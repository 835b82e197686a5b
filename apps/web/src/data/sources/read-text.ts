import { AppError } from '@parley/contract/errors'
import type { ReadDocument } from '@parley/contract/read-document'
import type { SourceProgress } from '@parley/contract/sources'

type File = { name: string; mediaType?: string; bytes: Uint8Array<ArrayBuffer> }

/** Reads a plain text: a paragraph for each piece between blank lines. */
export async function readFile(
  { bytes }: File,
  _options: { signal?: AbortSignal; onProgress?(progress: SourceProgress): void },
): Promise<ReadDocument> {
  const text = new TextDecoder().decode(bytes)
  // A control character that no text has.
  if (text.includes('\u0000')) throw new AppError('source.type')
  const blocks = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => ({ kind: 'paragraph' as const, text: paragraph }))
  if (blocks.length === 0) throw new AppError('source.no-text')
  return { blocks, notices: [] }
}
