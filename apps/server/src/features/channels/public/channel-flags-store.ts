import type { Db } from '../../../db/client'
import { channels } from '../../../db/schema/channels'
import { isOwnedChannel, type OwnedChannel } from './channel-row-store'

type Flags = { isDocument?: true; isYoutube?: true; isImage?: true }

/** Says what kinds of sources a channel has. */
export async function flagChannel(tx: Db, which: OwnedChannel, flags: Flags): Promise<void> {
  await tx.update(channels).set(flags).where(isOwnedChannel(which))
}
