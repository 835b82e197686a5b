import { AppError } from '@parley/contract/errors'
import { receiptRoutes } from '@parley/contract/receipts'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { ChannelService } from './channel-service'
import type { ReceiptService } from './receipt-service'

export function registerReceiptRoutes(app: FastifyInstance, { receipts, channels }: { receipts: ReceiptService; channels: ChannelService }): void {
  const person = { permission: 'person' } as const

  handle(app, receiptRoutes.conversations, person, async ({ person: { userId }, query }) => ({
    chats_by_channel_and_assistant_id: await receipts.conversations(userId, query),
  }))
  handle(app, receiptRoutes.directMessages, person, ({ person: { userId }, query }) => receipts.directMessages(userId, query))
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
  handle(app, receiptRoutes.forward, person, async ({ person: { userId: actorId }, body: { messageId, channelId, channelIds } }) => ({
    forwarded: await receipts.forward({ actorId, channelId, mId: messageId }, channelIds),
  }))
  handle(app, receiptRoutes.removeMessage, person, ({ person: { userId: actorId }, params: { userId, messageId }, query }) => {
    requireSelf(actorId, userId)
    return channels.removeMessage({ actorId, channelId: query.channelId, mId: messageId })
  })
  handle(app, receiptRoutes.removeMine, person, async ({ person: { userId: actorId }, params }) => {
    requireSelf(actorId, params.userId)
    return { deleted: await receipts.removeMine(actorId) }
  })
}

/** The path names a person: only oneself exists. */
function requireSelf(actorId: string, userId: string): void {
  if (actorId !== userId) throw new AppError('not-found')
}
