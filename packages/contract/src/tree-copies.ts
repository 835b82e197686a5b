// The rules of copies of a conversation: what a copy preserves, and how a tree from elsewhere is set right. All are
// pure.
import { isOver } from './chat'
import { pathTo, resolveHead, type Tree, treeOf, versionOf } from './conversation-tree'
import type { Exchange, Run } from './conversations'
import type { ExchangeWithRuns } from './message-adapter'
import { type Part, textOf } from './parts'
import { withOwnIds } from './stored-message'

/**
 * All of a conversation. `head`: the run up to which it is read; null: it is a line, in which each exchange follows the
 * newest run of the one before it, and the newest of all is read.
 */
export type ConversationCopy = { exchanges: readonly ExchangeWithRuns[]; head: string | null }

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** In the order in which they began. */
export const oldestRunsFirst = (runs: readonly Run[]): Run[] =>
  runs.toSorted((a, b) => compare(a.startedAt, b.startedAt) || compare(a.id, b.id))

/**
 * A copy without tombstones, in which every exchange follows a run that is there, stands after it in the list, and
 * every run has an id of its own. What follows a tombstone follows what that followed; what cannot be placed begins the
 * conversation.
 */
export function tidied({ exchanges: given, head }: ConversationCopy): ConversationCopy {
  const exchanges = withUniqueRuns(given.map(withRuns))
  if (head === null) return { exchanges: inLine(exchanges.filter(isStanding)), head }
  const tree = treeOf(
    exchanges.map(({ exchange }) => exchange),
    exchanges.flatMap(({ runs }) => runs),
  )
  const placed = inOrder(exchanges, tree)
    .filter(isStanding)
    .map(({ exchange, runs }) => ({ exchange: { ...exchange, afterRunId: standingBefore(tree, exchange) }, runs }))
  const resolved = resolveHead(tree, head)
  return { exchanges: placed, head: isLine(placed, resolved) ? null : resolved }
}

const isStanding = ({ exchange }: ExchangeWithRuns): boolean => exchange.removedAt === undefined

/** A question that stands has a run: what was being written when its answer was lost, where there is none. */
function withRuns({ exchange, runs }: ExchangeWithRuns): ExchangeWithRuns {
  const { id, channelId, askedAt } = exchange
  const isErased = exchange.removedAt !== undefined
  const standing = isErased ? runs : runs.filter(({ removedAt }) => removedAt === undefined)
  if (isErased || standing.length > 0) return { exchange, runs: oldestRunsFirst(standing) }
  const lost: Run = { id, channelId, exchangeId: id, answer: [], status: 'interrupted', startedAt: askedAt }
  return { exchange, runs: [lost] }
}

function inLine(exchanges: readonly ExchangeWithRuns[]): ExchangeWithRuns[] {
  let last: string | null = null
  return exchanges.map(({ exchange, runs }) => {
    const placed = { exchange: { ...exchange, afterRunId: last }, runs }
    last = runs.at(-1)?.id ?? last
    return placed
  })
}

/** Whether each exchange follows the newest run of the one before it, and the newest of all is the head. */
export function isLine(exchanges: readonly ExchangeWithRuns[], head: string | null): boolean {
  let last: string | null = null
  for (const { exchange, runs } of exchanges) {
    if (exchange.afterRunId !== last) return false
    last = oldestRunsFirst(runs).at(-1)?.id ?? last
  }
  return head === last
}

/** The run up to which a copy is read; null in an empty one. */
export const headOf = ({ exchanges, head }: ConversationCopy): string | null =>
  head ?? oldestRunsFirst(exchanges.at(-1)?.runs ?? []).at(-1)?.id ?? null

/** The nearest run before an exchange that stands. */
function standingBefore(tree: Tree, exchange: Exchange): string | null {
  for (let at = tree.parentOf(exchange); at !== null; ) {
    const run = tree.runs.get(at)
    const before = run && tree.exchanges.get(run.exchangeId)
    if (!run || !before) return null
    if (run.removedAt === undefined && before.removedAt === undefined) return at
    at = tree.parentOf(before)
  }
  return null
}

/** Imported messages may name one run twice. */
function withUniqueRuns(exchanges: readonly ExchangeWithRuns[]): ExchangeWithRuns[] {
  const owners = new Map<string, string>()
  return exchanges.map(({ exchange, runs }) => {
    const isTaken = (id: string): boolean => (owners.get(id) ?? exchange.id) !== exchange.id
    const own = runs.some(({ id }) => isTaken(id)) ? withOwnIds(runs, exchange.id, isTaken) : runs
    for (const { id } of own) owners.set(id, exchange.id)
    return { exchange, runs: own }
  })
}

/** Each exchange after the one that it follows, otherwise as given. */
function inOrder(exchanges: readonly ExchangeWithRuns[], tree: Tree): ExchangeWithRuns[] {
  const all = new Map(exchanges.map((each) => [each.exchange.id, each]))
  const ordered = new Set<ExchangeWithRuns>()
  for (const each of all.values()) {
    const way: ExchangeWithRuns[] = []
    for (let at: ExchangeWithRuns | undefined = each; at && !ordered.has(at); ) {
      way.push(at)
      const parent = tree.parentOf(at.exchange)
      at = parent === null ? undefined : all.get(tree.runs.get(parent)?.exchangeId ?? '')
    }
    for (const found of way.reverse()) ordered.add(found)
  }
  return [...ordered]
}

/** Whether two records of one exchange ask the same. */
export const isSameQuestion = (one: Exchange, other: Exchange): boolean =>
  spellingOf(one.question) === spellingOf(other.question) && one.askedAt === other.askedAt

/** Whether two runs say the same, whatever their ids and times: a copy preserves all of this. */
export const isSameAnswer = (one: Run, other: Run): boolean => contentOf(one) === contentOf(other)

function contentOf({ answer, status, isEmpty, error, usage, ...run }: Run): string {
  const cost = usage?.cost !== undefined && /^\d{1,18}$/.test(usage.cost) ? usage.cost : null
  return JSON.stringify([
    spellingOf(answer),
    [status, isEmpty ?? false, error?.code, error?.content, run.model, run.agentId, run.finishReason, run.prompt],
    [usage?.inputTokens, usage?.outputTokens, cost, run.durationMs],
  ])
}

const spellingOf = (parts: readonly Part[]): string => JSON.stringify(parts)

/**
 * Which of two states of one run was written later: positive for the first, negative for the second, undefined where
 * nothing tells.
 */
export function compareRuns(one: Run, other: Run): number | undefined {
  if (one.seq === undefined || other.seq === undefined) return undefined
  const steps = [
    Number(isOver(one)) - Number(isOver(other)),
    one.seq - other.seq,
    Number(one.status === 'completed') - Number(other.status === 'completed'),
    textOf(one.answer).length - textOf(other.answer).length,
  ]
  return steps.find((step) => step !== 0)
}

/** Whether the way to a run of a copy leads over another one, or over one that is the same answer with it. */
export function leadsOver({ exchanges, head }: ConversationCopy, runId: string): boolean {
  const tree = treeOf(
    exchanges.map(({ exchange }) => exchange),
    exchanges.flatMap(({ runs }) => runs),
  )
  const wanted = versionOf(tree, runId)?.id
  const way = pathTo(tree, headOf({ exchanges, head }))
  return wanted !== undefined && way.some(({ run }) => versionOf(tree, run.id)?.id === wanted)
}
