import { receiptRoutes } from '@parley/contract/receipts'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { ConversationService } from './conversation-service'
import type { ReceiptService } from './receipt-service'

export function registerReceiptRoutes(
  app: FastifyInstance,
  { receipts, conversations }: { receipts: ReceiptService; conversations: ConversationService },
): void {
  const person = { permission: 'person' } as const

  handle(app, receiptRoutes.conversations, person, async ({ person: { userId }, query }) => ({
    chats_by_channel_and_assistant_id: await conversations.byChannel(userId, query),
  }))
  handle(app, receiptRoutes.directMessages, person, ({ person: { userId }, query }) =>
    conversations.directMessages(userId, query),
  )
  handle(app, receiptRoutes.receive, person, ({ person: { userId: actorId }, params, query }) =>
    receipts.receive({ actorId, channelId: query.channelId, mId: params.id }),
  )
  handle(app, receiptRoutes.read, person, ({ person: { userId: actorId }, params, query }) =>
    receipts.read({ actorId, channelId: query.channelId, mId: params.id }),
  )
  handle(app, receiptRoutes.readConversation, person, async ({ person: { userId: actorId }, params }) => ({
    read: await receipts.readConversation({ actorId, channelId: params.id }),
  }))
  handle(app, receiptRoutes.readers, person, async ({ person: { userId: actorId }, params: { channelId }, body }) => ({
    messages: await receipts.readers({ actorId, channelId }, body.messageIds),
  }))
}
