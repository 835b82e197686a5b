import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import { withoutHidden } from '@parley/contract/hidden-characters'
import { limits } from '@parley/contract/limits'
import { type Invitation, type InvitationPreview, invitationPath, type Member, type MemberRole } from '@parley/contract/members'
import { shownName } from '@parley/contract/users'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { type Asker, requireAccess, requireOwner } from './access-service'
import { findRole } from './access-store'
import type { ChannelNews } from './channel-news-service'
import { lockChannel, type Running, runningOf } from './channel-store'
import {
  countMembers,
  deleteExpiredInvitations,
  deleteInvitations,
  deleteMember,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listMembers,
  nameParts,
  openInvitations,
  putMember,
  useInvitation,
} from './member-store'

type Deps = {
  db: Db
  news: ChannelNews
  publicUrl: string
  /** Ends answers that are being written for somebody who is out. */
  stopAnswers: (running: readonly Running[]) => Promise<void>
  now: () => number
}

type Wanted = { role: MemberRole; days?: number | undefined; maxUses?: number | null | undefined }

const dayMs = 86_400_000
const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** Who is in a cloud channel beside its owner, and how they come in and out. */
export class MemberService {
  constructor(private readonly deps: Deps) {}

  async invite(which: Asker, { role, days = limits.sharing.defaultInvitationDays, maxUses = null }: Wanted): Promise<Invitation & { url: string }> {
    const { db, publicUrl } = this.deps
    const owned = await requireOwner(db, which)
    const token = randomBytes(32).toString('base64url')
    const now = new Date(this.deps.now())
    const row: InvitationRow = {
      id: uuidv7(),
      channelId: owned.channelId,
      tokenHash: hash(token),
      role,
      uses: 0,
      maxUses,
      createdAt: now,
      expiresAt: new Date(now.getTime() + days * dayMs),
    }
    await db.transaction(async (tx) => {
      if (!(await lockChannel(tx, owned))) throw new AppError('channel.not-found')
      if ((await openInvitations(tx, owned, now)).length >= limits.sharing.maxInvitations) throw new AppError('invitation.too-many')
      await insertInvitation(tx, row)
    })
    return { ...invitationOf(row), url: `${publicUrl}${invitationPath(token)}` }
  }

  async invitations(which: Asker): Promise<Invitation[]> {
    const owned = await requireOwner(this.deps.db, which)
    return (await openInvitations(this.deps.db, owned, new Date(this.deps.now()))).map(invitationOf)
  }

  /** Throws not-found for an invitation that is not of this channel. */
  async revoke(which: Asker, invitationId: string | undefined): Promise<void> {
    const owned = await requireOwner(this.deps.db, which)
    const gone = await deleteInvitations(this.deps.db, owned, invitationId)
    if (invitationId !== undefined && gone === 0) throw new AppError('not-found')
  }

  async preview(token: string): Promise<InvitationPreview> {
    const { channelName, ownerName, ownerEmail, role, expiresAt } = await this.open(token)
    return { channelName, ownerName: nameOf({ name: ownerName, email: ownerEmail }), role, expires_at: expiresAt.toISOString() }
  }

  /** Answers the channel's id. Whoever is in already, the owner too, uses nothing up; a link that allows more gives more, never less. */
  async accept(actorId: string, token: string): Promise<string> {
    const { db, news } = this.deps
    const { id, channelId, ownerId, role } = await this.open(token)
    const own = { userId: ownerId, channelId }
    const now = new Date(this.deps.now())
    const isChanged = await db.transaction(async (tx) => {
      if (!(await lockChannel(tx, own))) throw new AppError('invitation.invalid')
      const known = await findRole(tx, { actorId, channelId })
      if (known && (known.ownerId === actorId || known.role === 'write' || known.role === role)) return false
      if (!known && (await countMembers(tx, own)) >= limits.sharing.maxMembers) throw new AppError('channel.full')
      if (!(await useInvitation(tx, { ...own, id }, now))) throw new AppError('invitation.invalid')
      await putMember(tx, { channelId, userId: actorId, role, joinedAt: now })
      return true
    })
    if (isChanged) await news.changed(own, actorId)
    return channelId
  }

  async members(which: Asker): Promise<Member[]> {
    const { db } = this.deps
    const access = await requireAccess(db, which)
    const owner = (await nameParts(db, [access.userId])).get(access.userId)
    if (!owner) throw new AppError('channel.not-found')
    const members = await listMembers(db, access)
    return [
      { userId: access.userId, name: nameOf(owner), role: 'owner', joined_at: null },
      ...members.map(({ userId, role, joinedAt, ...parts }) => ({ userId, name: nameOf(parts), role, joined_at: joinedAt.toISOString() })),
    ]
  }

  /** Throws not-found for somebody who is not in it. */
  async member(which: Asker, memberId: string): Promise<Member> {
    const member = (await this.members(which)).find(({ userId }) => userId === memberId)
    if (!member) throw new AppError('not-found')
    return member
  }

  /** The owner removes anybody but themselves, everybody else only themselves. Throws channel.owner-only, not-found. */
  async remove(which: Asker, memberId: string): Promise<void> {
    const { db, news, stopAnswers } = this.deps
    const { channelId } = which
    const access = await requireAccess(db, which)
    if (access.role !== 'owner' && memberId !== which.actorId) throw new AppError('channel.owner-only')
    const running = await db.transaction(async (tx) => {
      if (!(await lockChannel(tx, access))) throw new AppError('channel.not-found')
      if (!isUuid(memberId) || !(await deleteMember(tx, access, memberId))) throw new AppError('not-found')
      // Otherwise the link that somebody came with would lead them back in.
      if (access.role === 'owner') await deleteInvitations(tx, access)
      return runningOf(tx, memberId, channelId)
    })
    await news.left(channelId, [memberId])
    await stopAnswers(running)
    await news.changed(access, which.actorId)
  }

  /** Removes links that nobody can use any more. */
  async sweep(): Promise<void> {
    await deleteExpiredInvitations(this.deps.db, new Date(this.deps.now()))
  }

  private async open(token: string) {
    const invitation = await findInvitation(this.deps.db, hash(token), new Date(this.deps.now()))
    if (!invitation) throw new AppError('invitation.invalid')
    return invitation
  }
}

/** What is shown as the name of somebody else: nothing more of their account is told. */
export function nameOf(parts: { name: string; email: string }): string {
  return withoutHidden(shownName({ ...parts, user_metadata: {} }))
}

function invitationOf({ id, role, uses, maxUses, createdAt, expiresAt }: InvitationRow): Invitation {
  return { id, role, uses, maxUses, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
