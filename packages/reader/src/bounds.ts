import { limits } from '@parley/contract/limits/shared'

/** What reading one file may cost. What goes beyond is left out with a notice, or refused where it is an attack. */
export const bounds = {
  maxFileBytes: limits.sources.maxFileBytes,
  maxTextLength: limits.sources.maxTextLength,
  maxPages: limits.sources.maxPages,
  maxBlocks: 300_000,
  maxCells: 2_000_000,
  /** Of one row: sheets allow 16,384, and repeat counts in files claim more. */
  maxColumns: 1_024,
  maxDepth: 256,
  maxArchiveEntries: 20_000,
  /** Of all entries of an archive that are read. */
  maxInflatedBytes: 200 * 1024 * 1024,
  /** Beyond `minSuspectBytes` an entry that grows more than so many times is a bomb, not a document. */
  maxInflateRatio: 200,
  minSuspectBytes: 8 * 1024 * 1024,
  /** Of one page of a PDF. */
  maxTextItems: 300_000,
  maxMailParts: 200,
  maxMailDepth: 10,
  /** Width times height of a picture. */
  maxPixels: 60_000_000,
  /** So long work goes on before other tasks, such as a cancelling, have their turn. */
  sliceMs: 80,
} as const
