import type { Message } from '@parley/contract/chat'
import type { ChannelStore } from '../channels/channel-store'

type Page = { before: string | undefined; messages: Message[] | undefined; characters: number }

/** How much of a channel stays in memory on the way back to its beginning; the rest of a longer one is read twice. */
const memoryCharacters = 8_000_000

/**
 * Yields all messages of a channel, oldest first, page by page. Cursors lead from the newest page to older ones, so the
 * pages are first read in that order.
 */
export async function* pagesOldestFirst(
  store: ChannelStore,
  channelId: string,
  pageSize: number,
): AsyncGenerator<Message[], void> {
  const read = (before: string | undefined) =>
    store.messages(channelId, { limit: pageSize, ...(before === undefined ? {} : { before }) })
  const pages: Page[] = []
  let kept = 0
  let dropped = 0
  for (let before: string | undefined; ; ) {
    const { messages, cursor } = await read(before)
    const characters = messages.reduce(
      (sum, { chat_request, chat_response }) => sum + chat_request.length + chat_response.content.length,
      0,
    )
    pages.push({ before, messages, characters })
    kept += characters
    // The newest pages are yielded last, and dropped first.
    for (; kept > memoryCharacters && dropped < pages.length - 1; dropped++) {
      const page = pages[dropped]
      if (!page) break
      page.messages = undefined
      kept -= page.characters
    }
    if (cursor === undefined) break
    before = cursor
  }
  for (let page = pages.pop(); page; page = pages.pop()) yield page.messages ?? (await read(page.before)).messages
}
