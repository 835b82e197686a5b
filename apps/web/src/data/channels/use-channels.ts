import { byActivity, type Channel } from '@parley/contract/channels'
import type { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { storageError } from '../local/storage-error'
import { useUser } from '../session/stored-session'
import { channelKeys } from './channel-keys'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { watchChanges } from './watch-changes'

export const channelsQuery = queryOptions({
  queryKey: channelKeys.list,
  queryFn: () => localChannels.list(),
  staleTime: limits.channels.listStaleMs,
  gcTime: limits.channels.listCacheMs,
  // The device is asked, not the network: offline it answers as well.
  networkMode: 'always',
})

export const cloudQuery = queryOptions({
  queryKey: channelKeys.cloud,
  queryFn: ({ signal }) => cloudChannels.list(signal),
  staleTime: limits.channels.listStaleMs,
  gcTime: limits.channels.listCacheMs,
})

const none: Channel[] = []

type Channels = {
  channels: Channel[]
  isPending: boolean
  hasList: boolean
  error: AppError | undefined
  /** Of the list: those that live in the cloud. */
  inCloud: Channel[]
  /** Of the cloud: those that stand on this device as well, since a move was cut off. */
  inBoth: Channel[]
}

/**
 * The channels of both homes, last activity first; the copy on this device wins. After a failure `hasList` tells whether they are those of before it.
 * Without a network the cloud's are those that were last seen.
 */
export function useChannels(): Channels {
  watchChanges(useQueryClient())
  const hasCloud = useUser() !== undefined
  const { data, isPending, error } = useQuery(channelsQuery)
  const { data: cloud = none, error: cloudError, isLoading: isCloudLoading } = useQuery({ ...cloudQuery, enabled: hasCloud })
  const local = data ?? none
  const inCloud = useMemo(() => (hasCloud ? withoutKnown(cloud, local) : none), [hasCloud, cloud, local])
  const inBoth = useMemo(() => cloud.filter((channel) => hasCloud && !inCloud.includes(channel)), [hasCloud, cloud, inCloud])
  const channels = useMemo(() => (inCloud.length === 0 ? local : [...local, ...inCloud].sort(byActivity)), [inCloud, local])
  const failure = error ?? (hasCloud ? cloudError : null)
  return {
    channels,
    // That there is no chat can be said when both homes have told theirs.
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

/** One channel of the lists as they are. What changes in the others draws nothing again. */
export function useChannel(channelId: string | undefined): Channel | undefined {
  watchChanges(useQueryClient())
  const hasCloud = useUser() !== undefined
  const select = useCallback((channels: Channel[]) => channels.find(({ id }) => id === channelId), [channelId])
  const { data: local } = useQuery({ ...channelsQuery, refetchOnMount: false, select })
  const { data: cloud } = useQuery({ ...cloudQuery, enabled: hasCloud, refetchOnMount: false, select })
  return local ?? (hasCloud ? cloud : undefined)
}
