import type { Message } from '@parley/contract/chat'
import { type ContextExchange, exchangesOf } from '@parley/contract/context'
import { pathBeside, summaryOf } from '@parley/contract/context-summary'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { ChannelStore, MessagePage } from '../channels/channel-store'

/** An answered exchange of a chat, and the run that the path goes through. */
export type PathExchange = ContextExchange & { mId: string; runId?: string | undefined }

/** What of a chat a question may take along: the summary stands for what was said before the path. */
export type SaidBefore = { path: readonly PathExchange[]; summary?: string | undefined }

export type PathBefore = {
  /** Oldest first. */
  exchanges: PathExchange[]
  /** Nothing of the chat lies before them. */
  isWhole: boolean
}

/**
 * What was said in a chat, or before one of its messages: the newest of it, as much as a question's frame may carry.
 * `before`: a message, whose path it is.
 */
export async function readPathBefore(store: ChannelStore, channelId: string, before?: string): Promise<PathBefore> {
  const messages: Message[] = []
  let bytes = 0
  for (let limit = webLimits.channels.messagePageSize, cursor: string | undefined; ; limit *= 2) {
    const page = await readPage(store, channelId, { limit, cursor, ...(before === undefined ? {} : { before }) })
    messages.unshift(...page.messages)
    bytes += page.messages.reduce((sum, message) => sum + lengthOf(message), 0)
    cursor = page.cursor
    const isEnough = bytes > limits.chat.maxFrameBytes || messages.length * 2 >= maxMessages
    if (cursor === undefined || isEnough) return { exchanges: exchangesOf(messages), isWhole: cursor === undefined }
  }
}

/** What of a path a question may take along, with the summary that stands for what lies before. */
export async function withSummary(
  store: ChannelStore,
  channelId: string,
  path: readonly PathExchange[],
): Promise<SaidBefore> {
  const summary = summaryOf(path, await store.summaries(channelId))
  return { path: pathBeside(path, summary), summary: summary?.text }
}

const maxMessages = limits.context.maxEarlierMessages + limits.chat.maxContextMessages

/** In JSON, a character takes a byte at least. */
const lengthOf = ({ chat_request, chat_response }: Message): number =>
  chat_request.length + chat_response.content.length

async function readPage(
  store: ChannelStore,
  channelId: string,
  { limit, cursor, before }: { limit: number; cursor: string | undefined; before?: string },
): Promise<Pick<MessagePage, 'messages' | 'cursor'>> {
  if (cursor !== undefined) return store.messages(channelId, { before: cursor, limit })
  if (before === undefined) return store.messages(channelId, { limit })
  const around = await store.messages(channelId, { around: before, limit })
  const at = around.messages.findIndex(({ mId }) => mId === before)
  return { messages: around.messages.slice(0, Math.max(0, at)), cursor: around.cursor }
}
