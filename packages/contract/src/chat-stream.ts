// Asking over plain HTTP, for programs and for pictures: the answer comes as server-sent events, each a frame of the
// chat socket.
import * as z from 'zod/mini'
import { limits } from './limits/shared'
import { route } from './route'

/**
 * A message that begins with it asks for a picture; what follows says of what. The answer's content is its address,
 * with `flagImage`.
 */
export const profileImagePrompt = 'Create a profile picture for an AI agent.'

export const chatStreamRoutes = {
  ask: route({
    method: 'POST',
    path: '/api/chat/stream',
    body: z.object({
      message: z.string().check(z.minLength(1), z.maxLength(limits.chat.maxQuestionLength)),
      assistantId: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
      /** A cloud channel of the person, where question and answer are then kept; any other changes nothing. */
      channelId: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
    }),
    /** text/event-stream: `data: {frame}` lines, the last frame is one of the final ones. */
    response: z.unknown(),
    summary: 'Asks one question; the answer is a stream of server-sent events',
  }),
}
