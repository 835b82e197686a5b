import * as z from 'zod/mini'
import { Channel } from './channels'
import { limits } from './limits/shared'
import { route } from './route'

/** What an invited person may do: read, or ask and write as well. */
export const memberRoles = ['read', 'write'] as const
export type MemberRole = (typeof memberRoles)[number]

const Id = z.string().check(z.minLength(1), z.maxLength(200))
const InvitationToken = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

/**
 * A link that lets whoever has it into a channel. Its address is told once, when it is made: the server keeps only its
 * hash.
 */
export const Invitation = z.object({
  id: z.uuid(),
  role: z.enum(memberRoles),
  created_at: z.string(),
  expires_at: z.string(),
  /** How many people have come with it. */
  uses: z.number(),
  /** null: as many as like. */
  maxUses: z.nullable(z.number()),
})
export type Invitation = z.infer<typeof Invitation>

export const Member = z.object({
  userId: z.uuid(),
  name: z.string(),
  role: z.enum(['owner', ...memberRoles]),
  /** null for the owner. */
  joined_at: z.nullable(z.string()),
})
export type Member = z.infer<typeof Member>

/** What an invitation says before it is accepted. */
export const InvitationPreview = z.object({
  channelName: z.string(),
  ownerName: z.string(),
  role: z.enum(memberRoles),
  expires_at: z.string(),
})
export type InvitationPreview = z.infer<typeof InvitationPreview>

/** A page of this app, below the server's own address. */
export const invitationPath = (token: string): string => `/invite/${encodeURIComponent(token)}`

/**
 * People in a cloud channel. Only the owner invites and removes; to whoever is not in the channel it does not exist:
 * 404. A link that is unknown, revoked, used up or out of date is one and the same: invitation.invalid.
 */
export const memberRoutes = {
  invite: route({
    method: 'POST',
    path: '/api/channel/:id/invitations',
    params: z.object({ id: Id }),
    body: z.object({
      role: z.enum(memberRoles),
      days: z.optional(z.int().check(z.minimum(1), z.maximum(limits.sharing.maxInvitationDays))),
      maxUses: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(limits.sharing.maxMembers)))),
    }),
    response: z.extend(Invitation, { url: z.string() }),
    status: 201,
    summary: 'Makes an invitation link',
  }),
  invitations: route({
    method: 'GET',
    path: '/api/channel/:id/invitations',
    params: z.object({ id: Id }),
    response: z.object({ invitations: z.array(Invitation) }),
    summary: 'The open invitations of a channel, without their links',
  }),
  revoke: route({
    method: 'DELETE',
    path: '/api/channel/:id/invitations',
    params: z.object({ id: Id }),
    query: z.object({ invitationId: z.optional(z.uuid()) }),
    response: z.void(),
    status: 204,
    summary: 'Revokes one invitation, or all of a channel',
  }),
  preview: route({
    method: 'GET',
    path: '/api/invitations/:token',
    params: InvitationToken,
    response: InvitationPreview,
    summary: 'What an invitation link leads to',
  }),
  accept: route({
    method: 'POST',
    path: '/api/invitations/:token/accept',
    params: InvitationToken,
    response: Channel,
    summary:
      'Makes the signed-in person a member. Whoever is in already stays; a link that allows more gives more, never less',
  }),
  members: route({
    method: 'GET',
    path: '/api/channel/:id/members',
    params: z.object({ id: Id }),
    response: z.object({ members: z.array(Member) }),
    summary: 'The people in a channel, its owner first',
  }),
  member: route({
    method: 'GET',
    path: '/api/channel/:id/members/:userId',
    params: z.object({ id: Id, userId: z.string().check(z.maxLength(200)) }),
    response: Member,
    summary: 'One person in a channel',
  }),
  removeMember: route({
    method: 'DELETE',
    path: '/api/channel/:id/members/:userId',
    params: z.object({ id: Id, userId: z.string().check(z.maxLength(200)) }),
    response: z.void(),
    status: 204,
    summary:
      'Removes a member, and every open invitation with them so that no link leads back; or lets the signed-in person leave',
  }),
}
