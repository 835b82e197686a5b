import { limits } from '@parley/contract/limits'
import { memberRoutes } from '@parley/contract/members'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { ChannelService } from './channel-service'
import type { MemberService } from './member-service'

const sweepEveryMs = 60 * 60_000

export function registerMemberRoutes(app: FastifyInstance, { members, channels }: { members: MemberService; channels: ChannelService }): void {
  const person = { permission: 'person' } as const
  const { previewsPerMinute, acceptsPerMinute } = limits.sharing

  handle(app, memberRoutes.invite, person, ({ person: { userId: actorId }, params, body }) => members.invite({ actorId, channelId: params.id }, body))
  handle(app, memberRoutes.invitations, person, async ({ person: { userId: actorId }, params }) => ({
    invitations: await members.invitations({ actorId, channelId: params.id }),
  }))
  handle(app, memberRoutes.revoke, person, ({ person: { userId: actorId }, params, query }) =>
    members.revoke({ actorId, channelId: params.id }, query.invitationId),
  )
  // Whoever has the link may see where it leads before they sign in.
  handle(app, memberRoutes.preview, { permission: 'anyone', perMinute: previewsPerMinute }, ({ params }) => members.preview(params.token))
  handle(app, memberRoutes.accept, { ...person, perMinute: acceptsPerMinute }, async ({ person: { userId: actorId }, params }) =>
    channels.get({ actorId, channelId: await members.accept(actorId, params.token) }),
  )
  handle(app, memberRoutes.members, person, async ({ person: { userId: actorId }, params }) => ({
    members: await members.members({ actorId, channelId: params.id }),
  }))
  handle(app, memberRoutes.member, person, ({ person: { userId: actorId }, params }) => members.member({ actorId, channelId: params.id }, params.userId))
  handle(app, memberRoutes.removeMember, person, ({ person: { userId: actorId }, params }) => members.remove({ actorId, channelId: params.id }, params.userId))

  const sweep = setInterval(() => {
    members.sweep().catch((error: unknown) => app.log.warn({ err: error }, 'sweeping invitations failed'))
  }, sweepEveryMs)
  sweep.unref()
  app.addHook('onClose', async () => clearInterval(sweep))
}
