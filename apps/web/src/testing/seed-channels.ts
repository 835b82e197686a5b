import type { Channel } from '@parley/contract/channels'
import { cleanup } from '@testing-library/react'
import { localChannels } from '../data/channels/local-channels'
import { useToasts } from '../ui/toast-store'

/** Channels on this device, the last one the most recent. */
export async function seedChannels(...names: string[]): Promise<Channel[]> {
  const now = Date.now()
  const channels: Channel[] = []
  for (const [index, channelName] of names.entries()) {
    const at = new Date(now - (names.length - index) * 10).toISOString()
    channels.push(await localChannels.create({ assistantId: null, channelName, created_at: at, updated_at: at }))
  }
  return channels
}

/** Leaves nothing for the next test: page, toasts, channels. */
export async function cleanUp(): Promise<void> {
  cleanup()
  useToasts.setState({ toasts: [], confirmations: [] })
  for (const { id, isLocked } of await localChannels.list()) if (isLocked) await localChannels.setLocked(id, false)
  await localChannels.removeAll()
}
