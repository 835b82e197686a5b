import { type Channel, isShared } from '@parley/contract/channels'

/** The number of channels, of those in the cloud, and of those that can be moved to this device. */
export type MigrationStats = { total: number; local: number; cloud: number; needsMigration: number }

/**
 * `channels`: of both homes, each once. `inBoth`: the cloud copies of channels in both homes, whose remaining messages
 * can still be moved. Shared channels stay where their members reach them; locked ones cannot be deleted in the cloud.
 */
export function migrationStats(channels: readonly Channel[], inBoth: readonly Channel[] = []): MigrationStats {
  const inCloud = channels.filter(({ isLocalChannel }) => !isLocalChannel)
  const needsMigration = [...inCloud, ...inBoth].filter((channel) => !channel.isLocked && !isShared(channel)).length
  return {
    total: channels.length,
    local: channels.length - inCloud.length,
    cloud: inCloud.length + inBoth.length,
    needsMigration,
  }
}
