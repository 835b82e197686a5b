import type { Message } from '@parley/contract/chat'
import { useChannel } from './use-channels'

/** What the reader may do with a message: ask again what they asked themselves, delete that and whatever is in their own channel. */
export function useMessageRights({ channelId, author }: Pick<Message, 'channelId' | 'author'>): { canAsk: boolean; canDelete: boolean } {
  const role = useChannel(channelId)?.role
  const isMine = author === undefined
  return { canAsk: isMine && role !== 'read', canDelete: isMine || role === undefined }
}
