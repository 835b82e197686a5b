import * as z from 'zod/mini'

/**
 * What changed in a channel, so that clients read that alone: exchanges (asked, answered, pinned or removed), the
 * channel's own fields and members, or its summaries. Absent, or of a later version: anything may have changed.
 */
export const ChannelChange = z.optional(
  z.catch(
    z.optional(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('exchanges'), mIds: z.array(z.string()) }),
        z.object({ kind: z.literal('channel') }),
        z.object({ kind: z.literal('summaries') }),
      ]),
    ),
    undefined,
  ),
)
export type ChannelChange = z.infer<typeof ChannelChange>
