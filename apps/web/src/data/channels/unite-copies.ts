// Two copies of one chat as one: a union of trees, which has every version that either has.
import { Uuid } from '@parley/contract/chat'
import { pathTo, type Tree, treeOf, versionOf } from '@parley/contract/conversation-tree'
import type { Exchange, Run } from '@parley/contract/conversations'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import {
  type ConversationCopy,
  compareRuns,
  headOf,
  isSameAnswer,
  isSameQuestion,
  leadsOver,
  tidied,
} from '@parley/contract/tree-copies'
import * as z from 'zod/mini'
import { toUuid } from './same-messages'

/**
 * What a copy lacks of another one: exchanges, each with the runs that it lacks, and where it is to be read up to;
 * null: where it is. `ids`: the runs of the other one that have another id there.
 */
export type Lacking = { exchanges: ExchangeWithRuns[]; head: string | null; ids: ReadonlyMap<string, string> }

/**
 * Of two states of one run the later one counts; where nothing tells which is later, the other one becomes a run beside
 * it. What is derived gets ids derived from its content, so that a retry adds nothing twice.
 */
export async function lackingIn(there: ConversationCopy, given: ConversationCopy): Promise<Lacking> {
  const known = new Map(there.exchanges.map((each) => [each.exchange.id, each]))
  const owners = new Map(there.exchanges.flatMap(({ exchange, runs }) => runs.map(({ id }) => [id, exchange.id])))
  const ids = new Map<string, string>()
  const exchanges: ExchangeWithRuns[] = []
  const idOf = (id: string): string => ids.get(id) ?? id
  for (const item of given.exchanges) {
    const each = await underOwnId(item, known.get(item.exchange.id))
    const twin = known.get(each.exchange.id)
    const { exchange } = each
    const runs: Run[] = []
    for (const run of each.runs) {
      const lacked = await lackedOf(run, { exchangeId: exchange.id, twin, owners })
      if (lacked.id !== run.id) ids.set(run.id, lacked.id)
      if (lacked.isLacking) runs.push({ ...run, id: lacked.id, exchangeId: exchange.id })
    }
    // A deleted question stands again only where it was answered anew.
    const isErased = twin?.exchange.removedAt !== undefined
    const isPinned = exchange.isPinned === true && twin?.exchange.isPinned !== true && !isErased
    if (twin && runs.length === 0 && !isPinned) continue
    const afterRunId = exchange.afterRunId === null ? null : idOf(exchange.afterRunId)
    const written = isErased ? each.runs.map((run) => ({ ...run, id: idOf(run.id), exchangeId: exchange.id })) : runs
    exchanges.push({ exchange: { ...exchange, afterRunId }, runs: written.map((run) => continuing(run, idOf)) })
  }
  return { exchanges, head: headAfter(there, given, idOf), ids }
}

/**
 * Where a copy is to be read up to once it has all of another one: where that is, unless it has gone on from there, or
 * beside it since; null: where it is.
 */
function headAfter(there: ConversationCopy, given: ConversationCopy, idOf: (id: string) => string): string | null {
  const [own, wanted] = [headOf(there), headOf(given)]
  if (own === null || wanted === null) return wanted === null ? null : idOf(wanted)
  if (leadsOver(there, idOf(wanted))) return null
  const brought = new Set(given.exchanges.flatMap(({ runs }) => runs.map(({ id }) => idOf(id))))
  const hasMore = there.exchanges.some(({ runs }) => runs.some(({ id, removedAt }) => !removedAt && !brought.has(id)))
  const startOf = ({ exchanges }: ConversationCopy, id: string): string =>
    exchanges.flatMap(({ runs }) => runs).find((run) => run.id === id)?.startedAt ?? ''
  const isLater = `${startOf(there, own)} ${own}` > `${startOf(given, wanted)} ${wanted}`
  return hasMore && isLater ? null : idOf(wanted)
}

const continuing = ({ continues, ...run }: Run, idOf: (id: string) => string): Run =>
  continues === undefined ? run : { ...run, continues: idOf(continues) }

/** An exchange of the same id that asks something else is another one. */
async function underOwnId(each: ExchangeWithRuns, twin: ExchangeWithRuns | undefined): Promise<ExchangeWithRuns> {
  const { exchange } = each
  if (!twin || twin.exchange.removedAt !== undefined || isSameQuestion(exchange, twin.exchange)) return each
  const id = await toUuid(JSON.stringify([exchange.id, exchange.question, exchange.askedAt]))
  return { exchange: { ...exchange, id }, runs: each.runs }
}

type Place = { exchangeId: string; twin: ExchangeWithRuns | undefined; owners: ReadonlyMap<string, string> }

