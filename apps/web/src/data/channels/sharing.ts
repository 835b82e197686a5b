import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { receiptRoutes } from '@parley/contract/receipts'
import {
  type Invitation,
  type InvitationPreview,
  type Member,
  type MemberRole,
  memberRoutes,
} from '@parley/contract/sharing'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api'
import { announce } from '../local/changes'
import { channelKeys } from './channel-keys'
import { cloudChannels } from './homes'

/** The members of a cloud channel, refetched each time they are shown, since they change without this page. */
export const membersQuery = (channelId: string) =>
  queryOptions({
    queryKey: channelKeys.membersOf(channelId),
    queryFn: async (): Promise<Member[]> => (await api(memberRoutes.members, { params: { id: channelId } })).members,
    staleTime: 0,
  })

export const invitationsQuery = (channelId: string) =>
  queryOptions({
    queryKey: channelKeys.invitationsOf(channelId),
    queryFn: async (): Promise<Invitation[]> =>
      (await api(memberRoutes.invitations, { params: { id: channelId } })).invitations,
    staleTime: 0,
  })

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: (): Promise<InvitationPreview> => api(memberRoutes.preview, { params: { token } }),
    staleTime: 0,
  })

/** Only this answer has the invitation's URL. */
export function invite(
  channelId: string,
  options: { role: MemberRole; days: number },
): Promise<Invitation & { url: string }> {
  return api(memberRoutes.invite, { params: { id: channelId }, body: options })
}

export function revokeInvitation(channelId: string, invitationId: string): Promise<void> {
  return api(memberRoutes.revoke, { params: { id: channelId }, query: { invitationId } })
}

export async function acceptInvitation(token: string): Promise<Channel> {
  const channel = await api(memberRoutes.accept, { params: { token } })
  announce({ kind: 'channels' })
  return channel
}

export async function removeMember(channelId: string, userId: string): Promise<void> {
  await api(memberRoutes.removeMember, { params: { id: channelId, userId } })
  announce({ kind: 'channels' })
}

/** Leaves another person's channel. */
export async function leaveChannel(channelId: string, userId: string): Promise<void> {
  cloudChannels.forget(channelId)
  await api(memberRoutes.removeMember, { params: { id: channelId, userId } })
  announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId })
}

/** Sends read receipts for a channel. */
export function markRead(channelId: string): Promise<void> {
  return ignoreFailure(() => api(receiptRoutes.readConversation, { params: { id: channelId } }))
}

/** Sends a delivery receipt for a message; the server ignores it for the person's own messages. */
export function markReceived(channelId: string, mId: string): Promise<void> {
  return ignoreFailure(() => api(receiptRoutes.receive, { params: { id: mId }, query: { channelId } }))
}

/** A lost receipt is superseded by the next one. */
async function ignoreFailure(tell: () => Promise<unknown>): Promise<void> {
  try {
    await tell()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
