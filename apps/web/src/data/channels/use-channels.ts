import { byActivity, type Channel } from '@parley/contract/channels'
import type { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { storageError } from '../local/storage-error'
import { useUser } from '../session/stored-session'
import { channelKeys } from './channel-keys'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { listTemporary } from './temporary-chats'

/** The channels of this device and of this tab; of one that is being kept, which both have, the tab's. */
async function listHere(): Promise<Channel[]> {
  const [stored, temporary] = await Promise.all([localChannels.list(), listTemporary()])
  return temporary.length === 0 ? stored : [...temporary, ...withoutKnown(stored, temporary)].sort(byActivity)
}

export const channelsQuery = queryOptions({
  queryKey: channelKeys.list,
  queryFn: listHere,
  staleTime: webLimits.channels.listStaleMs,
  gcTime: webLimits.channels.listCacheMs,
  // It reads the device, and works offline.
  networkMode: 'always',
})

export const cloudQuery = queryOptions({
  queryKey: channelKeys.cloud,
  queryFn: ({ signal }) => cloudChannels.list(signal),
  staleTime: webLimits.channels.listStaleMs,
  gcTime: webLimits.channels.listCacheMs,
})

const none: Channel[] = []

type Channels = {
  channels: Channel[]
  isPending: boolean
  hasList: boolean
  error: AppError | undefined
  /** The channels of the list that are only in the cloud. */
  inCloud: Channel[]
  /** The cloud copies of channels that are on this device as well, because a move was interrupted. */
  inBoth: Channel[]
}

/**
 * The channels of both homes, most recently active first; of a channel in both, the copy on this device is listed.
 * After a failure `hasList` says whether an earlier list is shown. Without a network the cloud's last list is used.
 */
export function useChannels(): Channels {
  const hasCloud = useUser() !== undefined
  const { data, isPending, error } = useQuery(channelsQuery)
  const {
    data: cloud = none,
    error: cloudError,
    isLoading: isCloudLoading,
  } = useQuery({ ...cloudQuery, enabled: hasCloud })
  const local = data ?? none
  const inCloud = useMemo(() => (hasCloud ? withoutKnown(cloud, local) : none), [hasCloud, cloud, local])
  const inBoth = useMemo(
    () => cloud.filter((channel) => hasCloud && !inCloud.includes(channel)),
    [hasCloud, cloud, inCloud],
  )
  const channels = useMemo(
    () => (inCloud.length === 0 ? local : [...local, ...inCloud].sort(byActivity)),
    [inCloud, local],
  )
  const failure = error ?? (hasCloud ? cloudError : null)
  return {
    channels,
    // The list is empty for sure only when both homes have answered.
    isPending: isPending || (isCloudLoading && local.length === 0),
    hasList: data !== undefined,
    error: failure ? storageError(failure) : undefined,
    inCloud,
    inBoth,
  }
}

function withoutKnown(cloud: readonly Channel[], local: readonly Channel[]): Channel[] {
  const known = new Set(local.map(({ id }) => id))
  return cloud.filter(({ id }) => !known.has(id))
}

/** One channel of the cached lists. Changes of other channels cause no render. */
export function useChannel(channelId: string | undefined): Channel | undefined {
  const hasCloud = useUser() !== undefined
  const select = useCallback((channels: Channel[]) => channels.find(({ id }) => id === channelId), [channelId])
  const { data: local } = useQuery({ ...channelsQuery, refetchOnMount: false, select })
  const { data: cloud } = useQuery({ ...cloudQuery, enabled: hasCloud, refetchOnMount: false, select })
  return local ?? (hasCloud ? cloud : undefined)
}
