import { AppError } from '@parley/contract/errors'
import { useEffect, useRef } from 'react'
import { findChannel } from '../../data/channels/homes'
import { useChannel, useChannels } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { useSelectChannel } from '../../lib/selected-channel'
import { toast } from '../../ui/toast'

/** Redirects a URL of an unknown channel to the new chat. It says so, unless the channel was just deleted. */
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
    // The list may be older than a channel that was just created.
    const ignore = (failure: unknown): boolean => failure instanceof AppError && failure.code === 'network'
    findChannel(channelId).then(
      (channel) => channel ?? leave(),
      // Without a network the cloud's channels are unknown.
      (failure: unknown) => ignore(failure) || leave(),
    )
    return () => {
      isCurrent = false
    }
  }, [channelId, isListed, isPending, error, select, t])

  return null
}
