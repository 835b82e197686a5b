import * as z from 'zod/mini'
import { Channel } from './channels'
import { Message } from './chat'
import { ChatSettings, ChatSettingsChange } from './chat-settings'
import { limits } from './limits/shared'
import { route } from './route'

const ChannelId = z.object({ id: z.string().check(z.minLength(1), z.maxLength(200)) })
const Cursor = z.string().check(z.maxLength(100))
const wholeNumber = (from: number, to: number) => z.coerce.number().check(z.int(), z.minimum(from), z.maximum(to))

/** A page of a channel's messages, oldest first within the page, page 0 the newest. */
export const MessagesPage = z.object({
  content: z.array(Message),
  page: z.number(),
  size: z.number(),
  total: z.number(),
  /**
   * For `before` of the next call: pages then stay whole while messages come and go. Absent at the beginning of the
   * channel.
   */
  cursor: z.optional(z.string()),
  /**
   * For `after` of the next call; as `before` it names this page's end, so that the same page can be read again. Absent
   * at the end of the channel.
   */
  newer: z.optional(z.string()),
})
export type MessagesPage = z.infer<typeof MessagesPage>

/**
 * A message that holds what was searched for. `marks` are the ranges [from, to) of the passage that matched, in UTF-16
 * units.
 */
export const MessageHit = z.object({
  channelId: z.string(),
  channelName: z.string(),
  mId: z.string(),
  datetime: z.string(),
  passage: z.string(),
  marks: z.array(z.tuple([z.number(), z.number()])),
})
export type MessageHit = z.infer<typeof MessageHit>

/** The id of a message, alone or in the message. */
const MessageRef = z.pipe(
  z.union([
    z.string(),
    z.object({
      mId: z.optional(z.string()),
      id: z.optional(z.string()),
      _id: z.optional(z.string()),
      messageId: z.optional(z.string()),
    }),
  ]),
  z.transform((ref) => (typeof ref === 'string' ? ref : (ref.mId ?? ref.messageId ?? ref.id ?? ref._id ?? ''))),
)

/** `chat-export-{id}.pdf`; an id may hold what a file's name may not. */
export const exportFileName = (channelId: string): string =>
  `chat-export-${channelId.replace(/[^\w.-]+/g, '_').slice(0, 100)}.pdf`

