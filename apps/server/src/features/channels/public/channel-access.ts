import { type ChatSettings, settingsOf } from '@parley/contract/chat-settings'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../../db/client'
import { isStorable } from '../../messages/public/stored-text'
import { findAssistantId, findRole, findSettings } from '../access-store'
import { lockChannel, type OwnedChannel } from './channel-row-store'

/** `actorId` wants to use the channel, which may belong to somebody else. */
export type AccessRequest = { actorId: string; channelId: string }

/**
 * What `actorId` may do in a channel. `userId` is its owner, whom every query names. `headRunId`: the run that they
 * read up to; null in a channel without branches.
 */
export type ChannelAccess = OwnedChannel & {
  actorId: string
  role: 'owner' | 'write' | 'read'
  headRunId: string | null
}

/** Throws channel.not-found for a person who is not in the channel. */
export async function requireAccess(db: Db, request: AccessRequest): Promise<ChannelAccess> {
  const access = await findAccess(db, request)
  if (!access) throw new AppError('channel.not-found')
  return access
}

/** Throws channel.not-found, channel.owner-only. */
export async function requireOwner(db: Db, request: AccessRequest): Promise<ChannelAccess> {
  const access = await requireAccess(db, request)
  if (access.role !== 'owner') throw new AppError('channel.owner-only')
  return access
}

/** Throws channel.not-found, channel.read-only. */
export async function requireWriter(db: Db, request: AccessRequest): Promise<ChannelAccess> {
  const access = await requireAccess(db, request)
  if (access.role === 'read') throw new AppError('channel.read-only')
  return access
}

/**
 * Locks the channel until the transaction ends, so that removing a member happens before or after the write, never in
 * between. Throws channel.not-found, channel.read-only.
 */
export async function lockForWriting(
  tx: Db,
  request: AccessRequest,
): Promise<ChannelAccess & { lastPosition: number }> {
  const access = await lockForReading(tx, request)
  if (access.role === 'read') throw new AppError('channel.read-only')
  return access
}

/** As `lockForWriting`, for what readers may do, too. Throws channel.not-found. */
export async function lockForReading(
  tx: Db,
  request: AccessRequest,
): Promise<ChannelAccess & { lastPosition: number; isLocked: boolean }> {
  const unlocked = await requireAccess(tx, request)
  const channel = await lockChannel(tx, unlocked)
  if (!channel) throw new AppError('channel.not-found')
  const { lastPosition, isLocked, headRunId } = channel
  // A membership is read again under the lock: it may have ended since the first read.
  const access = unlocked.role === 'owner' ? { ...unlocked, headRunId } : await requireAccess(tx, request)
  return { ...access, lastPosition, isLocked }
}

export async function isInChannel(db: Db, request: AccessRequest): Promise<boolean> {
  return (await findAccess(db, request)) !== undefined
}

/** The agent of the channel; null where it has none, and for a person who is not in the channel. */
export async function assistantIdOf(db: Db, request: AccessRequest): Promise<string | null> {
  return isStorable(request.channelId) ? findAssistantId(db, request) : null
}

/** How the answers of the channel are asked for; none for a person who is not in it. */
export async function chatSettingsOf(db: Db, request: AccessRequest): Promise<ChatSettings> {
  return settingsOf({ settings: isStorable(request.channelId) ? await findSettings(db, request) : undefined })
}

export async function findAccess(db: Db, { actorId, channelId }: AccessRequest): Promise<ChannelAccess | undefined> {
  const found = isStorable(channelId) ? await findRole(db, { actorId, channelId }) : undefined
  return (
    found && {
      userId: found.ownerId,
      channelId,
      actorId,
      role: found.ownerId === actorId ? 'owner' : (found.role ?? 'read'),
      headRunId: found.headRunId,
    }
  )
}
