import { isAboutFilesAlone } from '@parley/contract/context'
import type { SentPassage, SentSource } from '@parley/contract/sent-sources'
import { rankPassages } from '@parley/reader/lexical-index'
import { searchQuestion } from '@parley/reader/search-question'
import type { ChatRequest } from '../llm'

const mostQuotations = 3
const maxLength = 700

type Quotations = { quotations: string[]; areNear: boolean }

/**
 * The passages that are nearest to a question as quotations in Markdown, each with its number; how the sources begin
 * where no word of the question stands in them, or files alone are asked about. `before`: what was asked before, newest
 * first.
 */
export function quotationsFor(quoted: ChatRequest['quoted'], before: readonly string[]): Quotations {
  if (!quoted) return { quotations: [], areNear: false }
  const all = quoted.sources.flatMap((source) =>
    source.passages.map((passage) => ({ source, passage, text: passage.text, headings: passage.headings ?? [] })),
  )
  const question = isAboutFilesAlone(quoted.question) ? '' : quoted.question
  const near = rankPassages(searchQuestion(question, before), all, mostQuotations)
  const first = all.filter(({ source, passage }) => passage === source.passages[0])
  const chosen = near.length > 0 ? near : first.slice(0, mostQuotations)
  return { quotations: chosen.map(({ source, passage }) => quotation(source, passage)), areNear: near.length > 0 }
}

function quotation({ name }: SentSource, { n, page, text }: SentPassage): string {
  const whole = text.trim()
  const shown = whole.length > maxLength ? `${whole.slice(0, maxLength).replace(/\s+\S*$/u, '')} …` : whole
  const lines = shown.split(/\r?\n/).map((line) => `> ${literal(line)}`)
  const place = page === undefined ? '' : `, p. ${page}`
  return `${lines.join('\n')}\n\n— ${literal(name.replace(/\s+/gu, ' '))}${place} [${n}]`
}

/**
 * Of strangers: shown as it is written, without links, pictures, headings, formulas, or numbers that would be
 * citations.
 */
const literal = (line: string): string =>
  line
    .replace(/[\\`*_[\]<>|~$&@]/g, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww\./gi, 'www\\.')
    .replace(/^(\s*)([#+=-])/u, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/u, '$1\\$2')
