import { eq } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels } from '../../db/schema/channels'

/** Names no owner: only the operator calls this, who knows the channel and need not know whose it is. */
export async function updateLock(
  db: Db,
  { channelId, isLocked }: { channelId: string; isLocked: boolean },
): Promise<boolean> {
  const rows = await db
    .update(channels)
    .set({ isLocked })
    .where(eq(channels.id, channelId))
    .returning({ id: channels.id })
  return rows.length > 0
}
