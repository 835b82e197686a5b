import * as z from 'zod/mini'
import { limits } from './limits/shared'
import type { SourcePart } from './parts'

// What of a channel's sources goes along with a question: whole texts where they fit, else passages. `n` is the number
// by which the answer cites a passage: [n]. Numbers begin at 1 and are unique in a question.

export const SentPassage = z.object({
  n: z.int().check(z.positive(), z.maximum(limits.sources.maxSentPassages)),
  text: z.string().check(z.minLength(1)),
  page: z.optional(z.int().check(z.positive())),
  headings: z.optional(z.array(z.string()).check(z.maxLength(10))),
})
export type SentPassage = z.infer<typeof SentPassage>

export const SentSource = z.object({
  fileId: z.string().check(z.minLength(1), z.maxLength(200)),
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

/** `compressedDocuments` is this as JSON, raw deflate, base64: at most `limits.sources.maxCompressedBytes`. */
export const SentSources = z.object({
  v: z.literal(1),
  sources: z.array(SentSource).check(z.maxLength(limits.sources.maxPerChannel)),
})
export type SentSources = z.infer<typeof SentSources>

/** `[2]` or `[2, 5]`, not `[2](address)`, `[2]: address` nor an index such as `a[2]`. */
const citation = /(?<![\p{L}\p{N}\])_])\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?![(:[])/gu

/** Where a text without code cites, and which numbers. */
export function citationsIn(text: string): { from: number; to: number; numbers: number[] }[] {
  return [...text.matchAll(citation)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    numbers: (match[1] ?? '').split(',').map(Number),
  }))
}

/** The numbers that a text cites, in the order of their first mention. A number in code is one too: code is not cited. */
export function citedNumbers(text: string): number[] {
  const outsideCode = text.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ')
  return [...new Set(citationsIn(outsideCode).flatMap(({ numbers }) => numbers))]
}

/** The parts for what a text cites of what was sent; a number that was not sent is no citation. */
export function citationsOf(text: string, sent: readonly SentSource[]): SourcePart[] {
  return citedNumbers(text).flatMap((n) => {
    for (const { fileId, name, url, passages } of sent) {
      const passage = passages.find((candidate) => candidate.n === n)
      if (!passage) continue
      const page = passage.page === undefined ? {} : { page: passage.page }
      const origin = url === undefined ? { fileId } : { fileId, url }
      return [{ type: 'source' as const, n, title: name, ...origin, ...page, passage: passage.text }]
    }
    return []
  })
}