/** Whether a copy lacks a run, and the id that this has there. */
async function lackedOf(run: Run, { exchangeId, twin, owners }: Place): Promise<{ id: string; isLacking: boolean }> {
  const owner = owners.get(run.id)
  if (owner !== undefined && owner !== exchangeId) {
    const id = await toUuid(JSON.stringify([exchangeId, run.id]))
    return { id, isLacking: !twin?.runs.some((each) => each.id === id) }
  }
  const stored = twin?.runs.find(({ id }) => id === run.id)
  if (!stored) {
    const alike = twin?.runs.find((each) => each.startedAt === run.startedAt && isSameAnswer(each, run))
    return alike ? { id: alike.id, isLacking: false } : { id: run.id, isLacking: true }
  }
  const isThere = stored.removedAt !== undefined || isSameAnswer(stored, run)
  const order = isThere ? 0 : compareRuns(run, stored)
  if (order !== undefined) return { id: run.id, isLacking: order > 0 }
  const { id: _id, exchangeId: _exchange, channelId: _channel, ...content } = run
  const id = await toUuid(JSON.stringify([exchangeId, content]))
  return { id, isLacking: !twin?.runs.some((each) => each.id === id) }
}

/** Both copies as one, which is read where the second one is, unless the first one has gone on from there. */
export async function united(there: ConversationCopy, given: ConversationCopy): Promise<ConversationCopy> {
  const { exchanges, head, ids } = await lackingIn(there, given)
  const all = new Map(there.exchanges.map((each) => [each.exchange.id, each]))
  for (const { exchange, runs } of exchanges) {
    const known = all.get(exchange.id)
    const merged = new Map([...(known?.runs ?? []), ...runs].map((run) => [run.id, run]))
    const isPinned = exchange.isPinned ? { isPinned: exchange.isPinned } : {}
    all.set(exchange.id, {
      exchange: known ? { ...known.exchange, ...isPinned } : exchange,
      runs: [...merged.values()],
    })
  }
  const tree = treeOfCopy(given)
  for (const { exchange } of given.exchanges) {
    const known = all.get(exchange.id)
    if (!known || !isBetween(tree, exchange, known.exchange.afterRunId)) continue
    const afterRunId = exchange.afterRunId === null ? null : (ids.get(exchange.afterRunId) ?? exchange.afterRunId)
    all.set(exchange.id, { ...known, exchange: { ...known.exchange, afterRunId } })
  }
  return tidied({ exchanges: [...all.values()], head: head ?? headOf(there) })
}

/** Whether a copy has others between an exchange and the run that this follows elsewhere. */
function isBetween(tree: Tree, { afterRunId }: Exchange, elsewhere: string | null): boolean {
  if (afterRunId === null || afterRunId === elsewhere) return false
  return elsewhere === null || pathTo(tree, afterRunId).some(({ run }) => run.id === elsewhere)
}

const treeOfCopy = ({ exchanges }: ConversationCopy): Tree =>
  treeOf(
    exchanges.map(({ exchange }) => exchange),
    exchanges.flatMap(({ runs }) => runs),
  )

/** Whether a copy has all of another one, and what it lacked `before` in the same place. */
export async function hasAllOf(
  copy: ConversationCopy,
  given: ConversationCopy,
  before: ConversationCopy,
): Promise<boolean> {
  const { exchanges, ids } = await lackingIn(copy, given)
  if (exchanges.length > 0) return false
  const old = new Set(before.exchanges.map(({ exchange }) => exchange.id))
  const found = new Map(copy.exchanges.map(({ exchange }) => [exchange.id, exchange]))
  const tree = treeOfCopy(copy)
  const answerOf = (id: string | null): string | null => (id === null ? null : (versionOf(tree, id)?.id ?? id))
  return given.exchanges.every(({ exchange: { id, afterRunId } }) => {
    const there = found.get(id)
    if (!there || old.has(id)) return true
    return answerOf(there.afterRunId) === answerOf(afterRunId === null ? null : (ids.get(afterRunId) ?? afterRunId))
  })
}

/**
 * The copy under ids that the cloud can keep: the row of an exchange shows a run whose id is the exchange's or a UUID.
 * The same copy gets the same ids always.
 */
export async function withCloudIds({ exchanges, head }: ConversationCopy): Promise<ConversationCopy> {
  const ids = new Map<string, string>()
  const taken = new Set(exchanges.flatMap(({ runs }) => runs.map(({ id }) => id)))
  for (const { exchange, runs } of exchanges) {
    const newest = runs.at(-1)
    if (!newest || runs.some(({ id }) => id === exchange.id || isPlainUuid(id))) continue
    const id = taken.has(exchange.id) ? await toUuid(JSON.stringify([exchange.id, newest.id])) : exchange.id
    ids.set(newest.id, id)
  }
  if (ids.size === 0) return { exchanges, head }
  const idOf = (id: string): string => ids.get(id) ?? id
  return {
    exchanges: exchanges.map(({ exchange, runs }) => ({
      exchange: { ...exchange, afterRunId: exchange.afterRunId === null ? null : idOf(exchange.afterRunId) },
      runs: runs.map((run) => continuing({ ...run, id: idOf(run.id) }, idOf)),
    })),
    head: head === null ? null : idOf(head),
  }
}

const isPlainUuid = (id: string): boolean => id === id.toLowerCase() && z.safeParse(Uuid, id).success
