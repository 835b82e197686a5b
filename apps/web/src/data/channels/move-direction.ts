import type { StorageMode } from '@parley/contract/channels'
import { openDevice } from '../local/device'

const keyOf = (channelId: string): string => `move ${channelId}`

/** Before anything is copied: after a move that was cut off this tells where it was to go. */
export async function noteMove(channelId: string, to: StorageMode): Promise<void> {
  const { db } = await openDevice()
  await db.put('meta', { id: keyOf(channelId), value: to })
}

export async function forgetMove(channelId: string): Promise<void> {
  const { db } = await openDevice()
  await db.delete('meta', keyOf(channelId))
}

/** Undefined where no move of this channel is known to have been cut off. */
export async function notedMove(channelId: string): Promise<StorageMode | undefined> {
  const { db } = await openDevice()
  const value = (await db.get('meta', keyOf(channelId)))?.value
  return value === 'local' || value === 'cloud' ? value : undefined
}
