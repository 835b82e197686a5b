import * as z from 'zod/mini'
import { limits } from './limits/shared'
import type { FilePart, SourcePart } from './parts'
import { estimateTokens } from './token-estimate'

// What of a channel's sources goes along with a question: whole texts where they fit, else passages. `n` is the number
// by which the answer cites a passage: [n]. Numbers begin at 1 and are unique in a question.

/** A citation has three digits at most. */
const mostNumber = 999
const maxFileIdLength = 200

export const SentPassage = z.object({
  n: z.int().check(z.positive(), z.maximum(mostNumber)),
  text: z.string().check(z.minLength(1)),
  page: z.optional(z.int().check(z.positive())),
  headings: z.optional(z.array(z.string()).check(z.maxLength(10))),
})
export type SentPassage = z.infer<typeof SentPassage>

export const SentSource = z.object({
  fileId: z.string().check(z.minLength(1), z.maxLength(maxFileIdLength)),
  name: z.string().check(z.minLength(1), z.maxLength(limits.sources.maxNameLength)),
  mediaType: z.string().check(z.maxLength(200)),
  bytes: z.int().check(z.nonnegative()),
  url: z.optional(z.string().check(z.maxLength(limits.sources.maxUrlLength))),
  pages: z.optional(z.int().check(z.nonnegative())),
  /** whole: every passage of it is here. */
  reading: z.enum(['whole', 'passages']),
  /** How many passages it has in all. */
  of: z.int().check(z.nonnegative()),
  passages: z.array(SentPassage),
})
export type SentSource = z.infer<typeof SentSource>

const foundPrefix = 'web:'

/** The id of a page that a search of the web found for one question: nobody keeps it. */
export const foundFileId = (url: string): string => `${foundPrefix}${url}`.slice(0, maxFileIdLength)

/** Whether a source is such a page. Its citations lead to its address alone. */
export const isFound = ({ fileId }: Pick<SentSource, 'fileId'>): boolean => fileId.startsWith(foundPrefix)

/** `compressedDocuments` is this as JSON, raw deflate, base64: at most `limits.sources.maxCompressedBytes`. */
export const SentSources = z.object({
  v: z.literal(1),
  sources: z.array(SentSource).check(z.maxLength(limits.sources.maxPerChannel)),
})
export type SentSources = z.infer<typeof SentSources>

