import type { Channel } from '@parley/contract/channels'
import { serverLimits } from '@parley/contract/limits/server'
import { memberRoutes } from '@parley/contract/sharing'
import type { FastifyInstance } from 'fastify'
import type { Scheduler } from '../../db/scheduler'
import { handle } from '../../plugins/handle'
import type { AccessRequest } from '../channels/public/channel-access'
import type { InvitationService } from './invitation-service'
import type { MemberService } from './member-service'

const sweepEveryMs = 60 * 60_000

type Services = {
  members: MemberService
  invitations: InvitationService
  channelOf: (request: AccessRequest) => Promise<Channel>
  scheduler: Scheduler
}

export function registerMemberRoutes(
  app: FastifyInstance,
  { members, invitations, channelOf, scheduler }: Services,
): void {
  const person = { permission: 'person' } as const
  const { previewsPerMinute, acceptsPerMinute } = serverLimits.sharing

  handle(app, memberRoutes.invite, person, ({ person: { userId: actorId }, params, body }) =>
    invitations.invite({ actorId, channelId: params.id }, body),
  )
  handle(app, memberRoutes.invitations, person, async ({ person: { userId: actorId }, params }) => ({
    invitations: await invitations.list({ actorId, channelId: params.id }),
  }))
  handle(app, memberRoutes.revoke, person, ({ person: { userId: actorId }, params, query }) =>
    invitations.revoke({ actorId, channelId: params.id }, query.invitationId),
  )
  // The preview is shown before signing in.
  handle(app, memberRoutes.preview, { permission: 'anyone', perMinute: previewsPerMinute }, ({ params }) =>
    invitations.preview(params.token),
  )
  handle(
    app,
    memberRoutes.accept,
    { ...person, perMinute: acceptsPerMinute },
    async ({ person: { userId: actorId }, params }) =>
      channelOf({ actorId, channelId: await invitations.accept(actorId, params.token) }),
  )
  handle(app, memberRoutes.members, person, async ({ person: { userId: actorId }, params }) => ({
    members: await members.list({ actorId, channelId: params.id }),
  }))
  handle(app, memberRoutes.member, person, ({ person: { userId: actorId }, params }) =>
    members.get({ actorId, channelId: params.id }, params.userId),
  )
  handle(app, memberRoutes.removeMember, person, ({ person: { userId: actorId }, params }) =>
    members.remove({ actorId, channelId: params.id }, params.userId),
  )

  scheduler.every('sharing.sweep', { everyMs: sweepEveryMs, run: () => invitations.sweep() })
}
