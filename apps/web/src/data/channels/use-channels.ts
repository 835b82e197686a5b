import { byActivity, type Channel } from '@parley/contract/channels'
import type { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { storageError } from '../local/storage-error'
import { useUser } from '../session/stored-session'
import { channelKeys } from './channel-keys'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { watchChanges } from './watch-changes'

const channelsQuery = queryOptions({
  queryKey: channelKeys.list,
  queryFn: () => localChannels.list(),
  staleTime: limits.channels.listStaleMs,
  gcTime: limits.channels.listCacheMs,
  // The device is asked, not the network: offline it answers as well.
  networkMode: 'always',
})

const cloudQuery = queryOptions({
  queryKey: channelKeys.cloud,
  queryFn: () => cloudChannels.list(),
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
}

/**
 * The channels of both homes, last activity first; the copy on this device wins. After a failure `hasList` tells whether they are those of before it.
 * Without a network the cloud's are those that were last seen.
 */
export function useChannels(): Channels {
  return useBothHomes(true)
}

/** `refetchOnMount`: what shows the list asks for it anew; what needs one channel of it takes it as it is. */
function useBothHomes(refetchOnMount: boolean): Channels {
  watchChanges(useQueryClient())
  const hasCloud = useUser() !== undefined
  const { data, isPending, error } = useQuery({ ...channelsQuery, refetchOnMount })
  const { data: cloud = none } = useQuery({ ...cloudQuery, enabled: hasCloud, refetchOnMount })
  const local = data ?? none
  const inCloud = useMemo(() => (hasCloud ? withoutKnown(cloud, local) : none), [hasCloud, cloud, local])
  const channels = useMemo(() => (inCloud.length === 0 ? local : [...local, ...inCloud].sort(byActivity)), [inCloud, local])
  return { channels, isPending, hasList: data !== undefined, error: error ? storageError(error) : undefined, inCloud }
}

function withoutKnown(cloud: readonly Channel[], local: readonly Channel[]): Channel[] {
  const known = new Set(local.map(({ id }) => id))
  return cloud.filter(({ id }) => !known.has(id))
}

export function useChannel(channelId: string | undefined): Channel | undefined {
  const { channels } = useBothHomes(false)
  return channels.find(({ id }) => id === channelId)
}
