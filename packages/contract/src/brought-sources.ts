import * as z from 'zod/mini'
import { limits } from './limits/shared'

// Sources that come from another home.

/**
 * What a source keeps that comes from elsewhere: a device, a file of an export. Its text is read anew, but a website
 * and a video bring the one that was fetched then.
 */
export const BroughtSource = z.object({
  /** What answers cite it by. It gets another one where this one is taken. */
  id: z.optional(z.uuid()),
  isActive: z.optional(z.boolean()),
  addedAt: z.optional(z.iso.datetime()),
  /** The bytes are its ReadDocument as JSON. The same address twice in a channel is one source. */
  link: z.optional(
    z.object({
      type: z.enum(['website', 'video']),
      url: z.string().check(z.minLength(1), z.maxLength(limits.sources.maxUrlLength)),
      mediaType: z.string().check(z.maxLength(200)),
      fetchedAt: z.iso.datetime(),
    }),
  ),
})
export type BroughtSource = z.infer<typeof BroughtSource>

/** Which sources a copy of a channel has, and their switches, in whatever order: 14 characters for each. */
export function seenSources(sources: readonly { sha256: string; isActive: boolean }[]): string {
  return sources
    .map(({ sha256, isActive }) => `${sha256.slice(0, 13)}${isActive ? '+' : '-'}`)
    .toSorted()
    .join('')
}
