import type { OutlineEntry } from './branches'

type Place = Pick<OutlineEntry, 'mId' | 'afterMId'>

/**
 * The main line of a channel: from the first question on, the one that was asked first after each. `entries`: all
 * questions in the order of asking. Its mIds, from the first to the last; none in an empty channel.
 */
export function mainLineOf(entries: readonly Place[]): string[] {
  const known = new Set(entries.map(({ mId }) => mId))
  const firstAfter = new Map<string | null, string>()
  for (const { mId, afterMId } of entries) {
    // What follows a question that is not there begins the conversation.
    const place = afterMId !== null && known.has(afterMId) ? afterMId : null
    if (!firstAfter.has(place)) firstAfter.set(place, mId)
  }
  const line = new Set<string>()
  // A damaged record may follow itself.
  for (let at = firstAfter.get(null); at !== undefined && !line.has(at); at = firstAfter.get(at)) line.add(at)
  return [...line]
}

/** Whether the reader's path is another one than the main line: it leaves it, or ends before it does. */
export function isOnBranch(entries: readonly Pick<OutlineEntry, 'mId' | 'afterMId' | 'isShown'>[]): boolean {
  const line = new Set(mainLineOf(entries))
  return entries.some(({ mId, isShown }) => isShown !== line.has(mId))
}
