import { isOver, type Message } from '@parley/contract/chat'
import type { ReadMark } from '../../data/channels/read-marks'

/** What is new of an exchange: all of it, or its answer alone. */
export type Arrival = { mId: string; part: 'question' | 'answer' }

/**
 * What came between two states of the newest messages: exchanges after the last one, and answers that began. Nothing
 * where the last one is there no longer, or shows another answer: the reader has gone to another branch.
 */
export function arrivalsOf(before: readonly Message[], now: readonly Message[]): Arrival[] {
  const last = before.at(-1)
  const at = now.findIndex(({ mId }) => mId === last?.mId)
  const place = now[at]
  if (!last || !place || runOf(place) !== runOf(last)) return []
  const silent = new Set(before.flatMap((message) => (isSilent(message) ? [message.mId] : [])))
  const begun = now.slice(0, at + 1).filter((message) => silent.has(message.mId) && !isSilent(message))
  return [
    ...begun.map(({ mId }): Arrival => ({ mId, part: 'answer' })),
    ...now.slice(at + 1).map(({ mId }): Arrival => ({ mId, part: 'question' })),
  ]
}

const isSilent = (message: Message): boolean => message.chat_response.content === '' && !isOver(message)
const runOf = ({ versions, run }: Message): string | undefined => versions?.answer ?? run?.messageId

/** Adds arrivals to those known, each exchange once, in the order of the messages; those that are gone are left out. */
export function withArrivals(
  known: readonly Arrival[],
  added: readonly Arrival[],
  now: readonly Message[],
): readonly Arrival[] {
  const all = new Map([...added, ...known].map((arrival) => [arrival.mId, arrival]))
  const standing = now.flatMap(({ mId }) => all.get(mId) ?? [])
  const isSame = standing.length === known.length && standing.every((each, index) => each === known[index])
  return isSame ? known : standing
}

/**
 * The first that came after a mark. Of an own question only the answer is new. Undefined where nothing came, and where
 * the marked message is not among these.
 */
export function firstNewOf(mark: ReadMark, messages: readonly Message[]): Arrival | undefined {
  const at = messages.findIndex(({ mId }) => mId === mark.mId)
  const marked = messages[at]
  if (!marked) return undefined
  if (!mark.isOver && isOver(marked)) return { mId: marked.mId, part: 'answer' }
  const next = messages[at + 1]
  return next && { mId: next.mId, part: next.author ? 'question' : 'answer' }
}
