import type { OutlineEntry } from '@parley/contract/branches'
import type { Message } from '@parley/contract/chat'
import type { QueryClient } from '@tanstack/react-query'
import { questionText } from '../../lib/message-sources'
import { channelKeys } from './channel-keys'

const excerptLength = 200

/** Patches one message in the outline of its channel, where it is shown. `message`: undefined where it was removed. */
export function patchOutline(
  client: QueryClient,
  channelId: string,
  { mId, message }: { mId: string; message: Message | undefined },
): void {
  const queryKey = channelKeys.outline(channelId)
  const state = client.getQueryState<OutlineEntry[]>(queryKey)
  if (!state) return
  const before = state.data
  const after = before && (message ? withMessage(before, message) : withoutMessage(before, mId))
  // What is being read may be an older state.
  if (!after || (state.fetchStatus === 'fetching' && after !== before)) void client.invalidateQueries({ queryKey })
  else if (after !== before) client.setQueryData<OutlineEntry[]>(queryKey, after)
}

/** The same outline where the message changes nothing in it; undefined where only its store can tell its place. */
export function withMessage(entries: readonly OutlineEntry[], message: Message): OutlineEntry[] | undefined {
  const { mId, isPinned, datetime, author } = message
  const known = entries.find((entry) => entry.mId === mId)
  const pin = isPinned ? { isPinned } : {}
  if (known) {
    const { isPinned: wasPinned, ...rest } = known
    return wasPinned === isPinned
      ? (entries as OutlineEntry[])
      : entries.map((entry) => (entry === known ? { ...rest, ...pin } : entry))
  }
  const last = entries.findLast(({ isShown }) => isShown)?.mId ?? null
  // The first run of a question has its id. What follows another one, or is a branch, is not told by the message.
  if (message.afterRunId !== undefined && message.afterRunId !== last) return undefined
  if (entries.some((entry) => entry.afterMId === last)) return undefined
  const text = Array.from(questionText(message).slice(0, 2 * excerptLength))
    .slice(0, excerptLength)
    .join('')
  return [
    ...entries,
    { ...{ mId, afterMId: last, text, datetime, isShown: true }, ...pin, ...(author ? { author } : {}) },
  ]
}

/** What followed a removed question follows the one before it. */
export function withoutMessage(entries: readonly OutlineEntry[], mId: string): OutlineEntry[] {
  const gone = entries.find((entry) => entry.mId === mId)
  if (!gone) return entries as OutlineEntry[]
  return entries.flatMap((entry) =>
    entry === gone ? [] : [entry.afterMId === mId ? { ...entry, afterMId: gone.afterMId } : entry],
  )
}
