import * as z from 'zod/mini'

const Count = z.int().check(z.nonnegative())

/** How far the reading of a source has come, or its upload: then it is counted in bytes. */
export const SourceProgress = z.object({ done: Count, of: Count, unit: z.enum(['pages', 'bytes']) })
export type SourceProgress = z.infer<typeof SourceProgress>
