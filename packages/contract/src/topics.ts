import * as z from 'zod/mini'
import { limits } from './limits/shared'
import { route } from './route'

const Id = z.string().check(z.minLength(1), z.maxLength(200))
const wholeNumber = (from: number, to: number) => z.coerce.number().check(z.int(), z.minimum(from), z.maximum(to))

/**
 * A channel about an open subject under an agent. `chat_response` is the agent's greeting, empty where it has none;
 * `user` is whose channel it is.
 */
export const TopicChannel = z.object({
  channelId: z.string(),
  topicId: z.string(),
  subject: z.string(),
  user: z.string(),
  assistantId: z.nullable(z.string()),
  chat_response: z.object({ content: z.string() }),
  datetime: z.string(),
})
export type TopicChannel = z.infer<typeof TopicChannel>

/** In the paths of topics: no agent, no channel. */
export const noId = '-'

export const topicRoutes = {
  /** The same topic leads to the same channel, however often it is opened. */
  open: route({
    method: 'POST',
    path: '/api/channel/action',
    body: z.object({
      subject: z.string().check(z.minLength(1), z.maxLength(1_000)),
      topicId: Id,
      assistantId: z.optional(z.nullable(Id)),
    }),
    response: TopicChannel,
    status: 201,
    summary: 'Opens a topic: a cloud channel about a subject',
  }),
  get: route({
    method: 'GET',
    path: '/api/channel/topic/:id',
    params: z.object({ id: Id }),
    response: TopicChannel,
    summary: 'One of the own topic channels, by its topic or its channel',
  }),
  list: route({
    method: 'GET',
    path: '/api/channels-topic/:page/:size/:assistantId/:channelId',
    params: z.object({
      page: wholeNumber(0, 100_000),
      size: wholeNumber(1, limits.cloud.maxMessagePage),
      assistantId: Id,
      channelId: Id,
    }),
    response: z.object({ content: z.array(TopicChannel), page: z.number(), size: z.number(), total: z.number() }),
    summary: 'The own topics under an agent, newest first, but the one of the open channel (- for none)',
  }),
}
