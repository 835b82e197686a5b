import type { ContextMessage, CreateChatMessage } from '@parley/contract/chat'
import type { ContextExchange } from '@parley/contract/context'

type Sent = Pick<CreateChatMessage, 'earlierMessages' | 'lastMessages' | 'pinned'>

/**
 * What the client of a chat of a device sends of it, as exchanges. An answer without its question counts for nothing.
 */
export function devicePath({ earlierMessages = [], lastMessages, pinned = [] }: Sent): ContextExchange[] {
  const isPinned = new Set(pinned)
  const path: { messages: ContextMessage[]; isPinned: boolean }[] = []
  for (const [index, message] of [...earlierMessages, ...lastMessages].entries()) {
    if (message.role === 'user') path.push({ messages: [message], isPinned: isPinned.has(index) })
    else path.at(-1)?.messages.push(message)
  }
  return path
}
