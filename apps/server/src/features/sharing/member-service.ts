import { AppError } from '@parley/contract/errors'
import type { Member } from '@parley/contract/sharing'
import type { Db } from '../../db/client'
import { displayName, displayNamesOf } from '../auth/public/display-name'
import { type AccessRequest, requireAccess } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import { lockChannel } from '../channels/public/channel-row-store'
import { type RunningAnswer, runningAnswersFor } from '../messages/public/running-answer-store'
import { deleteInvitations } from './invitation-store'
import { deleteMember, listMembers } from './member-store'

type Deps = {
  db: Db
  events: ChannelEvents
  /** Aborts answers that are being written for a removed member. */
  stopAnswers: (running: readonly RunningAnswer[]) => Promise<void>
}

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** The people in a cloud channel beside its owner. */
export class MemberService {
  constructor(private readonly deps: Deps) {}

  /** The owner first. */
  async list(request: AccessRequest): Promise<Member[]> {
    const { db } = this.deps
    const access = await requireAccess(db, request)
    const ownerName = (await displayNamesOf(db, [access.userId])).get(access.userId)
    if (ownerName === undefined) throw new AppError('channel.not-found')
    const members = await listMembers(db, access)
    return [
      { userId: access.userId, name: ownerName, role: 'owner', joined_at: null },
      ...members.map(({ userId, role, joinedAt, ...parts }) => ({
        userId,
        name: displayName(parts),
        role,
        joined_at: joinedAt.toISOString(),
      })),
    ]
  }

  /** Throws not-found for a person who is not in the channel. */
  async get(request: AccessRequest, memberId: string): Promise<Member> {
    const member = (await this.list(request)).find(({ userId }) => userId === memberId)
    if (!member) throw new AppError('not-found')
    return member
  }

  /** The owner may remove any member, a member only themselves. Throws channel.owner-only, not-found. */
  async remove(request: AccessRequest, memberId: string): Promise<void> {
    const { db, events, stopAnswers } = this.deps
    const { channelId } = request
    const access = await requireAccess(db, request)
    if (access.role !== 'owner' && memberId !== request.actorId) throw new AppError('channel.owner-only')
    const running = await db.transaction(async (tx) => {
      if (!(await lockChannel(tx, access))) throw new AppError('channel.not-found')
      if (!isUuid(memberId) || !(await deleteMember(tx, access, memberId))) throw new AppError('not-found')
      // Otherwise the removed member could join again through the same link.
      if (access.role === 'owner') await deleteInvitations(tx, access)
      return runningAnswersFor(tx, memberId, channelId)
    })
    await events.membersLeft(channelId, [memberId])
    await stopAnswers(running)
    await events.channelChanged(access, request.actorId, { kind: 'channel' })
  }
}
