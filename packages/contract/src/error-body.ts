import * as z from 'zod/mini'

/** Which limit of a person's plan refuses a call. */
const planLimits = ['credits', 'messages', 'channels', 'documents'] as const

/** Every failure of the HTTP API has this shape. */
export const ErrorBody = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  status: z.int(),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** The message once more, of an agent that cannot be shown: whoever reads a shared link looks for it here. */
  error: z.optional(z.string()),
  /** With the next field, where a limit of the plan refuses: the client then opens a dialog instead of a toast. */
  planLimit: z.optional(z.literal(true)),
  planLimitErrorType: z.optional(z.enum(planLimits)),
})
export type ErrorBody = z.infer<typeof ErrorBody>
