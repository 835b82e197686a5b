import { channelRoutes } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { receiptRoutes } from '@parley/contract/receipts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import { handle } from '../../plugins/handle'
import type { ForwardService } from './forward-service'
import type { ImportService } from './import-service'
import { messagesPage } from './message-page'
import { searchMessages } from './message-search'
import type { MessageService } from './message-service'

type Services = { db: Db; messages: MessageService; imports: ImportService; forwards: ForwardService }

export function registerMessageRoutes(app: FastifyInstance, { db, messages, imports, forwards }: Services): void {
  const person = { permission: 'person' } as const

  // An invalid cursor is refused, so the query must arrive unchanged.
  handle(app, channelRoutes.search, { ...person, keepsAnyText: true }, ({ person: { userId }, query }) =>
    searchMessages(db, userId, query),
  )
  handle(
    app,
    channelRoutes.messages,
    person,
    ({ person: { userId: actorId }, params: { channelId, page, size }, query }) =>
      messagesPage(db, { actorId, channelId }, { page, size, ...query }),
  )
  handle(app, channelRoutes.message, person, ({ person: { userId: actorId }, params }) =>
    messages.get({ actorId, channelId: params.channelId, mId: params.id }),
  )
  handle(app, channelRoutes.removeMessage, person, ({ person: { userId: actorId }, params, query }) =>
    messages.remove({ actorId, channelId: query.channelId, mId: params.id }),
  )
  handle(
    app,
    channelRoutes.importMessages,
    { ...person, bodyBytes: serverLimits.cloud.importBodyBytes, keepsAnyText: true },
    ({ person: { userId: actorId }, params, body }) => imports.import({ actorId, channelId: params.channelId }, body),
  )
  handle(
    app,
    receiptRoutes.forward,
    person,
    async ({ person: { userId: actorId }, body: { messageId, channelId, channelIds } }) => ({
      forwarded: await forwards.forward({ actorId, channelId, mId: messageId }, channelIds),
    }),
  )
  handle(
    app,
    receiptRoutes.removeMessage,
    person,
    ({ person: { userId: actorId }, params: { userId, messageId }, query }) => {
      requireSelf(actorId, userId)
      return messages.remove({ actorId, channelId: query.channelId, mId: messageId })
    },
  )
  handle(app, receiptRoutes.removeMine, person, async ({ person: { userId: actorId }, params }) => {
    requireSelf(actorId, params.userId)
    return { deleted: await messages.removeOwn(actorId) }
  })
}

/** The path names a person; nobody may name anyone but themselves. */
function requireSelf(actorId: string, userId: string): void {
  if (actorId !== userId) throw new AppError('not-found')
}
