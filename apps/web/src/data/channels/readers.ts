import { limits } from '@parley/contract/limits'
import { type Reader, receiptRoutes } from '@parley/contract/receipts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../http/api'
import { channelKeys } from './channel-keys'

/** Who else received and read a message of a shared channel. Messages that are shown together are asked for together. */
export const readersQuery = (channelId: string, mId: string) =>
  queryOptions({ queryKey: channelKeys.readersOf(channelId, mId), queryFn: () => readersOf(channelId, mId), staleTime: limits.queries.staleMs })

type Wish = { mId: string; resolve: (readers: Reader[]) => void; reject: (error: unknown) => void }

const wishes = new Map<string, Wish[]>()

function readersOf(channelId: string, mId: string): Promise<Reader[]> {
  return new Promise((resolve, reject) => {
    const wish = { mId, resolve, reject }
    const waiting = wishes.get(channelId)
    if (waiting) {
      waiting.push(wish)
      return
    }
    wishes.set(channelId, [wish])
    setTimeout(() => void fulfil(channelId), limits.sharing.receiptsGatherMs)
  })
}

/** Every wish is answered, also where the call fails. */
async function fulfil(channelId: string): Promise<void> {
  const all = wishes.get(channelId) ?? []
  wishes.delete(channelId)
  const { receiptsAtOnce } = limits.sharing
  for (let from = 0; from < all.length; from += receiptsAtOnce) {
    const some = all.slice(from, from + receiptsAtOnce)
    try {
      const { messages } = await api(receiptRoutes.readers, { params: { channelId }, body: { messageIds: some.map(({ mId }) => mId) } })
      const readers = new Map(messages.map((message) => [message.mId, message.readers]))
      for (const { mId, resolve } of some) resolve(readers.get(mId) ?? [])
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}
