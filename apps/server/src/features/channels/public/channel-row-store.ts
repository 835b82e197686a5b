import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { channels } from '../../../db/schema/channels'

export type ChannelRow = typeof channels.$inferSelect
/** The key of a channel together with its owner: each query names both, so that it cannot touch another's rows. */
export type OwnedChannel = { userId: string; channelId: string }

export const isOwnedChannel = ({ userId, channelId }: OwnedChannel) =>
  and(eq(channels.id, channelId), eq(channels.userId, userId))

/** Locks the row until the transaction ends. */
export async function lockChannel(tx: Db, which: OwnedChannel): Promise<ChannelRow | undefined> {
  const [row] = await tx.select().from(channels).where(isOwnedChannel(which)).for('update')
  return row
}
