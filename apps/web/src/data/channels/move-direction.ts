import type { StorageMode } from '@parley/contract/channels'
import { openDevice } from '../vault/open-device'

const keyOf = (channelId: string): string => `move ${channelId}`

/** Stored before anything is copied: after an interrupted move it says where the channel was being moved to. */
export async function storeMoveDirection(channelId: string, to: StorageMode): Promise<void> {
  const { db } = await openDevice()
  await db.put('meta', { id: keyOf(channelId), value: to })
}

export async function removeMoveDirection(channelId: string): Promise<void> {
  const { db } = await openDevice()
  await db.delete('meta', keyOf(channelId))
}

/** Undefined where no move of this channel is known to have been interrupted. */
export async function readMoveDirection(channelId: string): Promise<StorageMode | undefined> {
  const { db } = await openDevice()
  const value = (await db.get('meta', keyOf(channelId)))?.value
  return value === 'local' || value === 'cloud' ? value : undefined
}
