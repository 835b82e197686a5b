// What a tree from elsewhere changes in a channel: pure.
import { Uuid } from '@parley/contract/chat'
import type { Exchange, Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { compareRuns, isSameAnswer, oldestRunsFirst } from '@parley/contract/tree-copies'
import * as z from 'zod/mini'
import { isStorable } from './public/stored-text'
import type { StoredItem } from './tree-store'

/**
 * What a channel has of the exchanges and runs that are named. `last`: in a channel without branches, the run that is
 * shown last, null where it is empty.
 */
export type ChannelState = {
  stored: ReadonlyMap<string, StoredItem>
  exchangeOfRun: ReadonlyMap<string, string>
  last: string | null | undefined
}

/**
 * What becomes of an exchange: it is added, a tombstone stands again, its row is written anew with the later state of
 * what it shows, or its row stays.
 */
type Change = 'add' | 'revive' | 'rewrite' | 'keep'

/**
 * An exchange to be written. `runs`: all that it has afterwards; `changed`: those of them that are new or other than
 * before.
 */
export type ItemChange = { change: Change; exchange: Exchange; runs: Run[]; changed: Run[]; shownId: string }

/** `isBranched`: the channel is no line any more, or was none. */
export type TreeChanges = { items: ItemChange[]; isBranched: boolean }

/** The longest id that a message may have. */
const maxIdLength = 200

/** Throws validation where the tree is not whole: see `tidied` in the contract. */
export function changesOf(
  { stored, exchangeOfRun, last }: ChannelState,
  given: readonly ExchangeWithRuns[],
): TreeChanges {
  const changes = new Map<string, ItemChange>()
  const owners = new Map(exchangeOfRun)
  let line = last
  for (const item of given) {
    const { id, afterRunId } = item.exchange
    requireWhole(item)
    const runs = item.runs.map((run) => ({ ...run, exchangeId: id }))
    if (runs.some((run) => (owners.get(run.id) ?? id) !== id)) throw new AppError('validation')
    const known = changes.get(id) ?? knownOf(stored.get(id))
    const isErased = known?.exchange.removedAt !== undefined
    // A question that was deleted stands again where it was answered anew in another copy, and otherwise not.
    if (isErased && runs.every((run) => known?.runs.some((each) => each.id === run.id))) continue
    if (known && !isErased) {
      const merged = mergedWith(known, { exchange: item.exchange, runs })
      if (!merged) continue
      changes.set(id, merged)
      if (merged.runs.at(-1)?.id !== known.shownId) line = undefined
    } else {
      if (afterRunId !== null && !owners.has(afterRunId)) throw new AppError('validation')
      const all = oldestRunsFirst(runs)
      const shownId = all.findLast((run) => canBeShown(run))?.id
      if (shownId === undefined) throw new AppError('validation')
      const exchange = isErased ? { ...item.exchange, afterRunId: known?.exchange.afterRunId ?? null } : item.exchange
      changes.set(id, { change: isErased ? 'revive' : 'add', exchange, runs: all, changed: all, shownId })
      const isNext = !isErased && afterRunId === line && all.at(-1)?.id === shownId
      line = isNext ? shownId : undefined
    }
    for (const run of runs) owners.set(run.id, id)
  }
  return { items: [...changes.values()], isBranched: line === undefined }
}

const knownOf = (item: StoredItem | undefined): ItemChange | undefined =>
  item && { change: 'keep', exchange: item.exchange, runs: item.runs, changed: [], shownId: item.shownId }

/** An exchange with the runs and the later states of runs that a copy of it has; undefined where it has all of them. */
function mergedWith(known: ItemChange, { exchange, runs: given }: ExchangeWithRuns): ItemChange | undefined {
  const runs = new Map(known.runs.map((run) => [run.id, run]))
  const changed: Run[] = []
  let isReplaced = false
  for (const run of given) {
    const before = runs.get(run.id)
    if (before && (isSameAnswer(before, run) || before.status === 'streaming')) continue
    if (before && !((compareRuns(run, before) ?? 0) > 0)) continue
    if (before) isReplaced = true
    changed.push(run)
    runs.set(run.id, run)
  }
  const isPinned = exchange.isPinned === true && known.exchange.isPinned !== true
  if (changed.length === 0 && !isPinned) return undefined
  const isRunning = [...runs.values()].some(({ status }) => status === 'streaming')
  const ids = new Set(changed.map(({ id }) => id))
  return {
    // The row of an answer that is being written is its writer's.
    change: known.change === 'keep' && isReplaced && !isRunning ? 'rewrite' : known.change,
    exchange: isPinned ? { ...known.exchange, isPinned } : known.exchange,
    runs: oldestRunsFirst([...runs.values()]),
    changed: [...known.changed.filter(({ id }) => !ids.has(id)), ...changed],
    shownId: known.shownId,
  }
}

/** The row of an exchange names the run that it shows by a UUID, unless that has the exchange's id. */
const canBeShown = ({ id, exchangeId }: Run): boolean => id === exchangeId || isUuid(id)
/** As PostgreSQL spells it. */
export const isUuid = (id: string): boolean => id === id.toLowerCase() && z.safeParse(Uuid, id).success

function requireWhole({ exchange, runs }: ExchangeWithRuns): void {
  const ids = [exchange.id, ...runs.flatMap(({ id, continues }) => (continues === undefined ? [id] : [id, continues]))]
  const isErased = exchange.removedAt !== undefined || runs.some(({ removedAt }) => removedAt !== undefined)
  if (isErased || exchange.id.length > maxIdLength || !ids.every(isStorable)) throw new AppError('validation')
}
