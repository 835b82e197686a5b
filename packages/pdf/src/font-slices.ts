import emojiRanges from '@fontsource/noto-emoji/unicode.json' with { type: 'json' }
import sansRanges from '@fontsource/noto-sans/unicode.json' with { type: 'json' }
import monoRanges from '@fontsource/noto-sans-mono/unicode.json' with { type: 'json' }
import chineseRanges from '@fontsource/noto-sans-sc/unicode.json' with { type: 'json' }

/** A part of a font that covers some characters. Only the slices that a document needs are loaded. */
export type FontSlice = {
  /** Its name among the document's fonts. */
  name: string
  files: { normal: string; bold: string; italics: string; bolditalics: string }
  covers: (codePoint: number) => boolean
}

type Family = 'sans' | 'mono' | 'emoji' | 'chinese'
type Package = { folder: string; ranges: Record<string, string>; hasBold: boolean; hasItalics: boolean }

const packages: Record<Family, Package> = {
  sans: { folder: 'noto-sans', ranges: sansRanges, hasBold: true, hasItalics: true },
  mono: { folder: 'noto-sans-mono', ranges: monoRanges, hasBold: true, hasItalics: false },
  chinese: { folder: 'noto-sans-sc', ranges: chineseRanges, hasBold: false, hasItalics: false },
  emoji: { folder: 'noto-emoji', ranges: emojiRanges, hasBold: false, hasItalics: false },
}

const slicesOf = Object.fromEntries(Object.entries(packages).map(([family, each]) => [family, slices(family, each)]))

function slices(family: string, { folder, ranges, hasBold, hasItalics }: Package): FontSlice[] {
  return Object.entries(ranges).map(([key, text]) => {
    const subset = key.replace(/[[\]]/g, '')
    // woff, not woff2: the PDF library's font reader fails on some glyphs of the latter.
    const file = (weight: number, style: string): string =>
      `${folder}/files/${folder}-${subset}-${weight}-${style}.woff`
    const normal = file(400, 'normal')
    const bold = hasBold ? file(700, 'normal') : normal
    return {
      name: `${family}-${subset}`,
      files: {
        normal,
        bold,
        italics: hasItalics ? file(400, 'italic') : normal,
        bolditalics: hasItalics ? file(700, 'italic') : bold,
      },
      covers: coverage(text),
    }
  })
}

/** `U+0000-00FF,U+131` as a test. */
function coverage(text: string): (codePoint: number) => boolean {
  const ranges = text.split(',').map((range) => {
    const [from = '', to = from] = range.trim().slice(2).split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
  })
  return (codePoint) => ranges.some(([from, to]) => codePoint >= from && codePoint <= to)
}

const order: Record<'sans' | 'mono', Family[]> = {
  sans: ['sans', 'chinese', 'emoji'],
  mono: ['mono', 'sans', 'chinese', 'emoji'],
}
const known = new Map<string, FontSlice | undefined>()
const pictograph = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u

/** The slice that draws a character in a running text or in code; undefined when no font here has it. */
export function sliceFor(character: string, family: 'sans' | 'mono'): FontSlice | undefined {
  const codePoint = character.codePointAt(0) ?? 0
  const key = `${family}${codePoint}`
  if (!known.has(key)) {
    const families: Family[] =
      codePoint > 0xff && pictograph.test(character) ? ['emoji', ...order[family]] : order[family]
    known.set(
      key,
      families.flatMap((each) => slicesOf[each] ?? []).find((slice) => slice.covers(codePoint)),
    )
  }
  return known.get(key)
}
