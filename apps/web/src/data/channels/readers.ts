import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { type Reader, receiptRoutes } from '@parley/contract/receipts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/api'
import { scoped } from '../scope/scope'
import { channelKeys } from './channel-keys'

/** Who else received and read a message of a shared channel. Requests within a short time are batched into one call. */
export const readersQuery = (channelId: string, mId: string) =>
  queryOptions({
    queryKey: channelKeys.readersOf(channelId, mId),
    queryFn: () => readersOf(channelId, mId),
    staleTime: webLimits.queries.staleMs,
  })

type ReaderRequest = { mId: string; resolve: (readers: Reader[]) => void; reject: (error: unknown) => void }

const readerRequests = scoped(() => new Map<string, ReaderRequest[]>())

function readersOf(channelId: string, mId: string): Promise<Reader[]> {
  const requests = readerRequests()
  return new Promise((resolve, reject) => {
    const request = { mId, resolve, reject }
    const waiting = requests.get(channelId)
    if (waiting) {
      waiting.push(request)
      return
    }
    requests.set(channelId, [request])
    setTimeout(() => void fetchReaders(requests, channelId), webLimits.sharing.receiptsGatherMs)
  })
}

/** Every request is settled, also where the call fails. */
async function fetchReaders(requests: Map<string, ReaderRequest[]>, channelId: string): Promise<void> {
  const all = requests.get(channelId) ?? []
  requests.delete(channelId)
  const { receiptsAtOnce } = limits.sharing
  for (let from = 0; from < all.length; from += receiptsAtOnce) {
    const some = all.slice(from, from + receiptsAtOnce)
    try {
      const { messages } = await api(receiptRoutes.readers, {
        params: { channelId },
        body: { messageIds: some.map(({ mId }) => mId) },
      })
      const readers = new Map(messages.map((message) => [message.mId, message.readers]))
      for (const { mId, resolve } of some) resolve(readers.get(mId) ?? [])
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}
