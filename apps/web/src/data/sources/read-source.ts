import type { ReadDocument } from '@parley/contract/read-document'
import type { Source } from '@parley/contract/sources'
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
    /** Of a website or video: its text in UTF-8, its title, and what the server found there. */
    bytes?: number
    name?: string
    type?: Source['type']
    /** ISO 8601 UTC. */
    fetchedAt?: string
  }
}

type File = { file: Blob; name: string; mediaType: string }

export async function readSource({ file, name, mediaType }: File, options: ReadOptions): Promise<ReadResult> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const document = await readFile({ name, mediaType, bytes }, options)
  return resultOf(document, mediaTypeOf(name, bytes))
}

/** Of a website or video, which came as its text. */
export async function indexSource(document: ReadDocument): Promise<ReadResult> {
  const { facts, ...texts } = await resultOf(document)
  const utf8 = new TextEncoder()
  const bytes = document.blocks.reduce((sum, block) => sum + utf8.encode(textOf(block)).length, 0)
  return { ...texts, facts: { ...facts, bytes } }
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
      characters: document.blocks.reduce((sum, block) => sum + textOf(block).length, 0),
      ...{ passages: passages.length, notices },
    },
  }
}

const textOf = (block: ReadDocument['blocks'][number]): string =>
  block.kind === 'table' ? block.rows.flat().join('') : block.text
