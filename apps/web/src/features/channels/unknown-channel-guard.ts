import { AppError } from '@parley/contract/errors'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { findChannel } from '../../data/channels/homes'
import { useChannel, useChannels } from '../../data/channels/use-channels'
import { useSelectChannel } from '../../lib/selected-channel'
import { toast } from '../../ui/toast'

/** An address of a channel that is not here leads to the new-chat home. It says so, unless the channel was there until now: then it was deleted. */
export function UnknownChannelGuard({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  const { isPending, error } = useChannels()
  const isListed = useChannel(channelId) !== undefined
  const select = useSelectChannel()
  const seen = useRef<string>(undefined)

  useEffect(() => {
    if (isListed) seen.current = channelId
    if (isListed || isPending || error) return
    let isCurrent = true
    const leave = () => {
      if (!isCurrent) return
      if (seen.current !== channelId) toast.error(t('channels.notFound'))
      select(undefined, { replace: true })
    }
    // The list may be older than a channel that was made a moment ago.
    const ignore = (failure: unknown): boolean => failure instanceof AppError && failure.code === 'network'
    findChannel(channelId).then(
      (channel) => channel ?? leave(),
      // Without a network nobody knows what the cloud has.
      (failure: unknown) => ignore(failure) || leave(),
    )
    return () => {
      isCurrent = false
    }
  }, [channelId, isListed, isPending, error, select, t])

  return null
}
