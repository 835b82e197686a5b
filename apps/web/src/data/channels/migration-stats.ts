import { type Channel, isShared } from '@parley/contract/channels'

/** How many channels there are, how many of them in the cloud, and how many of those can be moved to this device. */
export type MigrationStats = { total: number; local: number; cloud: number; needsMigration: number }

/** `channels`: of both homes, each once. `inBoth`: the cloud's side of those that stand in both, whose rest can still be moved. What several people use stays where all of them reach it; a locked one cannot be deleted where it is. */
export function migrationStats(channels: readonly Channel[], inBoth: readonly Channel[] = []): MigrationStats {
  const inCloud = channels.filter(({ isLocalChannel }) => !isLocalChannel)
  const needsMigration = [...inCloud, ...inBoth].filter((channel) => !channel.isLocked && !isShared(channel)).length
  return { total: channels.length, local: channels.length - inCloud.length, cloud: inCloud.length + inBoth.length, needsMigration }
}
