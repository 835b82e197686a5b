import { readFileSync } from 'node:fs'
import type { DocumentBlock } from '@parley/contract/read-document'
import { seeded } from '@parley/reader/testing/seeded'
import { fileOf } from './files'
import { filled, fillerHeadings, fillerParagraph, type Language, valuesOf } from './texts'

export type Kind = 'sentence' | 'table' | 'footnote'
/**
 * `gold`: what a passage has that answers it: the answer with a little of what stands around it. `isKeptAside`: written
 * without the search in view, which was never tuned on it.
 */
export type Question = {
  document: number
  language: Language
  kind: Kind
  text: string
  gold: string
  isKeptAside: boolean
}
export type BenchDocument = { name: string; bytes: Uint8Array; language: Language }

const languages: Language[] = ['en', 'pt', 'es']
const copies = 2
const fillerSections = 8
const fillerParagraphs = 4

/** Two documents of each of seven kinds in each language: the same sentences about other people, with other numbers. */
export function makeCorpus(): { documents: BenchDocument[]; questions: Question[] } {
  const documents: BenchDocument[] = []
  const questions: Question[] = []
  for (const language of languages) {
    const source = readFileSync(new URL(`facts.${language}.txt`, import.meta.url), 'utf8')
    for (const kind of source.split(/^(?=# )/m))
      for (let copy = 0; copy < copies; copy++) {
        const index = documents.length
        const { blocks, asked } = write(kind, language, index)
        documents.push({ ...fileOf(blocks, index), language })
        for (const question of asked) questions.push({ ...question, document: index, language })
      }
  }
  return { documents, questions }
}

type Asked = Pick<Question, 'kind' | 'text' | 'gold' | 'isKeptAside'>

function write(source: string, language: Language, index: number): { blocks: DocumentBlock[]; asked: Asked[] } {
  const random = seeded(index + 1)
  const values = valuesOf(index, language, random)
  const sections: DocumentBlock[][] = []
  const asked: Asked[] = []
  let rows: string[][] = []
  let last = { kind: 'sentence' as Kind, text: '' }
  let question = ''
  const section = () => sections.at(-1) ?? []
  const filler = () => section().push({ kind: 'paragraph', text: fillerParagraph(language, values, random) })
  for (const line of source.split('\n')) {
    const [, mark = '', rest = ''] = /^(#+|\w+:) (.*)$/.exec(line) ?? []
    const text = filled(rest, values)
    if (mark === '#' || mark === '##') {
      sections.push([{ kind: 'heading', level: mark.length, text }])
      if (mark === '##') filler()
    } else if (mark === 's:') {
      section().push({ kind: 'paragraph', text: `${text} ${fillerParagraph(language, values, random)}` })
      filler()
      last = { kind: 'sentence', text }
    } else if (mark === 'f:') {
      section().push({ kind: 'footnote', text: `1 ${text}` })
      last = { kind: 'footnote', text }
    } else if (mark === 'th:') {
      rows = [text.split(' | ')]
      section().push({ kind: 'table', rows, hasHeader: true })
    } else if (mark === 't:') {
      rows.push(text.split(' | '))
      last = { kind: 'table', text: rows.map((row) => row.join(' | ')).join('\n') }
    } else if (mark === 'q:') question = text
    else if (mark === 'a:')
      asked.push({ kind: last.kind, text: question, gold: goldOf(last.text, text, question), isKeptAside: false })
    else if (mark === 'k:') {
      const of = asked.at(-1)
      if (of) asked.push({ ...of, text, isKeptAside: true })
    }
  }
  const [title = [], ...others] = sections
  const headings = fillerHeadings[language].split('|')
  const more = Array.from({ length: fillerSections }, (_, n): DocumentBlock[] => [
    { kind: 'heading', level: 2, text: headings[n] ?? '' },
    ...Array.from(
      { length: fillerParagraphs },
      (): DocumentBlock => ({ kind: 'paragraph', text: fillerParagraph(language, values, random) }),
    ),
  ])
  const order = [...others, ...more].map((each) => ({ each, at: random(1_000) })).sort((one, two) => one.at - two.at)
  return { blocks: [...title, ...order.flatMap(({ each }) => each)], asked }
}

const around = 10

function goldOf(text: string, answer: string, question: string): string {
  const at = text.indexOf(answer)
  if (at < 0) throw new Error(`the answer to "${question}" is not in "${text}"`)
  return text.slice(Math.max(0, at - around), at + answer.length + 1)
}
