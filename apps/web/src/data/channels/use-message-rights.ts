import type { Message } from '@parley/contract/chat'
import { useChannel } from './use-channels'

type Rights = { canAsk: boolean; canDelete: boolean; canStop: boolean }

/** What the reader may do with a message: ask again what they asked themselves, delete that and whatever is in their own channel, stop its answer. */
export function useMessageRights({ channelId, author }: Pick<Message, 'channelId' | 'author'>): Rights {
  const channel = useChannel(channelId)
  const isMine = author === undefined
  const isOwner = channel !== undefined && channel.role === undefined
  return { canAsk: isMine && channel?.role !== 'read', canDelete: isMine || channel?.role === undefined, canStop: isMine || isOwner }
}
