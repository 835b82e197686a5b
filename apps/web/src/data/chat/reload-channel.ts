import { announceHere } from '../local/changes'

const gatherMs = 150
const scheduledReloads = new Map<string, ReturnType<typeof setTimeout>>()

/** Batches the events of one channel into one refetch of that channel. */
export function scheduleReload(channelId: string): void {
  if (scheduledReloads.has(channelId)) return
  scheduledReloads.set(
    channelId,
    setTimeout(() => {
      scheduledReloads.delete(channelId)
      announceHere({ kind: 'messages', channelId })
      announceHere({ kind: 'channel', channelId, home: 'cloud' })
    }, gatherMs),
  )
}
