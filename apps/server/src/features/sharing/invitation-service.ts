import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { type Invitation, type InvitationPreview, invitationPath, type MemberRole } from '@parley/contract/sharing'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { displayName } from '../auth/public/display-name'
import { type AccessRequest, findAccess, requireOwner } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import { lockChannel } from '../channels/public/channel-row-store'
import {
  deleteExpiredInvitations,
  deleteInvitations,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  useInvitation,
  validInvitations,
} from './invitation-store'
import { countMembers, putMember } from './member-store'

type Deps = { db: Db; events: ChannelEvents; publicUrl: string; now: () => number }

type InvitationOptions = { role: MemberRole; days?: number | undefined; maxUses?: number | null | undefined }

const dayMs = 86_400_000

/** Links through which people join a cloud channel. Only its owner makes and revokes them. */
export class InvitationService {
  constructor(private readonly deps: Deps) {}

  /** Throws channel.not-found, channel.owner-only, invitation.too-many. */
  async invite(
    request: AccessRequest,
    { role, days = limits.sharing.defaultInvitationDays, maxUses = null }: InvitationOptions,
  ): Promise<Invitation & { url: string }> {
    const { db, publicUrl } = this.deps
    const owned = await requireOwner(db, request)
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
      if ((await validInvitations(tx, owned, now)).length >= serverLimits.sharing.maxInvitations)
        throw new AppError('invitation.too-many')
      await insertInvitation(tx, row)
    })
    return { ...invitationOf(row), url: `${publicUrl}${invitationPath(token)}` }
  }

  async list(request: AccessRequest): Promise<Invitation[]> {
    const owned = await requireOwner(this.deps.db, request)
    return (await validInvitations(this.deps.db, owned, new Date(this.deps.now()))).map(invitationOf)
  }

  /** Without an id revokes all. Throws not-found for an invitation of another channel. */
  async revoke(request: AccessRequest, invitationId: string | undefined): Promise<void> {
    const owned = await requireOwner(this.deps.db, request)
    const deleted = await deleteInvitations(this.deps.db, owned, invitationId)
    if (invitationId !== undefined && deleted === 0) throw new AppError('not-found')
  }

  async preview(token: string): Promise<InvitationPreview> {
    const { channelName, ownerName, ownerEmail, role, expiresAt } = await this.requireValid(token)
    return {
      channelName,
      ownerName: displayName({ name: ownerName, email: ownerEmail }),
      role,
      expires_at: expiresAt.toISOString(),
    }
  }

  /**
   * Returns the channel's id. Counts no use for the owner or a member, unless the invitation raises the member's role;
   * it never lowers a role. Throws invitation.invalid, channel.full.
   */
  async accept(actorId: string, token: string): Promise<string> {
    const { db, events } = this.deps
    const { id, channelId, ownerId, role } = await this.requireValid(token)
    const owned = { userId: ownerId, channelId }
    const now = new Date(this.deps.now())
    const isChanged = await db.transaction(async (tx) => {
      if (!(await lockChannel(tx, owned))) throw new AppError('invitation.invalid')
      const access = await findAccess(tx, { actorId, channelId })
      if (access && (access.role === 'owner' || access.role === 'write' || access.role === role)) return false
      if (!access && (await countMembers(tx, owned)) >= limits.sharing.maxMembers) throw new AppError('channel.full')
      if (!(await useInvitation(tx, { ...owned, id }, now))) throw new AppError('invitation.invalid')
      await putMember(tx, { channelId, userId: actorId, role, joinedAt: now })
      return true
    })
    if (isChanged) await events.channelChanged(owned, actorId, { kind: 'channel' })
    return channelId
  }

  /** Deletes expired invitations. */
  async sweep(): Promise<void> {
    await deleteExpiredInvitations(this.deps.db, new Date(this.deps.now()))
  }

  private async requireValid(token: string) {
    const invitation = await findInvitation(this.deps.db, hash(token), new Date(this.deps.now()))
    if (!invitation) throw new AppError('invitation.invalid')
    return invitation
  }
}

function invitationOf({ id, role, uses, maxUses, createdAt, expiresAt }: InvitationRow): Invitation {
  return { id, role, uses, maxUses, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
