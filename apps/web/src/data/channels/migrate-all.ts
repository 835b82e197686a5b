import { isShared } from '@parley/contract/channels'
import { create } from 'zustand'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToDevice } from './move-channel'

type Result = { migrated: number; existing: number; deleted: number; failed: number; locked: number }

/** How far the move of all cloud channels to this device is; undefined while none is under way. */
export const useMigration = create<{ progress: { done: number; total: number } | undefined }>(() => ({ progress: undefined }))

/** Moves every cloud channel that is neither locked nor shared to this device, one after the other; one that fails stays in the cloud, and the next is tried. Throws AppError. */
export async function migrateAll(): Promise<Result> {
  const result: Result = { migrated: 0, existing: 0, deleted: 0, failed: 0, locked: 0 }
  if (useMigration.getState().progress) return result
  useMigration.setState({ progress: { done: 0, total: 0 } })
  try {
    const channels = (await cloudChannels.list()).filter((channel) => !isShared(channel))
    for (const [done, channel] of channels.entries()) {
      useMigration.setState({ progress: { done, total: channels.length } })
      if (channel.isLocked) {
        result.locked++
        continue
      }
      try {
        const wasHere = (await localChannels.get(channel.id)) !== undefined
        await moveToDevice(channel)
        if (wasHere) result.existing++
        else result.migrated++
        result.deleted++
      } catch {
        // Its cloud copy is whole; the next run takes it up again.
        result.failed++
      }
    }
    return result
  } finally {
    useMigration.setState({ progress: undefined })
  }
}
