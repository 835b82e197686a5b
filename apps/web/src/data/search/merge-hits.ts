import type { Channel } from '@parley/contract/channels'
import type { MessageHit } from '@parley/contract/cloud'
import type { Found } from './message-index'

/** A message that was found, with the channel it is in as the list has it. */
export type ShownHit = MessageHit & { source: Channel['source'] }

/** The hits of both homes as one list, the newest message first. A channel that is in both is shown once: the copy on this device. */
export function mergeHits({ hits, hasMore }: Found, cloud: readonly MessageHit[], channels: readonly Channel[]): ShownHit[] {
  const known = new Map(channels.map((channel) => [channel.id, channel]))
  const onDevice = hits.flatMap((hit): ShownHit[] => {
    const channel = known.get(hit.channelId)
    return channel?.source === 'indexeddb' ? [{ ...hit, channelName: channel.channelName, source: 'indexeddb' }] : []
  })
  // What is older than the last one shown comes with the next ones, so that nothing is put in above what was read already.
  const oldest = hasMore ? timeOf(hits.at(-1)) : Number.NEGATIVE_INFINITY
  const inCloud = cloud.flatMap((hit): ShownHit[] => {
    const channel = known.get(hit.channelId)
    if (channel?.source === 'indexeddb' || timeOf(hit) < oldest) return []
    return [{ ...hit, channelName: channel?.channelName ?? hit.channelName, source: 'postgresql' }]
  })
  return inCloud.length === 0 ? onDevice : [...onDevice, ...inCloud].sort((a, b) => timeOf(b) - timeOf(a))
}

const timeOf = (hit: { datetime: string } | undefined): number => Date.parse(hit?.datetime ?? '') || 0
