// How exchanges from elsewhere are fitted into a chat of this device: pure.
import type { Message } from '@parley/contract/chat'
import type { Run } from '@parley/contract/conversations'
import { type ExchangeWithRuns, laterTime, recordsOf } from '@parley/contract/message-adapter'
import { canonicalParts } from '@parley/contract/parts'
import { withOwnIds } from '@parley/contract/stored-message'

/** What can be copied into a chat: a message of document 3, or an exchange with all its runs. */
export type Importable = Message | ExchangeWithRuns

export const idOf = (item: Importable): string => ('exchange' in item ? item.exchange.id : item.mId)

/** What a chat has before the copy: the run that is shown last, and the exchange of each run. */
export type Surroundings = { lastRunId: string | null; exchangeOfRun: ReadonlyMap<string, string> }

/**
 * The exchanges of a copy, each after a run that is there: the one that it followed, or else the one before it. Every
 * run gets an id of its own in the chat: messages that were kept in two versions had one run.
 */
export function linked(items: readonly Importable[], channelId: string, before: Surroundings): ExchangeWithRuns[] {
  const exchangeOf = new Map(before.exchangeOfRun)
  let last = before.lastRunId
  return items.map((item) => {
    const given = 'exchange' in item ? item : recordsOf(item, last)
    const { afterRunId } = given.exchange
    const isThere = afterRunId === null ? before.lastRunId === null : exchangeOf.has(afterRunId)
    const exchange = { ...given.exchange, channelId, afterRunId: isThere ? afterRunId : last }
    const runs = withOwnIds(given.runs, exchange.id, (id) => {
      const owner = exchangeOf.get(id)
      return owner !== undefined && owner !== exchange.id
    }).map((run) => ({ ...run, channelId }))
    for (const { id } of runs) exchangeOf.set(id, exchange.id)
    last = runs.at(-1)?.id ?? last
    return { exchange, runs }
  })
}

/** The exchange under another id, with all its runs. */
export function renamed({ exchange, runs }: ExchangeWithRuns, id: string): ExchangeWithRuns {
  const taken = new Set(runs.map((run) => run.id))
  return { exchange: { ...exchange, id }, runs: withOwnIds(runs, id, (each) => taken.has(each)) }
}

/**
 * The runs to add to those that an exchange has, which go on to be shown as they are: all earlier ones that it lacks.
 * The newest incoming one says what is shown already.
 */
export function missingRuns(stored: readonly Run[], incoming: readonly Run[], exchangeId: string): Run[] {
  const newest = stored.at(-1)
  if (!newest) return [...incoming]
  const contents = new Set(stored.map(contentOf))
  const missing = incoming.slice(0, -1).filter((run) => !contents.has(contentOf(run)))
  const latest = new Date((Date.parse(newest.startedAt) || 1) - 1).toISOString()
  const ids = new Set(stored.map(({ id }) => id))
  return withOwnIds(missing, exchangeId, (id) => ids.has(id)).map((run) =>
    run.startedAt < newest.startedAt ? run : { ...run, startedAt: latest },
  )
}

/** Incoming runs of an exchange that stands here without its own: the newest of them is shown, after all the others. */
export function rejoined(stored: readonly Run[], incoming: readonly Run[], exchangeId: string): Run[] {
  const known = new Map(stored.map((run) => [run.id, contentOf(run)]))
  const fresh = incoming.filter((run) => known.get(run.id) !== contentOf(run))
  const runs = withOwnIds(fresh, exchangeId, (id) => known.has(id))
  const latest = stored
    .map(({ startedAt }) => startedAt)
    .toSorted()
    .at(-1)
  const shown = runs.at(-1)
  return latest === undefined || !shown
    ? runs
    : [...runs.slice(0, -1), { ...shown, startedAt: laterTime(shown.startedAt, latest) }]
}

/**
 * Whether the copies have every run of the exchanges, whatever its id; that what is shown is the same is told by
 * `containsAll`.
 */
export function haveEveryRun(exchanges: readonly ExchangeWithRuns[], copies: readonly ExchangeWithRuns[]): boolean {
  const runsOf = new Map(copies.map(({ exchange, runs }) => [exchange.id, new Set(runs.map(contentOf))]))
  return exchanges.every(({ exchange, runs }) =>
    runs.slice(0, -1).every((run) => runsOf.get(exchange.id)?.has(contentOf(run))),
  )
}

/** What a copy of a run preserves. */
function contentOf({ answer, status, isEmpty, error, model, agentId, usage, finishReason, prompt }: Run): string {
  const said = [status, isEmpty, error?.code, error?.content, model, agentId, finishReason, prompt]
  return JSON.stringify([canonicalParts(answer), said, usage?.inputTokens, usage?.outputTokens, usage?.cost])
}
