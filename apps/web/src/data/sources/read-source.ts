import type { ReadDocument } from '@parley/contract/read-document'
import { createLexicalIndex } from '@parley/reader/lexical-index'
import { mediaTypeOf } from '@parley/reader/media-type'
import { passagesOf } from '@parley/reader/passages'
import { type ReadOptions, readFile } from '@parley/reader/read-file'
import { deflated } from './deflate'

/** What is stored of a source that was read. Both texts are deflated JSON. */
export type ReadResult = {
  text: Blob
  passages: Blob
  facts: {
    /** By what the file holds. */
    mediaType?: string
    pages?: number
    characters: number
    passages: number
    notices: string[]
  }
}

type File = { file: Blob; name: string; mediaType: string }

export async function readSource({ file, name, mediaType }: File, options: ReadOptions): Promise<ReadResult> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const document = await readFile({ name, mediaType, bytes }, options)
  return resultOf(document, mediaTypeOf(name, bytes))
}

async function resultOf(document: ReadDocument, mediaType?: string): Promise<ReadResult> {
  const passages = passagesOf(document)
  const index = createLexicalIndex(passages).toJSON()
  const { pages, notices } = document
  return {
    text: await deflated(JSON.stringify(document)),
    passages: await deflated(JSON.stringify({ passages, index })),
    facts: {
      ...(mediaType === undefined ? {} : { mediaType }),
      ...(pages === undefined ? {} : { pages }),
      characters: document.blocks.reduce((sum, block) => sum + lengthOf(block), 0),
      ...{ passages: passages.length, notices },
    },
  }
}

function lengthOf(block: ReadDocument['blocks'][number]): number {
  if (block.kind !== 'table') return block.text.length
  return block.rows.reduce((sum, row) => sum + row.reduce((length, cell) => length + cell.length, 0), 0)
}
