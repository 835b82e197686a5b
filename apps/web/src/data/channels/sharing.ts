import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { type Invitation, type InvitationPreview, type Member, type MemberRole, memberRoutes } from '@parley/contract/members'
import { receiptRoutes } from '@parley/contract/receipts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../http/api'
import { announce } from '../local/changes'
import { channelKeys } from './channel-keys'
import { cloudChannels } from './homes'

/** People in a cloud channel. They come and go without this page: whoever looks asks anew. */
export const membersQuery = (channelId: string) =>
  queryOptions({
    queryKey: channelKeys.membersOf(channelId),
    queryFn: async (): Promise<Member[]> => (await api(memberRoutes.members, { params: { id: channelId } })).members,
    staleTime: 0,
  })

export const invitationsQuery = (channelId: string) =>
  queryOptions({
    queryKey: channelKeys.invitationsOf(channelId),
    queryFn: async (): Promise<Invitation[]> => (await api(memberRoutes.invitations, { params: { id: channelId } })).invitations,
    staleTime: 0,
  })

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: (): Promise<InvitationPreview> => api(memberRoutes.preview, { params: { token } }),
    staleTime: 0,
  })

/** The address is told this once. */
export function invite(channelId: string, wanted: { role: MemberRole; days: number }): Promise<Invitation & { url: string }> {
  return api(memberRoutes.invite, { params: { id: channelId }, body: wanted })
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

/** Leaves a channel of somebody else. */
export async function leaveChannel(channelId: string, userId: string): Promise<void> {
  cloudChannels.forget(channelId)
  await api(memberRoutes.removeMember, { params: { id: channelId, userId } })
  announce({ kind: 'channels' })
  announce({ kind: 'messages', channelId })
}

/** Tells the others that their messages were read. */
export function markRead(channelId: string): Promise<void> {
  return courteously(() => api(receiptRoutes.readConversation, { params: { id: channelId } }))
}

/** Tells the others that a message of theirs has arrived here; of one's own the server notes nothing. */
export function markReceived(channelId: string, mId: string): Promise<void> {
  return courteously(() => api(receiptRoutes.receive, { params: { id: mId }, query: { channelId } }))
}

/** A receipt that fails is made up for by the next. */
async function courteously(tell: () => Promise<unknown>): Promise<void> {
  try {
    await tell()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
