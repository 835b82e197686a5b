import type { Channel, StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useUser } from '../session/stored-session'
import { channelKeys } from './channel-keys'
import { orNothing } from './cloud-channel-store'
import { cloudChannels } from './homes'
import { notedMove } from './move-direction'
import { useIsUnderWay } from './moves-under-way'
import { channelsQuery, cloudQuery } from './use-channels'

/** A channel that stands on this device and in the cloud, since a move was cut off. */
export type BothHomes = { local: Channel; cloud: Channel }

/** As the lists have it; they are watched by whoever shows the channel. Nothing while this page is moving it. */
export function useBothHomes(channelId: string): BothHomes | undefined {
  const isUnderWay = useIsUnderWay(channelId)
  // The list may still have what was removed.
  const hasCloud = useUser() !== undefined && !isUnderWay && cloudChannels.isKnown(channelId)
  const select = useCallback((channels: Channel[]) => channels.find(({ id }) => id === channelId), [channelId])
  const { data: local } = useQuery({ ...channelsQuery, refetchOnMount: false, select })
  const { data: cloud } = useQuery({ ...cloudQuery, enabled: hasCloud, refetchOnMount: false, select })
  return hasCloud && local && cloud ? { local, cloud } : undefined
}

type CloudCopy = { messages: Message[] | undefined; error: Error | null; retry: () => void }

/**
 * All that the cloud has of a channel that stands in both homes: it is read whole, because either copy may lack
 * anything of the other.
 */
export function useCloudCopy(channelId: string): CloudCopy {
  const isInBoth = useBothHomes(channelId) !== undefined
  const { data, error, refetch } = useQuery({
    queryKey: channelKeys.cloudCopy(channelId),
    // It may have been moved meanwhile, by another tab or device.
    queryFn: async ({ signal }) => (await orNothing(async () => (await import('./fill-cloud')).allInCloud(channelId, { signal }))) ?? [],
    enabled: isInBoth,
    staleTime: 0,
  })
  const retry = (): void => {
    if (error) void refetch()
  }
  return isInBoth ? { messages: data, error, retry } : { messages: undefined, error: null, retry }
}

/** Where the move was to go that was cut off; undefined where that is not known. `isPending`: not yet. */
export function useMoveDirection({ local }: BothHomes): { direction: StorageMode | undefined; isPending: boolean } {
  const { data, isPending } = useQuery({
    queryKey: channelKeys.moveDirection(local.id),
    queryFn: async () => (await notedMove(local.id)) ?? null,
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
  })
  // What was brought from the cloud and stands there still was not removed there.
  return { direction: data ?? (local.lastSyncedAt === undefined ? undefined : 'local'), isPending }
}
