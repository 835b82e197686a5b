import { isShared } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { announce } from '../local/changes'
import { withTabLock } from '../local/tab-lock'
import { affectsAllChannels } from './error-scope'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { useMigration } from './migration-state'
import { moveToDevice } from './moves'
import { retryWhenRateLimited } from './rate-limit-retry'

type Result = { migrated: number; existing: number; deleted: number; failed: number; locked: number }

/**
 * Moves every cloud channel that is neither locked nor shared to this device, one after the other; a channel that fails
 * stays in the cloud, and the next one is tried. Throws AppError where the next one would fail too, such as on a full
 * device: the channels moved until then are on the device, the others unchanged in the cloud.
 */
export async function migrateAll(): Promise<Result> {
  const result: Result = { migrated: 0, existing: 0, deleted: 0, failed: 0, locked: 0 }
  if (useMigration.getState().progress) return result
  useMigration.setState({ progress: { done: 0, total: 0 } })
  try {
    // One tab at a time.
    await withTabLock('migration', () => migrateEach(result))
    return result
  } finally {
    useMigration.setState({ progress: undefined })
    announce({ kind: 'channels' })
  }
}

async function migrateEach(result: Result): Promise<void> {
  const channels = (await retryWhenRateLimited(() => cloudChannels.list())).filter((channel) => !isShared(channel))
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
      if (error instanceof AppError && affectsAllChannels(error)) throw error
      // Its cloud copy is complete; the next run tries again.
      result.failed++
    }
  }
}
