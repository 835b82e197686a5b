import type { Channel } from '@parley/contract/channels'
import type { MessageHit } from '@parley/contract/cloud'
import type { IndexHits } from './message-index'

/** A hit with its channel's name and home, as the list of channels has them. */
export type ListedHit = MessageHit & { source: Channel['source'] }

/** The cloud's hits, newest first. */
export type Hits = { hits: MessageHit[]; hasMore: boolean }

/** Merges the hits of both homes, newest first. Of a channel in both homes only the copy on this device is shown. */
export function mergeHits(device: IndexHits, cloud: Hits, channels: readonly Channel[]): ListedHit[] {
  const known = new Map(channels.map((channel) => [channel.id, channel]))
  const onDevice = device.hits.flatMap((hit): ListedHit[] => {
    const channel = known.get(hit.channelId)
    return channel?.source === 'indexeddb' ? [{ ...hit, channelName: channel.channelName, source: 'indexeddb' }] : []
  })
  const inCloud = cloud.hits.flatMap((hit): ListedHit[] => {
    const channel = known.get(hit.channelId)
    return channel?.source === 'indexeddb'
      ? []
      : [{ ...hit, channelName: channel?.channelName ?? hit.channelName, source: 'postgresql' }]
  })
  // A home that has more hits may have some that are newer than the other home's last ones: those wait for the next
  // page, so that nothing is inserted above hits that were shown already.
  const oldest = Math.max(oldestOf(device), oldestOf(cloud))
  const all = inCloud.length === 0 ? onDevice : [...onDevice, ...inCloud].sort((a, b) => timeOf(b) - timeOf(a))
  return all.filter((hit) => timeOf(hit) >= oldest)
}

const oldestOf = ({ hits, hasMore }: IndexHits | Hits): number =>
  hasMore ? timeOf(hits.at(-1)) : Number.NEGATIVE_INFINITY

const timeOf = (hit: { datetime: string } | undefined): number => Date.parse(hit?.datetime ?? '') || 0
