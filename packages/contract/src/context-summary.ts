import { type ContextExchange, type ContextRoom, type FittedContext, fitContext } from './context'
import type { Summary } from './conversations'
import { limits } from './limits/shared'
import { estimateTokensOf } from './token-estimate'

// What no longer fits a model's window is summarised, and the summary goes along in its place. The rules are pure, and
// shared by the client, for chats of the device, and by the server.

/** An exchange of a path, and the run that the path goes through. */
export type PathPlace = { mId: string; runId?: string | undefined }

const isPlaceOf = ({ upToRunId, exchangeId }: Summary, { mId, runId }: PathPlace): boolean =>
  mId === exchangeId && runId === upToRunId

/** The last position of a path whose summary is there, of those that count for it; -1 where there is none. */
const lastPlace = (path: readonly PathPlace[], summaries: readonly Summary[]): number =>
  path.findLastIndex((place) => summaries.some((summary) => isPlaceOf(summary, place)))

/** The summary that goes along with the next question of a path: the nearest one that nobody has undone. */
export function summaryOf(path: readonly PathPlace[], summaries: readonly Summary[]): Summary | undefined {
  const counting = summaries.filter(({ isUndone }) => !isUndone)
  const place = path[lastPlace(path, counting)]
  return place && counting.find((summary) => isPlaceOf(summary, place))
}

/** The position of a path that a summary ends with; -1 where it does not count for the path. */
export const placeOf = (path: readonly PathPlace[], summary: Summary | undefined): number =>
  summary ? lastPlace(path, [summary]) : -1

/** What may go along beside a summary: what is pinned, and what was said after the run that it ends with. */
export function pathBeside<E extends ContextExchange & PathPlace>(
  path: readonly E[],
  summary: Summary | undefined,
): readonly E[] {
  const at = placeOf(path, summary)
  return at < 0 ? path : path.filter(({ isPinned }, index) => index > at || isPinned)
}

/** A summary as the model reads it: an exchange, for some models want questions and answers in turn. */
export const summaryExchange = (text: string): ContextExchange => ({
  messages: [
    { role: 'user', content: `This is a summary of what we said before, in place of the messages:\n\n${text}` },
    { role: 'assistant', content: 'I go on from there.' },
  ],
})

/**
 * As `fitContext`, with a summary before all else; `summaryTokens` of the room are its. It is shortened where it must
 * be.
 */
export function fitBeside<E extends ContextExchange>(
  path: readonly E[],
  summary: string | undefined,
  room: ContextRoom,
): FittedContext<E> & { summary: ContextExchange | undefined; summaryTokens: number } {
  const share = { tokens: Math.floor(room.tokens / limits.context.summaryRoomShare) }
  const [fitted] = summary === undefined ? [] : fitContext([summaryExchange(summary)], share).sent
  const summaryTokens = fitted ? estimateTokensOf(fitted.messages) : 0
  return {
    ...fitContext(path, { ...room, tokens: room.tokens - summaryTokens }),
    ...{ summary: fitted, summaryTokens },
  }
}

/** What a summary is to be made of: the exchanges after the summary before it, up to one. */
export type DueSummary = { from: number; upTo: number }

/**
 * What is to be summarised of a path, oldest first, of which the `recent` newest exchanges go along: all before those,
 * where more than a quarter of the path would be in no summary; undefined where nothing is to be done. `unread`:
 * exchanges before the path. A summary that was undone is not asked for again.
 */
export function dueSummary(
  path: readonly (ContextExchange & PathPlace)[],
  { recent, unread, summaries }: { recent: number; unread: number; summaries: readonly Summary[] },
): DueSummary | undefined {
  const upTo = path.length - recent - 1
  const asked = lastPlace(path, summaries)
  const isLeftOut = ({ isPinned }: ContextExchange, index: number): boolean =>
    index > asked && index <= upTo && !isPinned
  const leftOut = path.filter(isLeftOut).length + (asked < 0 ? unread : 0)
  if (path[upTo]?.runId === undefined || leftOut * limits.context.summaryShare <= path.length + unread) return undefined
  const live = summaryOf(path, summaries)
  return { from: placeOf(path, live) + 1, upTo }
}
