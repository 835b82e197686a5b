import type { Message } from '@parley/contract/chat'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { channelKeys } from './channel-keys'
import type { MessagePage } from './channel-store'

type Pages = InfiniteData<MessagePage>
/** The message as it is now; undefined: it was removed. */
type Patch = { mId: string; message: Message | undefined }

/** Patches of queries that are being read: what they read may be older, so that they are applied once more when it is there. */
const pending = new WeakMap<Query, Map<string, Patch>>()
const watched = new WeakSet<QueryClient>()

/** Puts one message into what is loaded of its channel, instead of reading all of that again. False when it is in none of it, and has to be looked for. */
export function patchMessages(client: QueryClient, channelId: string, patch: Patch): boolean {
  watchReads(client)
  let isKnown = false
  for (const query of client.getQueryCache().findAll({ queryKey: channelKeys.messages(channelId) })) {
    if (query.state.fetchStatus === 'fetching') {
      const patches = pending.get(query) ?? new Map<string, Patch>()
      pending.set(query, patches.set(patch.mId, patch))
    }
    const data = query.state.data as Pages | undefined
    if (!data || !has(data, patch.mId)) continue
    isKnown = true
    client.setQueryData<Pages>(query.queryKey, patched(data, patch))
  }
  return isKnown
}

function watchReads(client: QueryClient): void {
  if (watched.has(client)) return
  watched.add(client)
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const patches = pending.get(query)
    if (!patches || (action.type !== 'success' && action.type !== 'error') || (action.type === 'success' && action.manual)) return
    pending.delete(query)
    const before = query.state.data as Pages | undefined
    const after = before && [...patches.values()].reduce(patched, before)
    if (after && after !== before) client.setQueryData<Pages>(query.queryKey, after)
  })
}

const has = ({ pages }: Pages, mId: string): boolean => pages.some(({ messages }) => messages.some((message) => message.mId === mId))

function patched(data: Pages, { mId, message }: Patch): Pages {
  if (!has(data, mId)) return data
  const pages = data.pages.map((page) => {
    if (!page.messages.some((known) => known.mId === mId)) return page
    const messages = page.messages.flatMap((known) => (known.mId !== mId ? [known] : message ? [message] : []))
    return { ...page, messages, total: page.total - (message ? 0 : 1) }
  })
  return { ...data, pages }
}
