import { isShared } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { create } from 'zustand'
import { announce } from '../local/changes'
import { withTabLock } from '../local/tab-lock'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToDevice } from './moves'
import { stopsEverything } from './stops-everything'
import { whenAllowed } from './when-allowed'

type Result = { migrated: number; existing: number; deleted: number; failed: number; locked: number }

/** How far the move of all cloud channels to this device is; undefined while none is under way. */
export const useMigration = create<{ progress: { done: number; total: number } | undefined }>(() => ({ progress: undefined }))

/**
 * Moves every cloud channel that is neither locked nor shared to this device, one after the other; one that fails stays in the cloud, and the next is tried.
 * Throws AppError where the next would meet the same, such as on a full device: what was moved until then is on the device, the rest is in the cloud as it was.
 */
export async function migrateAll(): Promise<Result> {
  const result: Result = { migrated: 0, existing: 0, deleted: 0, failed: 0, locked: 0 }
  if (useMigration.getState().progress) return result
  useMigration.setState({ progress: { done: 0, total: 0 } })
  try {
    // Two tabs at once would be in each other's way.
    await withTabLock('migration', () => migrateEach(result))
    return result
  } finally {
    useMigration.setState({ progress: undefined })
    announce({ kind: 'channels' })
  }
}

async function migrateEach(result: Result): Promise<void> {
  const channels = (await whenAllowed(() => cloudChannels.list())).filter((channel) => !isShared(channel))
  for (const [done, channel] of channels.entries()) {
    useMigration.setState({ progress: { done, total: channels.length } })
    if (channel.isLocked) {
      result.locked++
      continue
    }
    try {
      const wasHere = (await localChannels.get(channel.id)) !== undefined
      await moveToDevice(channel, { isOneOfMany: true })
      if (wasHere) result.existing++
      else result.migrated++
      result.deleted++
    } catch (error) {
      if (error instanceof AppError && stopsEverything(error)) throw error
      // Its cloud copy is whole; the next run takes it up again.
      result.failed++
    }
  }
}
