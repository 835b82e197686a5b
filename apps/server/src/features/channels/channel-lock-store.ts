import { eq } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channels } from '../../db/schema'

/** Whoever owns it: only the operator comes here, who knows the channel and need not know its owner. */
export async function updateLock(db: Db, { channelId, isLocked }: { channelId: string; isLocked: boolean }): Promise<boolean> {
  const rows = await db.update(channels).set({ isLocked }).where(eq(channels.id, channelId)).returning({ id: channels.id })
  return rows.length > 0
}