/** `[2]`, `[2, 5]` or `[2][5]`, not `[2](address)`, `[2]: address`, `[2][name]` nor an index such as `a[2]`. */
const citation = /(?<![\p{L}\p{N}\])_])(?:\[\d{1,3}(?:\s*,\s*\d{1,3})*\])+(?![(:[])/gu

const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

/** Where a text without code cites, and which numbers. */
export function citationsIn(text: string): { from: number; to: number; numbers: number[] }[] {
  return [...text.matchAll(citation)].map(({ 0: cited, index }) => ({
    ...{ from: index, to: index + cited.length },
    numbers: [...cited.matchAll(/\d+/g)].map(Number),
  }))
}

/**
 * The numbers that a text cites, in the order of their first mention. A number in code is one too: code is not cited.
 */
export function citedNumbers(text: string): number[] {
  const outsideCode = text.replace(code, ' ')
  return [...new Set(citationsIn(outsideCode).flatMap(({ numbers }) => numbers))]
}

/** The parts for what a text cites of what was sent; a number that was not sent is no citation. */
export function citationsOf(text: string, sent: readonly SentSource[]): SourcePart[] {
  return citedNumbers(text).flatMap((n) => {
    for (const source of sent) {
      const { fileId, name, url, passages } = source
      const passage = passages.find((candidate) => candidate.n === n)
      if (!passage) continue
      const page = passage.page === undefined ? {} : { page: passage.page }
      const origin = { ...(isFound(source) ? {} : { fileId }), ...(url === undefined ? {} : { url }) }
      return [{ type: 'source' as const, n, title: name, ...origin, ...page, passage: passage.text }]
    }
    return []
  })
}

/** What of the sources goes along with a question, as the answer keeps it. `pictures`: those that go as pictures. */
export function readParts(sent: readonly SentSource[], pictures: readonly { fileId: string }[] = []): FilePart[] {
  return sent.map(({ fileId, name, mediaType, bytes, url, pages, reading, of, passages }) => ({
    ...{ type: 'file' as const, fileId, name, mediaType, bytes },
    ...(pictures.some((picture) => picture.fileId === fileId)
      ? { reading: 'picture' as const }
      : { reading, sent: passages.length, of }),
    ...(pages === undefined ? {} : { pages }),
    ...(url === undefined ? {} : { url }),
  }))
}

/** Of an answer whose search of the web found nothing that could be read: it is told among what was read. */
export const nothingFound: FilePart = {
  ...{ type: 'file', fileId: foundPrefix, name: 'Web', mediaType: 'text/html', bytes: 0 },
  ...{ reading: 'passages', sent: 0, of: 0 },
}

export const isNothingFound = ({ fileId }: Pick<FilePart, 'fileId'>): boolean => fileId === foundPrefix

/**
 * The sources with the numbers by which an answer has cited them already, so that it can be continued: what it cites
 * keeps its number, and goes along even where it was not chosen again; the rest gets numbers that are free.
 */
export function numberedAfter(sent: readonly SentSource[], cited: readonly SourcePart[]): SentSource[] {
  const taken = new Set(cited.map(({ n }) => n))
  let last = 0
  const nextFree = (): number => {
    do last++
    while (taken.has(last))
    return last
  }
  const known = new Map(cited.map((part) => [spellingOf(part.fileId, part.passage), part.n]))
  const numbered = sent.map((source) => ({
    ...source,
    passages: source.passages.map((passage) => ({
      ...passage,
      n: known.get(spellingOf(source.fileId, passage.text)) ?? nextFree(),
    })),
  }))
  const isSent = new Set(numbered.flatMap(({ passages }) => passages.map(({ n }) => n)))
  for (const part of cited) if (!isSent.has(part.n)) addCited(numbered, part)
  return numbered
}

const spellingOf = (fileId: string | undefined, passage: string): string => JSON.stringify([fileId, passage])

/** A source that is gone, or is switched off, is asked about no more: what it said before stands in the answer. */
function addCited(numbered: SentSource[], { n, fileId, passage, page }: SourcePart): void {
  const source = numbered.find((each) => each.fileId === fileId)
  source?.passages.push({ n, text: passage, ...(page === undefined ? {} : { page }) })
}

/** Of a passage, for its number, its place and the lines around it. */
const passageTokens = 24

/** How many tokens sources take of a prompt, as it is likely to be counted. */
export function tokensOfSources(sent: readonly SentSource[]): number {
  return sent.reduce((sum, { passages }) => sum + tokensOf(passages), 0)
}

const tokensOf = (passages: readonly SentPassage[]): number =>
  passages.reduce((sum, { text }) => sum + estimateTokens(text) + passageTokens, 0)

/** The tokens that sources may take of a prompt. `maxTokens`: of the whole prompt, where somebody's money bounds it. */
export function roomForSources(windowTokens: number, maxTokens: number = Number.POSITIVE_INFINITY): number {
  return Math.floor(Math.min(windowTokens, maxTokens) / limits.sources.windowShare)
}

/** As `roomForSources`, of what a search of the web finds. */
export function roomForSearch(windowTokens: number, maxTokens: number = Number.POSITIVE_INFINITY): number {
  const { windowShare, maxTokens: most } = limits.webSearch
  return Math.min(most, Math.floor(Math.min(windowTokens, maxTokens) / windowShare))
}

/** As much of the sources as fits: of the one that takes most, the last passages are left out. */
export function fitSources(sent: readonly SentSource[], roomTokens: number): SentSource[] {
  const fitted = sent.map((source) => ({ source, passages: [...source.passages], tokens: tokensOf(source.passages) }))
  let total = fitted.reduce((sum, { tokens }) => sum + tokens, 0)
  while (total > roomTokens) {
    const largest = fitted.reduce((one, other) => (other.tokens > one.tokens ? other : one))
    const last = largest.passages.pop()
    if (!last) break
    const tokens = tokensOf([last])
    largest.tokens -= tokens
    total -= tokens
  }
  return fitted.map(({ source, passages }) => ({
    ...source,
    passages,
    ...(passages.length < source.passages.length ? { reading: 'passages' as const } : {}),
  }))
}
