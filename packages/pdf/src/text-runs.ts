import type { FontSlice } from './font-slices'
import { sliceFor } from './font-slices'

export type TextStyle = {
  family?: 'sans' | 'mono'
  bold?: boolean
  italics?: boolean
  decoration?: 'lineThrough' | 'underline'
  color?: string
  background?: string
  link?: string
  fontSize?: number
}
export type TextRun = Omit<TextStyle, 'family'> & { text: string; font: string }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const missing = '□'
const plain = /^[\x20-\x7e\n\u00a0-\u00ff]*$/

/** Splits a text into runs of one font each and remembers which fonts the document needs. */
export class TextRuns {
  readonly used = new Map<string, FontSlice>()

  of(text: string, { family = 'sans', ...style }: TextStyle = {}): TextRun[] {
    const clean = cleanText(text)
    const basic = sliceFor('a', family)
    if (!basic) return []
    if (plain.test(clean)) return clean === '' ? [] : [this.run(clean, basic, style)]

    const runs: TextRun[] = []
    let current = basic
    let waiting = ''
    const flush = (): void => {
      if (waiting !== '') runs.push(this.run(waiting, current, style))
      waiting = ''
    }
    for (const { segment } of graphemes.segment(clean)) {
      // The space of a font of signs is as wide as a sign.
      const slice = /^\s/.test(segment)
        ? current.name.startsWith('emoji')
          ? basic
          : current
        : sliceFor(segment, family)
      const next = slice ?? basic
      if (next !== current) {
        flush()
        current = next
      }
      waiting += slice ? drawable(segment) : missing
    }
    flush()
    return runs
  }

  private run(text: string, slice: FontSlice, style: Omit<TextStyle, 'family'>): TextRun {
    this.used.set(slice.name, slice)
    return { text, font: slice.name, ...style }
  }
}

/** Marks that only choose a presentation have no picture of their own. */
const drawable = (grapheme: string): string => grapheme.replace(/[\ufe0e\ufe0f]/g, '')

/**
 * Without what a PDF cannot show: control characters, halves of surrogate pairs, marks that turn the direction of
 * reading.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\t/g, '    ')
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
}