/** Channels in the cloud. Another person's channel or message is answered like one that does not exist: 404. */
export const channelRoutes = {
  list: route({
    method: 'GET',
    path: '/api/channel',
    query: z.object({
      page: z.optional(wholeNumber(0, 100_000)),
      size: z.optional(wholeNumber(1, limits.cloud.maxChannelPage)),
    }),
    /** Last activity first. */
    response: z.object({ channels: z.array(Channel), documents: z.array(z.unknown()) }),
    summary: 'The cloud channels of the signed-in person',
  }),
  get: route({
    method: 'GET',
    path: '/api/channel/:id',
    params: ChannelId,
    response: Channel,
    summary: 'One cloud channel',
  }),
  create: route({
    method: 'POST',
    path: '/api/channel',
    body: z.object({
      /**
       * Made by the client, so that a repeated call makes one channel. The channel's own id is in the answer: it is
       * another one where this id is somebody else's.
       */
      id: z.optional(ChannelId.shape.id),
      /** Absent: the default name. */
      channelName: z.optional(z.string().check(z.maxLength(1_000))),
      assistantId: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
      isDocument: z.optional(z.boolean()),
      isImage: z.optional(z.boolean()),
      isYoutube: z.optional(z.boolean()),
      isLocked: z.optional(z.boolean()),
      settings: z.optional(ChatSettings),
      /** Of a channel that comes from elsewhere. */
      created_at: z.optional(z.iso.datetime()),
      updated_at: z.optional(z.iso.datetime()),
    }),
    response: z.object({ data: Channel }),
    status: 201,
    summary: 'Makes a channel in the cloud',
  }),
  rename: route({
    method: 'PUT',
    path: '/api/channel',
    /** `instead`: only while it is called so; otherwise it keeps its name. */
    body: z.object({
      channelId: ChannelId.shape.id,
      channelName: z.string().check(z.maxLength(1_000)),
      instead: z.optional(z.string().check(z.maxLength(1_000))),
    }),
    response: Channel,
    summary: 'Renames a cloud channel',
  }),
  configure: route({
    method: 'PATCH',
    path: '/api/channel/:id/settings',
    params: ChannelId,
    body: ChatSettingsChange,
    response: Channel,
    summary: 'Changes how the answers of a cloud channel are asked for; only its owner may',
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/channel/:id',
    params: ChannelId,
    /**
     * What was seen of the channel by whoever copied it: the numbers of its messages and of their answers, its last
     * activity, and its sources (`seenSources`). It is deleted only if it is still like that.
     */
    query: z.object({
      total: z.optional(wholeNumber(0, 10_000_000)),
      runs: z.optional(wholeNumber(0, 10_000_000)),
      updatedAt: z.optional(z.iso.datetime()),
      sources: z.optional(z.string().check(z.maxLength(14 * limits.sources.maxPerChannel))),
    }),
    response: z.void(),
    status: 204,
    summary: 'Deletes a cloud channel',
  }),
  clear: route({
    method: 'DELETE',
    path: '/api/channel/:id/clear',
    params: ChannelId,
    response: z.void(),
    status: 204,
    summary: 'Deletes the messages of a cloud channel and keeps the channel',
  }),
  removeAll: route({
    method: 'DELETE',
    path: '/api/channel/delete/all',
    response: z.object({ deleted: z.number(), skipped: z.number() }),
    summary: 'Deletes all cloud channels but the locked ones',
  }),
  messages: route({
    method: 'GET',
    path: '/api/chat/documents/:page/:size/:channelId',
    params: z.object({
      page: wholeNumber(0, 10_000_000),
      size: wholeNumber(1, limits.cloud.maxMessagePage),
      channelId: ChannelId.shape.id,
    }),
    /**
     * At most one of them; it goes before the page's number. `around` is the id of a message, which stands in the
     * middle of the page.
     */
    query: z
      .object({
        before: z.optional(Cursor),
        after: z.optional(Cursor),
        around: z.optional(ChannelId.shape.id),
      })
      .check(z.refine((places) => Object.values(places).filter((place) => place !== undefined).length <= 1)),
    response: MessagesPage,
    summary: 'A page of the messages of a cloud channel',
  }),
  message: route({
    method: 'GET',
    path: '/api/chat/:channelId/messages/:id',
    params: z.object({ channelId: ChannelId.shape.id, id: ChannelId.shape.id }),
    response: Message,
    summary: 'One message of a cloud channel',
  }),
  removeMessage: route({
    method: 'DELETE',
    path: '/api/chat/:id',
    params: ChannelId,
    query: z.object({ channelId: z.optional(ChannelId.shape.id) }),
    response: z.void(),
    status: 204,
    summary: 'Deletes one message',
  }),
  /** Known message ids are left as they are, so that a repeated call adds nothing twice. */
  importMessages: route({
    method: 'PUT',
    path: '/api/chat/:channelId/messages',
    params: z.object({ channelId: ChannelId.shape.id }),
    body: z.object({
      messages: z.array(Message).check(z.minLength(1), z.maxLength(limits.cloud.maxImportBatch)),
      /** In one's own channel: of a message that it has, the state that was written later stands, in the same place. */
      takesNewer: z.optional(z.boolean()),
    }),
    response: z.object({ added: z.number(), existing: z.number(), total: z.number() }),
    summary: 'Adds messages to a cloud channel, after those it has, in the given order',
  }),
  /**
   * The server's own text of the channel. `messages` may name some of them, by id or as they are; what else they say
   * counts for nothing.
   */
  export: route({
    method: 'POST',
    path: '/api/channel/export',
    body: z.object({
      channelId: ChannelId.shape.id,
      messages: z.optional(z.array(MessageRef).check(z.maxLength(limits.pdf.maxServerMessages))),
    }),
    response: z.unknown(),
    summary: 'A cloud channel as a PDF (application/pdf, chat-export-{id}.pdf)',
  }),
  search: route({
    method: 'GET',
    path: '/api/channel/search',
    query: z.object({
      q: z.string().check(z.maxLength(limits.search.maxQueryLength)),
      /** best, unless said: by how well they match, of the newest that do. newest: all that match, the newest first. */
      order: z.optional(z.enum(['best', 'newest'])),
      /** Of the answer before, in the same order. */
      cursor: z.optional(z.string().check(z.maxLength(300))),
    }),
    /** `cursor` is absent where there are no more. */
    response: z.object({ results: z.array(MessageHit), cursor: z.optional(z.string()) }),
    summary: "Full-text search over the messages of one's cloud channels and of those that others share",
  }),
}
