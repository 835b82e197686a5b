import type { Db } from '../../db/client'
import { updateLock } from './channel-lock-store'

/** For the operator: a channel that cannot be deleted or cleared, or can again. False when there is none in the cloud. */
export async function setChannelLock(db: Db, { channelId, isLocked }: { channelId: string; isLocked: boolean }): Promise<boolean> {
  return updateLock(db, { channelId, isLocked })
}
