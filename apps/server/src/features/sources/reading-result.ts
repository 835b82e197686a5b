import type { DocumentBlock, ReadDocument } from '@parley/contract/read-document'
import { maxTitleLength, type ReadingResult } from './reader-frames'

const excerptLength = 500

/** What is kept of a document beside its text. */
export function resultOf(document: ReadDocument, passages: number): Omit<ReadingResult, 'mediaType'> {
  const texts = document.blocks.map(textOf)
  return {
    ...(document.title === undefined ? {} : { title: document.title.slice(0, maxTitleLength) }),
    ...(document.pages === undefined ? {} : { pages: document.pages }),
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    passages,
    notices: document.notices,
    excerpt: excerptOf(texts),
  }
}

const textOf = (block: DocumentBlock): string =>
  block.kind === 'table' ? block.rows.map((row) => row.join('\t')).join('\n') : block.text

function excerptOf(texts: readonly string[]): string {
  let excerpt = ''
  for (const text of texts) {
    if (excerpt.length >= excerptLength) break
    excerpt += `${excerpt === '' ? '' : '\n'}${text.slice(0, excerptLength)}`
  }
  return excerpt.slice(0, excerptLength)
}
