import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import { type Asker, findAssistant, findRole } from './access-store'
import { lockChannel, type Own } from './channel-store'
import { isStorable } from './stored-text'

export type { Asker } from './access-store'

/** A channel as one person may use it. `userId` is its owner, whom every query names; `actorId` is the one who asks. */
export type Access = Own & { actorId: string; role: 'owner' | 'write' | 'read' }

/** Throws channel.not-found for whoever is not in the channel. */
export async function requireAccess(db: Db, which: Asker): Promise<Access> {
  const access = await findAccess(db, which)
  if (!access) throw new AppError('channel.not-found')
  return access
}

/** Throws channel.not-found, channel.owner-only. */
export async function requireOwner(db: Db, which: Asker): Promise<Access> {
  const access = await requireAccess(db, which)
  if (access.role !== 'owner') throw new AppError('channel.owner-only')
  return access
}

/** Whoever may write: the channel is locked until the transaction ends, and a member who is being removed is out before or after, never in between. */
export async function lockForWriting(tx: Db, which: Asker): Promise<Access & { lastPosition: number }> {
  const before = await requireAccess(tx, which)
  const channel = await lockChannel(tx, before)
  // A member is asked again behind the lock: the answer of before may be out of date.
  const access = before.role === 'owner' ? before : await requireAccess(tx, which)
  if (!channel) throw new AppError('channel.not-found')
  if (access.role === 'read') throw new AppError('channel.read-only')
  return { ...access, lastPosition: channel.lastPosition }
}

export async function isInChannel(db: Db, which: Asker): Promise<boolean> {
  return (await findAccess(db, which)) !== undefined
}

/** The agent that a channel was opened with; null without one, and for whoever is not in it. */
export async function assistantOf(db: Db, which: Asker): Promise<string | null> {
  return isStorable(which.channelId) ? findAssistant(db, which) : null
}

export async function findAccess(db: Db, { actorId, channelId }: Asker): Promise<Access | undefined> {
  const found = isStorable(channelId) ? await findRole(db, { actorId, channelId }) : undefined
  return found && { userId: found.ownerId, channelId, actorId, role: found.ownerId === actorId ? 'owner' : (found.role ?? 'read') }
}
