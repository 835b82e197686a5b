import { channelRoutes, exportFileName } from '@parley/contract/cloud'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance } from 'fastify'
import { requestLanguage } from '../../plugins/errors'
import { handle } from '../../plugins/handle'
import { hungUp } from '../../plugins/hung-up'
import type { ChannelService } from './channel-service'
import type { ExportService } from './export-service'

export function registerChannelRoutes(app: FastifyInstance, channels: ChannelService, exports: ExportService): void {
  const person = { permission: 'person' } as const

  // ChannelService cleans names and instructions itself, and refuses a name that is empty afterwards.
  const named = { ...person, keepsAnyText: true } as const
  handle(app, channelRoutes.list, person, async ({ person: { userId }, query }) => ({
    channels: await channels.list(userId, query),
    documents: [],
  }))
  handle(app, channelRoutes.get, person, ({ person: { userId: actorId }, params }) =>
    channels.get({ actorId, channelId: params.id }),
  )
  handle(app, channelRoutes.create, named, async ({ person: { userId }, body }) => ({
    data: await channels.create(userId, body),
  }))
  handle(app, channelRoutes.rename, named, ({ person: { userId: actorId }, body }) =>
    channels.rename({ actorId, channelId: body.channelId }, body.channelName, body.instead),
  )
  handle(app, channelRoutes.configure, named, ({ person: { userId: actorId }, params, body }) =>
    channels.configure({ actorId, channelId: params.id }, body),
  )
  handle(app, channelRoutes.removeAll, person, ({ person: { userId } }) => channels.removeAll(userId))
  handle(app, channelRoutes.remove, person, ({ person: { userId: actorId }, params, query }) =>
    channels.remove({ actorId, channelId: params.id }, query),
  )
  handle(app, channelRoutes.clear, person, ({ person: { userId: actorId }, params }) =>
    channels.clear({ actorId, channelId: params.id }),
  )
  const exportOptions = {
    ...person,
    perMinute: serverLimits.pdf.exportsPerMinute,
    bodyBytes: serverLimits.cloud.importBodyBytes,
  }
  handle(
    app,
    channelRoutes.export,
    exportOptions,
    async ({ person: { userId: actorId }, body: { channelId, messages }, request, reply }) => {
      const pdf = await exports.pdf(
        { actorId, channelId },
        { messageIds: messages, language: requestLanguage(request), signal: hungUp(reply) },
      )
      reply.type('application/pdf').header('content-disposition', `attachment; filename="${exportFileName(channelId)}"`)
      return Buffer.from(pdf)
    },
  )
}
