import type { Channel, StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useUser } from '../session/stored-session'
import { channelKeys } from './channel-keys'
import { undefinedIfMissing } from './cloud-channel-store'
import { readAllFromCloud } from './fill-cloud'
import { cloudChannels } from './homes'
import { readMoveDirection } from './move-direction'
import { useIsMoving } from './moves-in-progress'
import { channelsQuery, cloudQuery } from './use-channels'

/** A channel that is both on this device and in the cloud, because a move was interrupted. */
export type BothHomes = { local: Channel; cloud: Channel }

/**
 * The channel in both lists, which the component that shows it keeps up to date. Undefined while this page is moving
 * it.
 */
export function useBothHomes(channelId: string): BothHomes | undefined {
  const isUnderWay = useIsMoving(channelId)
  // The cached list may still contain a removed channel.
  const hasCloud = useUser() !== undefined && !isUnderWay && cloudChannels.isKnown(channelId)
  const select = useCallback((channels: Channel[]) => channels.find(({ id }) => id === channelId), [channelId])
  const { data: local } = useQuery({ ...channelsQuery, refetchOnMount: false, select })
  const { data: cloud } = useQuery({ ...cloudQuery, enabled: hasCloud, refetchOnMount: false, select })
  return hasCloud && local && cloud ? { local, cloud } : undefined
}

type CloudCopy = { messages: Message[] | undefined; error: Error | null; retry: () => void }

/**
 * All messages of the cloud copy of a channel in both homes: it is read as a whole, because either copy may lack
 * messages of the other.
 */
export function useCloudCopy(channelId: string): CloudCopy {
  const isInBoth = useBothHomes(channelId) !== undefined
  const { data, error, refetch } = useQuery({
    queryKey: channelKeys.cloudCopy(channelId),
    // Another tab or device may have moved it meanwhile.
    queryFn: async ({ signal }) => (await undefinedIfMissing(() => readAllFromCloud(channelId, { signal }))) ?? [],
    enabled: isInBoth,
    staleTime: 0,
  })
  const retry = (): void => {
    if (error) void refetch()
  }
  return isInBoth ? { messages: data, error, retry } : { messages: undefined, error: null, retry }
}

/** The direction of the interrupted move; undefined where it is unknown. `isPending`: it is being read. */
export function useMoveDirection({ local }: BothHomes): { direction: StorageMode | undefined; isPending: boolean } {
  const { data, isPending } = useQuery({
    queryKey: channelKeys.moveDirection(local.id),
    queryFn: async () => (await readMoveDirection(local.id)) ?? null,
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
  })
  // A copy that came from the cloud and is still there was not deleted there.
  return { direction: data ?? (local.lastSyncedAt === undefined ? undefined : 'local'), isPending }
}
