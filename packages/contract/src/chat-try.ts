// Trying an agent while it is being written: it is asked as it stands, and nothing of it is kept.
import * as z from 'zod/mini'
import { agentLanguages } from './agents'
import { ContextMessage } from './chat'
import { limits } from './limits/shared'
import { route } from './route'

const text = (maximum: number) => z.string().check(z.maxLength(maximum))

export const AgentTrial = z.object({
  name: text(limits.agents.name),
  role: text(limits.agents.role),
  prompt: text(limits.agents.prompt).check(z.refine((prompt) => prompt.trim() !== '', 'There is nothing to try yet')),
  knowledge: z.optional(text(limits.agents.knowledge)),
  /** Ids of one's own files; those that are read are used. */
  knowledgeFiles: z.optional(z.array(text(200)).check(z.maxLength(limits.agents.maxFiles))),
  language: z.enum(agentLanguages),
  /** Who answers; the server's default model unless said. */
  model: z.optional(text(200)),
  /** The trial so far, oldest first; the last one is the question. */
  messages: z
    .array(ContextMessage)
    .check(
      z.minLength(1),
      z.maxLength(limits.chat.maxContextMessages),
      z.refine(endsWithQuestion, 'The last message is no question'),
    ),
})
export type AgentTrial = z.infer<typeof AgentTrial>

function endsWithQuestion(messages: readonly ContextMessage[]): boolean {
  const last = messages.at(-1)
  return last?.role === 'user' && last.content.length > 0 && last.content.length <= limits.chat.maxQuestionLength
}

export const chatTryRoutes = {
  ask: route({
    method: 'POST',
    path: '/api/chat/try',
    body: AgentTrial,
    /** text/event-stream: as of POST /api/chat/stream. */
    response: z.unknown(),
    summary: 'Asks an agent that is not saved; the answer is a stream of server-sent events',
  }),
}
