import type { Channel } from '@parley/contract/channels'
import type { MessageHit } from '@parley/contract/cloud'
import type { Found } from './message-index'

/** A message that was found, with the channel it is in as the list has it. */
export type ShownHit = MessageHit & { source: Channel['source'] }

/** What the cloud found, newest first. */
export type Hits = { hits: MessageHit[]; hasMore: boolean }

/** The hits of both homes as one list, the newest message first. A channel that is in both is shown once: the copy on this device. */
export function mergeHits(device: Found, cloud: Hits, channels: readonly Channel[]): ShownHit[] {
  const known = new Map(channels.map((channel) => [channel.id, channel]))
  const onDevice = device.hits.flatMap((hit): ShownHit[] => {
    const channel = known.get(hit.channelId)
    return channel?.source === 'indexeddb' ? [{ ...hit, channelName: channel.channelName, source: 'indexeddb' }] : []
  })
  const inCloud = cloud.hits.flatMap((hit): ShownHit[] => {
    const channel = known.get(hit.channelId)
    return channel?.source === 'indexeddb' ? [] : [{ ...hit, channelName: channel?.channelName ?? hit.channelName, source: 'postgresql' }]
  })
  // What is older than the last one of a home that has more comes with the next ones, so that nothing is put in above what was read already.
  const oldest = Math.max(oldestOf(device), oldestOf(cloud))
  const all = inCloud.length === 0 ? onDevice : [...onDevice, ...inCloud].sort((a, b) => timeOf(b) - timeOf(a))
  return all.filter((hit) => timeOf(hit) >= oldest)
}

const oldestOf = ({ hits, hasMore }: Found | Hits): number => (hasMore ? timeOf(hits.at(-1)) : Number.NEGATIVE_INFINITY)

const timeOf = (hit: { datetime: string } | undefined): number => Date.parse(hit?.datetime ?? '') || 0
