import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { useEffect } from 'react'
import { followShown } from '../../data/chat/chat-engine'

/** Answers of a cloud channel that another device or another member asked for grow here as they do there. */
export function useFollowedAnswers(channel: Channel | undefined, messages: readonly Message[]): void {
  const channelId = channel && !channel.isLocalChannel ? channel.id : undefined
  useEffect(() => {
    if (channelId !== undefined) followShown(channelId, messages)
  }, [channelId, messages])
}
