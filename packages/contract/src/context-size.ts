// What a client is told of texts that it does not have, for the plan of its next question.
import * as z from 'zod/mini'
import { route } from './route'

const Id = z.string().check(z.minLength(1), z.maxLength(200))

/** An exchange of a path, without its texts. */
export const ExchangeSize = z.object({
  mId: z.string(),
  /** The run that the path goes through. */
  runId: z.string(),
  tokens: z.number(),
  isPinned: z.optional(z.literal(true)),
})
export type ExchangeSize = z.infer<typeof ExchangeSize>

export const contextSizeRoutes = {
  /** An estimate: which passages of its knowledge go along depends on the question. */
  instructions: route({
    method: 'GET',
    path: '/api/chat/instructions-size',
    query: z.object({
      assistantId: z.optional(z.string().check(z.maxLength(200))),
      language: z.optional(z.string().check(z.maxLength(20))),
    }),
    /** `ofSources`: what they are longer by for a question that is answered from sources. */
    response: z.object({ tokens: z.number(), ofSources: z.optional(z.number()) }),
    summary: 'How many tokens the instructions of an agent are, or those of no agent',
  }),
  before: route({
    method: 'GET',
    path: '/api/channel/:id/context-size',
    params: z.object({ id: Id }),
    query: z.object({ before: Id }),
    /** Oldest first; the nearest to the message, as much as a question could take along, and what is pinned. */
    response: z.object({ exchanges: z.array(ExchangeSize) }),
    summary: 'How long the exchanges are that stand before a message, on the path of whoever asks',
  }),
  cost: route({
    method: 'GET',
    path: '/api/channel/:id/cost',
    params: z.object({ id: Id }),
    /** Whole nano-dollars. */
    response: z.object({ cost: z.string() }),
    summary: 'What all answers and summaries of a channel have cost, on whichever branch',
  }),
}
