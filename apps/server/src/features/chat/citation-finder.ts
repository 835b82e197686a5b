import type { SourcePart } from '@parley/contract/parts'
import { citationsOf, type SentSource } from '@parley/contract/sent-sources'

/**
 * Finds what an answer cites while it is written, each number once. Told before the text that cites it is shown, so
 * that no text is anywhere without its citations, whenever a node dies. It looks at the last line alone: what is told
 * early and turns out to be no citation, such as a link, is not among those of the end, which `citationsOf` finds in
 * the whole text.
 */
export class CitationFinder {
  /** The line that is being written, or the fenced code. */
  private open = ''
  private readonly found = new Set<number>()

  constructor(private readonly sent: readonly SentSource[]) {}

  add(text: string): SourcePart[] {
    if (this.sent.length === 0) return []
    const isInFence = hasOpenFence(this.open)
    this.open += text
    // Code may be long, and only a fence ends it.
    if (isInFence && !text.includes('`')) return []
    const fresh = this.open.includes(']') ? this.citedIn(this.open) : []
    const end = this.open.lastIndexOf('\n') + 1
    if (!hasOpenFence(this.open.slice(0, end))) this.open = this.open.slice(end)
    return fresh
  }

  private citedIn(text: string): SourcePart[] {
    // A code span that is not closed yet may be one.
    const line = text.slice(text.lastIndexOf('\n') + 1)
    const isClosed = line.split('`').length % 2 === 1
    const stable = isClosed ? text : text.slice(0, text.length - line.length)
    const fresh = citationsOf(stable, this.sent).filter(({ n }) => !this.found.has(n))
    for (const { n } of fresh) this.found.add(n)
    return fresh
  }
}

/** As `citationsOf` reads code. The group is empty where a fence is not closed. */
const code = /```[\s\S]*?(```|$)|`[^`\n]*`/g

const hasOpenFence = (text: string): boolean => [...text.matchAll(code)].at(-1)?.[1] === ''
