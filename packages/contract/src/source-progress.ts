import * as z from 'zod/mini'

const Count = z.int().check(z.nonnegative())

/** How far the reading of a source has come, or its upload: then it is counted in bytes. */
export const SourceProgress = z.object({ done: Count, of: Count, unit: z.enum(['pages', 'bytes']) })
export type SourceProgress = z.infer<typeof SourceProgress>

/** What is told of a change: the one source that has changed, and where only that has, how far it is read. */
export const changedSource = { sourceId: z.optional(z.string()), progress: z.optional(SourceProgress) }
