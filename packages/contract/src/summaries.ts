import * as z from 'zod/mini'
import { ContextMessage, Uuid } from './chat'
import { Summary } from './conversations'
import { limits } from './limits/shared'
import { route } from './route'

// How summaries are asked for, listed and changed. What they do to a context: context-summary.ts.

const Id = z.string().check(z.minLength(1), z.maxLength(200))
const RunId = z.string().check(z.minLength(1), z.maxLength(220))
const text = z.string().check(
  z.maxLength(limits.context.maxSummaryLength),
  z.refine((value) => value.trim() !== '', 'A summary says something'),
)

const asked = {
  /** Made by the client, once for each request for a summary: it becomes the summary's id. */
  messageId: Uuid,
  model: z.optional(z.string().check(z.maxLength(200))),
}

/** `before`: the summary that the messages follow. */
export const SummaryRequest = z.discriminatedUnion('storageMode', [
  z.object({
    ...asked,
    storageMode: z.literal('local'),
    before: z.optional(text),
    messages: z
      .array(ContextMessage)
      .check(z.minLength(1), z.maxLength(limits.context.maxEarlierMessages + limits.chat.maxContextMessages)),
  }),
  z.object({ ...asked, storageMode: z.literal('cloud'), channelId: Id, upToRunId: RunId }),
])
export type SummaryRequest = z.infer<typeof SummaryRequest>

/** A summary as another copy of its chat has it. */
const CopiedSummary = z.extend(Summary, {
  id: Uuid,
  upToRunId: RunId,
  text,
  messages: z.int().check(z.minimum(0), z.maximum(1e6)),
  cost: z.optional(z.string().check(z.regex(/^\d{1,18}$/))),
})

export const summaryRoutes = {
  ask: route({
    method: 'POST',
    path: '/api/chat/summary',
    body: SummaryRequest,
    /** text/event-stream: as of POST /api/chat/stream. */
    response: z.unknown(),
    summary: 'Summarises messages of a chat of a device, or of a channel, which keeps the summary',
  }),
  list: route({
    method: 'GET',
    path: '/api/channel/:id/summaries',
    params: z.object({ id: Id }),
    response: z.object({ summaries: z.array(Summary) }),
    summary: 'The summaries of a channel, on whichever branch',
  }),
  add: route({
    method: 'POST',
    path: '/api/channel/:id/summaries',
    params: z.object({ id: Id }),
    body: z.object({ summaries: z.array(CopiedSummary).check(z.maxLength(limits.cloud.maxImportBatch)) }),
    response: z.void(),
    status: 204,
    summary: 'Adds the summaries of another copy of a channel; of two states of one the edited one stands',
  }),
  change: route({
    method: 'PUT',
    path: '/api/channel/:id/summaries/:summaryId',
    params: z.object({ id: Id, summaryId: Uuid }),
    body: z.object({ text: z.optional(text), isUndone: z.optional(z.boolean()) }),
    response: z.void(),
    status: 204,
    summary: 'Edits a summary, undoes it, or takes it up again',
  }),
}
