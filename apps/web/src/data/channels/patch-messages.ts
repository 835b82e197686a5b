import type { Message } from '@parley/contract/chat'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { scoped } from '../scope/scope'
import { channelKeys } from './channel-keys'
import type { MessagePage } from './channel-store'
import { shownRunOf } from './cloud-overlay'

type Pages = InfiniteData<MessagePage>
/** The current message; undefined: it was removed. */
type Patch = { mId: string; message: Message | undefined }

/**
 * Patches of queries that are being fetched: the fetch may return an older state, so that they are applied again
 * afterwards.
 */
const patchesOfFetches = scoped((scope) => {
  const pending = new Map<Query, Map<string, Patch>>()
  const { queryClient } = scope.environment
  if (queryClient) scope.onDispose(watchFetches(queryClient, pending))
  return pending
})

/**
 * Patches one message in the loaded pages of its channel, instead of refetching them; one that follows the last message
 * is added after it. False when it stands in no loaded page.
 */
export function patchMessages(client: QueryClient, channelId: string, patch: Patch): boolean {
  const pending = patchesOfFetches()
  let isKnown = false
  for (const query of client.getQueryCache().findAll({ queryKey: channelKeys.messages(channelId) })) {
    if (query.state.fetchStatus === 'fetching') {
      const patches = pending.get(query) ?? new Map<string, Patch>()
      pending.set(query, patches.set(patch.mId, patch))
    }
    const data = query.state.data as Pages | undefined
    const patched = data && applyPatch(data, patch)
    if (!data || (patched === data && !containsMessage(data, patch.mId))) continue
    isKnown = true
    client.setQueryData<Pages>(query.queryKey, patched)
  }
  return isKnown
}

function watchFetches(client: QueryClient, pending: Map<Query, Map<string, Patch>>): () => void {
  return client.getQueryCache().subscribe((event) => {
    if (event.type === 'removed') pending.delete(event.query)
    if (event.type !== 'updated') return
    const { query, action } = event
    const patches = pending.get(query)
    if (
      !patches ||
      (action.type !== 'success' && action.type !== 'error') ||
      (action.type === 'success' && action.manual)
    )
      return
    pending.delete(query)
    const before = query.state.data as Pages | undefined
    const after = before && [...patches.values()].reduce(applyPatch, before)
    if (after && after !== before) client.setQueryData<Pages>(query.queryKey, after)
  })
}

const containsMessage = ({ pages }: Pages, mId: string): boolean =>
  pages.some(({ messages }) => messages.some((message) => message.mId === mId))

function applyPatch(data: Pages, { mId, message }: Patch): Pages {
  if (!containsMessage(data, mId)) return message && followsLast(data, message) ? appended(data, message) : data
  const pages = data.pages.map((page) => {
    if (!page.messages.some((known) => known.mId === mId)) return page
    const messages = page.messages.flatMap((known) => (known.mId !== mId ? [known] : message ? [message] : []))
    return { ...page, messages, total: page.total - (message ? 0 : 1) }
  })
  return { ...data, pages }
}

/** Whether a message goes on with the conversation as it is loaded, up to its end. Pages are ordered newest first. */
function followsLast({ pages }: Pages, { afterRunId }: Message): boolean {
  const [newest] = pages
  if (!newest || newest.newer !== undefined) return false
  const last = newest.messages.at(-1)
  return last ? shownRunOf(last) === afterRunId : newest.total === 0 && afterRunId === null
}

function appended(data: Pages, message: Message): Pages {
  const pages = data.pages.map((page, index) => ({
    ...page,
    ...(index === 0 ? { messages: [...page.messages, message] } : {}),
    total: page.total + 1,
  }))
  return { ...data, pages }
}
