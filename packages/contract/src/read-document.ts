import * as z from 'zod/mini'

// What a reader makes of a file, website or video: its text with the structure that citations and models need. Devices
// and server read with the same library and speak of it in these words.

const Count = z.int().check(z.nonnegative())
/** 1-based: page of a document, slide, sheet; of a video the second at which it is said, plus one. */
const page = z.optional(z.int().check(z.positive()))

const Part = z.number().check(z.minimum(0), z.maximum(1))
/**
 * A line that was recognised in the picture of a page, and where it stands: the left, top, right and bottom of its box,
 * as parts of the page's width and height.
 */
export const ScannedLine = z.object({ text: z.string(), box: z.tuple([Part, Part, Part, Part]) })
export type ScannedLine = z.infer<typeof ScannedLine>

export const DocumentBlock = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), level: z.int().check(z.minimum(1), z.maximum(6)), text: z.string(), page }),
  /** `lines`: of a scanned page. */
  z.object({ kind: z.literal('paragraph'), text: z.string(), page, lines: z.optional(z.array(ScannedLine)) }),
  z.object({ kind: z.literal('list-item'), level: Count, text: z.string(), page }),
  /** The first row is the header where `hasHeader`. */
  z.object({ kind: z.literal('table'), rows: z.array(z.array(z.string())), hasHeader: z.boolean(), page }),
  z.object({ kind: z.literal('code'), text: z.string(), page }),
  z.object({ kind: z.literal('footnote'), text: z.string(), page }),
])
export type DocumentBlock = z.infer<typeof DocumentBlock>

export const ReadDocument = z.object({
  /** What the file calls itself, where it does. */
  title: z.optional(z.string()),
  blocks: z.array(DocumentBlock),
  /** How many pages, slides or sheets there are, where the kind has them. */
  pages: z.optional(Count),
  /**
   * What a person should know: `first-pages` (only the first pages were read), `first-text` (the text was cut at the
   * limit), `from-picture` (the text was recognised in pictures), `no-text`, `damaged` (what could be read is there).
   */
  notices: z.array(z.string()),
})
export type ReadDocument = z.infer<typeof ReadDocument>

/** A piece of a document that is searched for and sent. */
export const Passage = z.object({
  /** Its position among the document's passages, from 0. */
  index: Count,
  text: z.string(),
  /** Where it begins. */
  page,
  /** The headings that it stands under, outermost first. */
  headings: z.array(z.string()),
  /** The blocks that it is made of: the first, and the one after the last. */
  blocks: z.tuple([Count, Count]),
})
export type Passage = z.infer<typeof Passage>
