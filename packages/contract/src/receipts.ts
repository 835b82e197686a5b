import * as z from 'zod/mini'
import { limits } from './limits/shared'
import { route } from './route'

const Id = z.string().check(z.minLength(1), z.maxLength(200))
const ofMessage = { params: z.object({ id: Id }), query: z.object({ channelId: z.optional(Id) }) }
const done = { response: z.void(), status: 204 } as const
const wholeNumber = (from: number, to: number) => z.coerce.number().check(z.int(), z.minimum(from), z.maximum(to))
const Page = z.object({
  page: z.optional(wholeNumber(0, 100_000)),
  size: z.optional(wholeNumber(1, limits.cloud.maxMessagePage)),
})

/**
 * Who sent a message, to whom, and when it was sent, received and read (ISO 8601 UTC, null while it was not). To the
 * sender `received` and `read` tell when everybody else had, and `receiver` is the one other person, where there is
 * only one.
 */
export const MessageMeta = z.object({
  sender: z.nullable(z.string()),
  receiver: z.nullable(z.string()),
  sent: z.string(),
  received: z.nullable(z.string()),
  read: z.nullable(z.string()),
})
export type MessageMeta = z.infer<typeof MessageMeta>

/**
 * When a message arrived at one of the others in its channel, and when they read it (ISO 8601 UTC, null while neither).
 */
export const Reader = z.object({
  userId: z.string(),
  name: z.string(),
  received: z.nullable(z.string()),
  read: z.nullable(z.string()),
})
export type Reader = z.infer<typeof Reader>

export const ConversationMessage = z.object({
  mId: z.string(),
  channelId: z.string(),
  chat_request: z.string(),
  chat_response: z.object({ content: z.string() }),
  time: z.string(),
  meta: MessageMeta,
})
export type ConversationMessage = z.infer<typeof ConversationMessage>

/**
 * The message paths of document 3, for channels in the cloud. A `userId` in a path must be one's own: anybody else's is
 * 404.
 */
export const receiptRoutes = {
  /** Keys are `{channelId}_{assistantId}`, lists oldest first. Messages without an answer's text are left out. */
  conversations: route({
    method: 'GET',
    path: '/api/chat/conversations',
    query: Page,
    response: z.object({ chats_by_channel_and_assistant_id: z.record(z.string(), z.array(ConversationMessage)) }),
    summary: 'The latest messages of the channels with the latest activity, with their receipts',
  }),
  directMessages: route({
    method: 'GET',
    path: '/api/chat/get-direct-messages',
    query: Page,
    response: z.object({
      content: z.array(ConversationMessage),
      page: z.number(),
      size: z.number(),
      total: z.number(),
    }),
    summary: 'What other people wrote in the channels that one shares, newest first',
  }),
  receive: route({
    method: 'PATCH',
    path: '/api/chat/receive-message/:id',
    ...ofMessage,
    ...done,
    summary: "Another person's message has arrived",
  }),
  read: route({
    method: 'PATCH',
    path: '/api/chat/read-message/:id',
    ...ofMessage,
    ...done,
    summary: "Another person's message was read",
  }),
  readConversation: route({
    method: 'PATCH',
    path: '/api/chat/read-conversation/:id',
    params: z.object({ id: Id }),
    response: z.object({ read: z.number() }),
    summary: 'All messages of other people in a channel were read; answers how many were not before',
  }),
  /** Of messages that are there; the ids stand in the body because they may hold anything. */
  readers: route({
    method: 'POST',
    path: '/api/chat/:channelId/readers',
    params: z.object({ channelId: Id }),
    body: z.object({ messageIds: z.array(Id).check(z.minLength(1), z.maxLength(limits.sharing.receiptsAtOnce)) }),
    response: z.object({ messages: z.array(z.object({ mId: z.string(), readers: z.array(Reader) })) }),
    summary:
      'Who of the others in a channel received and read these messages: everybody now in it but the author of each',
  }),
  /** All or none: nothing is forwarded where one of the channels cannot be written in. */
  forward: route({
    method: 'POST',
    path: '/api/chat/forward-message',
    body: z.object({
      messageId: Id,
      channelId: z.optional(Id),
      channelIds: z.array(Id).check(z.minLength(1), z.maxLength(limits.sharing.forwardTargets)),
    }),
    response: z.object({ forwarded: z.array(z.object({ channelId: z.string(), mId: z.string() })) }),
    status: 201,
    summary: 'Puts a copy of a message at the end of other channels',
  }),
  removeMessage: route({
    method: 'DELETE',
    path: '/api/chat/delete-message/:userId/:messageId',
    params: z.object({ userId: z.string().check(z.maxLength(200)), messageId: Id }),
    query: z.object({ channelId: z.optional(Id) }),
    ...done,
    summary: "Deletes a message that one wrote, or any in a channel of one's own",
  }),
  removeMine: route({
    method: 'DELETE',
    path: '/api/chat/delete-user-messages/:userId',
    params: z.object({ userId: z.string().check(z.maxLength(200)) }),
    response: z.object({ deleted: z.number() }),
    summary: 'Deletes every message that one wrote in channels that are not locked',
  }),
}
