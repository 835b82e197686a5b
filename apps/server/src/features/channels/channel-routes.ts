import { channelRoutes } from '@parley/contract/cloud'
import { limits } from '@parley/contract/limits'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { ChannelService } from './channel-service'

export function registerChannelRoutes(app: FastifyInstance, channels: ChannelService): void {
  const person = { permission: 'person' } as const

  handle(app, channelRoutes.list, person, async ({ person: { userId }, query }) => ({ channels: await channels.list(userId, query), documents: [] }))
  handle(app, channelRoutes.search, person, async ({ person: { userId }, query }) => ({ results: await channels.search(userId, query.q) }))
  handle(app, channelRoutes.get, person, ({ person: { userId }, params }) => channels.get({ userId, channelId: params.id }))
  handle(app, channelRoutes.create, person, async ({ person: { userId }, body }) => ({ data: await channels.create(userId, body) }))
  handle(app, channelRoutes.rename, person, ({ person: { userId }, body }) => channels.rename({ userId, channelId: body.channelId }, body.channelName))
  handle(app, channelRoutes.removeAll, person, ({ person: { userId } }) => channels.removeAll(userId))
  handle(app, channelRoutes.remove, person, ({ person: { userId }, params }) => channels.remove({ userId, channelId: params.id }))
  handle(app, channelRoutes.clear, person, ({ person: { userId }, params }) => channels.clear({ userId, channelId: params.id }))
  handle(app, channelRoutes.messages, person, ({ person: { userId }, params: { channelId, page, size }, query }) =>
    channels.messages({ userId, channelId }, { page, size, ...query }),
  )
  handle(app, channelRoutes.message, person, ({ person: { userId }, params }) => channels.message({ userId, channelId: params.channelId, mId: params.id }))
  handle(app, channelRoutes.removeMessage, person, ({ person: { userId }, params, query }) =>
    channels.removeMessage({ userId, channelId: query.channelId, mId: params.id }),
  )
  handle(app, channelRoutes.importMessages, { ...person, bodyBytes: limits.cloud.importBodyBytes }, ({ person: { userId }, params, body }) =>
    channels.importMessages({ userId, channelId: params.channelId }, body.messages),
  )
}
