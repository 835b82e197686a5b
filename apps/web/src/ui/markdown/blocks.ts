/** A top-level piece of an answer, small enough to be rendered again on each update while it is the last one. */
export type Block = ProseBlock | CodeBlock | MathBlock | TableBlock | PictureBlock

type Placed = {
  /** Offset of the block in the answer: it never changes, so it is the block's React key. */
  readonly key: number
  /** A piece of something too long for one block: drawn without the gap before it. */
  readonly isContinuation: boolean
}

type ProseBlock = Placed & {
  readonly kind: 'prose'
  readonly text: string
  /** The number of the first item, for the second and later pieces of a long numbered list. */
  readonly listStart?: number
  /** Reference definitions from other blocks, in Markdown. */
  readonly definitions?: string
}

type CodeBlock = Placed & {
  readonly kind: 'code'
  readonly language: string
  readonly code: string
  readonly isClosed: boolean
}

/** `source` keeps the delimiters: it is what is shown while the formula is not closed or cannot be drawn. */
type MathBlock = Placed & {
  readonly kind: 'math'
  readonly source: string
  readonly tex: string
  readonly isClosed: boolean
}

type TableBlock = Placed & {
  readonly kind: 'table'
  /** Header row and delimiter row. */
  readonly head: string
  /** The body rows, `tableSegmentRows` in each but the last. */
  readonly segments: readonly string[]
  readonly rowCount: number
  readonly definitions?: string
}

type PictureBlock = Placed & {
  readonly kind: 'picture'
  readonly alt: string /** Empty while it is not whole. */
  readonly url: string
}

/**
 * The costs that may be spent at once. Changing one changes where long things are cut, never what a short answer looks
 * like.
 */
export const budget = {
  /** Characters of Markdown that are parsed again on each update. */
  maxProse: 4_000,
  /** A list is cut at an item from here on. */
  listSplit: 2_000,
  /** A code block inside a list leaves the list when it is longer. */
  maxNestedCode: 8_000,
  /** A longer line is cut into pieces. */
  maxLine: 4_000,
  /** So is a longer word: finding its line breaks takes time that grows with its square. */
  maxWord: 1_500,
  maxPicture: 3_000_000,
  tableSegmentRows: 20,
} as const
