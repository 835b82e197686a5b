// What the reader's worker does. It knows no storage and no keys: files come in, and what is stored goes out.
import { AppError } from '@parley/contract/errors'
import type { ReadDocument } from '@parley/contract/read-document'
import type { SourceProgress } from '@parley/contract/sources'
import { deflated } from './deflate'
import { readFile } from './read-text'

/** What is stored of a source that was read. The texts are JSON, deflated. */
export type ReadResult = {
  text: Uint8Array<ArrayBuffer>
  title?: string
  pages?: number
  characters: number
  notices: string[]
}

export type ToReader =
  | { kind: 'digest'; id: number; file: Blob }
  | { kind: 'read'; id: number; file: Blob; name: string; mediaType: string }

export type FromReader =
  | { id: number; progress: SourceProgress }
  | { id: number; digest: string }
  | { id: number; read: ReadResult }
  | { id: number; failure: string }

export function serveReader(
  reply: (message: FromReader, transfer?: Transferable[]) => void,
): (message: ToReader) => void {
  async function answer(message: ToReader): Promise<void> {
    const { id } = message
    try {
      const bytes = new Uint8Array(await message.file.arrayBuffer())
      if (message.kind === 'digest') return reply({ id, digest: hex(await crypto.subtle.digest('SHA-256', bytes)) })
      const { name, mediaType } = message
      const onProgress = (progress: SourceProgress): void => reply({ id, progress })
      const read = await resultOf(await readFile({ name, mediaType, bytes }, { onProgress }))
      reply({ id, read }, [read.text.buffer])
    } catch (error) {
      reply({ id, failure: error instanceof AppError ? error.code : 'source.unreadable' })
    }
  }
  return (message) => void answer(message)
}

async function resultOf(document: ReadDocument): Promise<ReadResult> {
  const { title, pages, notices } = document
  return {
    text: await deflated(JSON.stringify(document)),
    ...(title === undefined ? {} : { title }),
    ...(pages === undefined ? {} : { pages }),
    characters: document.blocks.reduce((sum, block) => sum + lengthOf(block), 0),
    notices,
  }
}

function lengthOf(block: ReadDocument['blocks'][number]): number {
  if (block.kind !== 'table') return block.text.length
  return block.rows.reduce((sum, row) => sum + row.reduce((length, cell) => length + cell.length, 0), 0)
}

const hex = (digest: ArrayBuffer): string =>
  Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
