import { channelRoutes, exportFileName } from '@parley/contract/cloud'
import { limits } from '@parley/contract/limits'
import type { FastifyInstance } from 'fastify'
import { requestLanguage } from '../../plugins/errors'
import { handle } from '../../plugins/handle'
import { hungUp } from '../../plugins/hung-up'
import type { ChannelService } from './channel-service'
import type { ExportService } from './export-service'

export function registerChannelRoutes(app: FastifyInstance, channels: ChannelService, exports: ExportService): void {
  const person = { permission: 'person' } as const

  // Names are cleaned by rules of their own, after which nothing may be left; a cursor is taken as it is or refused.
  const named = { ...person, keepsAnyText: true } as const
  handle(app, channelRoutes.list, person, async ({ person: { userId }, query }) => ({ channels: await channels.list(userId, query), documents: [] }))
  handle(app, channelRoutes.search, named, ({ person: { userId }, query }) => channels.search(userId, query))
  handle(app, channelRoutes.get, person, ({ person: { userId: actorId }, params }) => channels.get({ actorId, channelId: params.id }))
  handle(app, channelRoutes.create, named, async ({ person: { userId }, body }) => ({ data: await channels.create(userId, body) }))
  handle(app, channelRoutes.rename, named, ({ person: { userId: actorId }, body }) =>
    channels.rename({ actorId, channelId: body.channelId }, body.channelName, body.instead),
  )
  handle(app, channelRoutes.removeAll, person, ({ person: { userId } }) => channels.removeAll(userId))
  handle(app, channelRoutes.remove, person, ({ person: { userId: actorId }, params, query }) => channels.remove({ actorId, channelId: params.id }, query))
  handle(app, channelRoutes.clear, person, ({ person: { userId: actorId }, params }) => channels.clear({ actorId, channelId: params.id }))
  handle(app, channelRoutes.messages, person, ({ person: { userId: actorId }, params: { channelId, page, size }, query }) =>
    channels.messages({ actorId, channelId }, { page, size, ...query }),
  )
  handle(app, channelRoutes.message, person, ({ person: { userId: actorId }, params }) =>
    channels.message({ actorId, channelId: params.channelId, mId: params.id }),
  )
  handle(app, channelRoutes.removeMessage, person, ({ person: { userId: actorId }, params, query }) =>
    channels.removeMessage({ actorId, channelId: query.channelId, mId: params.id }),
  )
  handle(
    app,
    channelRoutes.importMessages,
    { ...person, bodyBytes: limits.cloud.importBodyBytes, keepsAnyText: true },
    ({ person: { userId: actorId }, params, body }) => channels.importMessages({ actorId, channelId: params.channelId }, body),
  )
  const exportOptions = { ...person, perMinute: limits.pdf.exportsPerMinute, bodyBytes: limits.cloud.importBodyBytes }
  handle(app, channelRoutes.export, exportOptions, async ({ person: { userId: actorId }, body: { channelId, messages }, request, reply }) => {
    const pdf = await exports.pdf({ actorId, channelId }, { messageIds: messages, language: requestLanguage(request), signal: hungUp(reply) })
    reply.type('application/pdf').header('content-disposition', `attachment; filename="${exportFileName(channelId)}"`)
    return Buffer.from(pdf)
  })
}
