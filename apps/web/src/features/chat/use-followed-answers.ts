import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { useEffect } from 'react'
import { canFollow } from '../../data/channels/capabilities'
import { followChannel } from '../../data/chat/chat-engine'

/** Streams the answers of a cloud channel that belong to other devices or members. */
export function useFollowedAnswers(channel: Channel | undefined, messages: readonly Message[]): void {
  const channelId = channel && canFollow(channel) ? channel.id : undefined
  useEffect(() => {
    if (channelId !== undefined) followChannel(channelId, messages)
  }, [channelId, messages])
}
