import * as z from 'zod/mini'
import { Channel } from './channels'
import { Message } from './chat'
import { route } from './route'

const Id = z.string().check(z.minLength(1), z.maxLength(200))
const done = { response: z.void(), status: 204 } as const

/** A version of a question, and of its answer: a run of it, the one that is shown where none is named. */
const version = { mId: Id, runId: z.optional(z.string().check(z.minLength(1), z.maxLength(220))) }

/** A question of a channel, and where it stands among its branches. */
export const OutlineEntry = z.object({
  mId: z.string(),
  /** The exchange whose answer it follows; null: it begins the conversation. */
  afterMId: z.nullable(z.string()),
  /** The first 200 characters of the question. */
  text: z.string(),
  /** When it was asked, ISO 8601 UTC. */
  datetime: z.string(),
  /** It is on the path to the reader's head. */
  isShown: z.boolean(),
  isPinned: z.optional(z.literal(true)),
  author: Message.shape.author,
})
export type OutlineEntry = z.infer<typeof OutlineEntry>

/**
 * Versions of what a channel holds. Each person who may read a channel has a head of their own: the run that they read
 * up to.
 */
export const branchRoutes = {
  /** The newest run below the version becomes the head of whoever asks, or the version itself where none follows it. */
  show: route({
    method: 'PUT',
    path: '/api/channel/:id/head',
    params: z.object({ id: Id }),
    body: z.object(version),
    ...done,
    summary: 'Shows another version of a question or an answer to whoever asks, and to nobody else',
  }),
  branch: route({
    method: 'POST',
    path: '/api/channel/:id/branch',
    params: z.object({ id: Id }),
    /** `newId` is made by the client, so that a repeated call makes one channel. */
    body: z.object({ ...version, newId: z.optional(Id) }),
    response: Channel,
    status: 201,
    summary: 'Copies a channel up to a version into a new channel of whoever asks',
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/channel/:id/branch/:mId',
    params: z.object({ id: Id, mId: Id }),
    ...done,
    summary: 'Deletes a version of a question and everything that follows it; members only what is all their own',
  }),
  outline: route({
    method: 'GET',
    path: '/api/channel/:id/outline',
    params: z.object({ id: Id }),
    /** In the order in which they were asked. */
    response: z.object({ entries: z.array(OutlineEntry) }),
    summary: 'Every question of a channel, on whichever branch',
  }),
  pin: route({
    method: 'PUT',
    path: '/api/chat/:channelId/messages/:id/pin',
    params: z.object({ channelId: Id, id: Id }),
    body: z.object({ isPinned: z.boolean() }),
    ...done,
    summary: 'Makes a message part of the context of every later question, or no longer',
  }),
}
