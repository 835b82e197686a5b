import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { useEffect } from 'react'
import { hasReceipts } from '../../data/channels/capabilities'
import { markRead, markReceived } from '../../data/channels/sharing'

/** Sends read receipts while the person looks at a shared channel. */
export function useReadReceipts(channel: Channel | undefined, messages: readonly Message[]): void {
  const channelId = channel && hasReceipts(channel) ? channel.id : undefined
  const newest = messages.findLast(({ author }) => author !== undefined)?.mId
  useEffect(() => {
    if (channelId === undefined || newest === undefined) return
    const note = (): void => {
      if (document.visibilityState !== 'visible') return void markReceived(channelId, newest)
      document.removeEventListener('visibilitychange', note)
      void markRead(channelId)
    }
    document.addEventListener('visibilitychange', note)
    note()
    return () => document.removeEventListener('visibilitychange', note)
  }, [channelId, newest])
}
