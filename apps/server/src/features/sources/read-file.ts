import { AppError } from '@parley/contract/errors'
import type { Passage, ReadDocument } from '@parley/contract/read-document'

/** Plain text alone, until the library of readers is here. */
export async function readFile({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<ReadDocument> {
  if (!name.toLowerCase().endsWith('.txt')) throw new AppError('source.type')
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '')
  const blocks = text.split(/\n\s*\n/).flatMap((paragraph) => {
    const trimmed = paragraph.trim()
    return trimmed === '' ? [] : [{ kind: 'paragraph' as const, text: trimmed }]
  })
  if (blocks.length === 0) throw new AppError('source.no-text')
  return { blocks, notices: [] }
}

export function passagesOf({ blocks }: ReadDocument): Passage[] {
  return blocks.map((block, index) => ({
    index,
    text: 'text' in block ? block.text : '',
    headings: [],
    blocks: [index, index + 1],
  }))
}
