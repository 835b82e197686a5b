import type { ChatRecord } from '../local/database'

/** `{channelId}_{userId}`; an anonymous person's user id is `anonymous`. */
export const chatIdOf = (channelId: string, userId: string | undefined): string => `${channelId}_${userId ?? 'anonymous'}`

export const emptyChat = (channelId: string, userId: string | undefined): ChatRecord => ({
  id: chatIdOf(channelId, userId),
  channelId,
  count: 0,
  lastPosition: 0,
})

/** The keys of all messages of a chat. */
export function allOf(channelId: string, userId: string | undefined): IDBKeyRange {
  const chatId = chatIdOf(channelId, userId)
  return IDBKeyRange.bound([chatId, 0], [chatId, Number.MAX_SAFE_INTEGER])
}
