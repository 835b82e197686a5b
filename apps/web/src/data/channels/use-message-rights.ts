import type { Message } from '@parley/contract/chat'
import { useChannel } from './use-channels'

type MessageRights = { canAsk: boolean; canDelete: boolean; canStop: boolean; canPin: boolean }

/**
 * What the reader may do with a message: ask their own question again, delete it or any message of their own channel,
 * stop its answer, let it go along with every later question.
 */
export function useMessageRights({ channelId, author }: Pick<Message, 'channelId' | 'author'>): MessageRights {
  const channel = useChannel(channelId)
  const isMine = author === undefined
  const isOwner = channel !== undefined && channel.role === undefined
  return {
    canAsk: isMine && channel?.role !== 'read',
    canDelete: isMine || channel?.role === undefined,
    canStop: isMine || isOwner,
    canPin: channel !== undefined && channel.role !== 'read',
  }
}
