import type { LocalDatabase } from '../local/database'
import { exchangesOf, readExchanges, type StoredExchange } from '../local/exchange-records'
import type { PagePosition } from './channel-store'
import { chatIdOf } from './chat-keys'

type Chat = { db: LocalDatabase; userId: string | undefined; channelId: string; lastPosition: number }
type ExchangePage = { exchanges: StoredExchange[]; cursor: string | undefined; newer: string | undefined }

const none: ExchangePage = { exchanges: [], cursor: undefined, newer: undefined }

/**
 * The exchanges of a page, oldest first, as read in one transaction; none where that of `around` is not in the chat.
 */
export async function readPage(
  { db, userId, channelId, lastPosition }: Chat,
  { before, after, around, limit }: PagePosition & { limit: number },
): Promise<ExchangePage> {
  const chatId = chatIdOf(channelId, userId)
  const tx = db.transaction(['exchanges', 'runs'])
  const store = tx.objectStore('exchanges')

  const readBefore = async (position: number, count: number): Promise<StoredExchange[]> => {
    const exchanges: StoredExchange[] = []
    let end = position
    // Deleted messages leave gaps, so that a range of positions may have fewer records than the limit.
    while (end > 0 && exchanges.length < count) {
      const start = Math.max(0, end - (count - exchanges.length))
      exchanges.unshift(...(await readExchanges(tx, exchangesOf(chatId, start, end))))
      end = start
    }
    return exchanges
  }
  const readFrom = (position: number, count: number): Promise<StoredExchange[]> =>
    readExchanges(tx, exchangesOf(chatId, position), count)
  const has = async (from: number, to?: number): Promise<boolean> =>
    (await store.getKey(exchangesOf(chatId, from, to))) !== undefined
  const withCursors = async (exchanges: StoredExchange[]): Promise<ExchangePage> => {
    const [first, last] = [exchanges[0]?.record.position, exchanges.at(-1)?.record.position]
    return {
      exchanges,
      cursor: first !== undefined && (await has(0, first)) ? String(first) : undefined,
      newer: last !== undefined && (await has(last + 1)) ? String(last + 1) : undefined,
    }
  }

  if (around !== undefined) {
    const middle = await store.index('byId').get([chatId, around])
    if (!middle) return none
    const olderCount = Math.floor(limit / 2)
    const older = await readBefore(middle.position, olderCount)
    return withCursors([...older, ...(await readFrom(middle.position, limit - olderCount))])
  }
  if (after !== undefined) return withCursors(await readFrom(Number(after), limit))
  return withCursors(await readBefore(before === undefined ? lastPosition + 1 : Number(before), limit))
}
