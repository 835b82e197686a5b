import type { Db } from '../../../db/client'
import { updateLock } from '../channel-lock-store'

/**
 * The operator locks a channel against deleting and clearing, or unlocks it. False where no cloud channel has the id.
 */
export async function setChannelLock(
  db: Db,
  { channelId, isLocked }: { channelId: string; isLocked: boolean },
): Promise<boolean> {
  return updateLock(db, { channelId, isLocked })
}
