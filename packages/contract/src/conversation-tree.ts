import { isOver } from './chat'
import type { Exchange, Run } from './conversations'
import { canonicalParts, textOf } from './parts'

// The rules of the tree of a conversation. All are pure, and none is stopped by records that are missing, damaged or
// in a circle: what cannot be placed begins the conversation, so that nothing that exists is out of sight.

/** One exchange of a path, and the run of it that the path goes through. */
export type Step = { exchange: Exchange; run: Run }

/** Records to be written. */
export type TreeChange = { exchanges: Exchange[]; runs: Run[] }

export type Tree = {
  exchanges: ReadonlyMap<string, Exchange>
  runs: ReadonlyMap<string, Run>
  /** The runs of an exchange, oldest first, tombstones too. */
  runsOf: (exchangeId: string) => readonly Run[]
  /** The exchanges that follow a run, or begin the conversation (null), oldest first, tombstones too. */
  following: (runId: string | null) => readonly Exchange[]
  /** The run that an exchange follows; null where it begins the conversation. */
  parentOf: (exchange: Exchange) => string | null
}

const isOlder = (a: { at: string; id: string }, b: { at: string; id: string }): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
const byAsked = (a: Exchange, b: Exchange): number => isOlder({ ...a, at: a.askedAt }, { ...b, at: b.askedAt })
const byStart = (a: Run, b: Run): number => isOlder({ ...a, at: a.startedAt }, { ...b, at: b.startedAt })
const isAlive = ({ removedAt }: Exchange | Run): boolean => removedAt === undefined

/** The tree of a conversation's records, in any order. Runs of an exchange that is missing are left out. */
export function treeOf(exchangeList: Iterable<Exchange>, runList: Iterable<Run>): Tree {
  const exchanges = new Map([...exchangeList].sort(byAsked).map((exchange) => [exchange.id, exchange]))
  const runs = new Map<string, Run>()
  const runsOf = new Map<string, Run[]>()
  for (const run of [...runList].sort(byStart)) {
    if (!exchanges.has(run.exchangeId)) continue
    runs.set(run.id, run)
    addTo(runsOf, run.exchangeId, run)
  }
  const roots = findRoots(exchanges, runs)
  const parentOf = (exchange: Exchange): string | null => (roots.has(exchange.id) ? null : exchange.afterRunId)
  const following = new Map<string | null, Exchange[]>()
  for (const exchange of exchanges.values()) addTo(following, parentOf(exchange), exchange)
  return {
    ...{ exchanges, runs, parentOf },
    runsOf: (id) => runsOf.get(id) ?? [],
    following: (id) => following.get(id) ?? [],
  }
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** The exchanges that follow nothing, follow a run that is not there, or are the oldest of a circle. */
function findRoots(exchanges: ReadonlyMap<string, Exchange>, runs: ReadonlyMap<string, Run>): Set<string> {
  const roots = new Set<string>()
  const placed = new Set<string>()
  const before = ({ afterRunId }: Exchange): Exchange | undefined =>
    afterRunId === null ? undefined : exchanges.get(runs.get(afterRunId)?.exchangeId ?? '')
  for (const exchange of exchanges.values()) {
    const way: Exchange[] = []
    const onWay = new Set<string>()
    let at: Exchange | undefined = exchange
    while (at && !placed.has(at.id) && !onWay.has(at.id)) {
      way.push(at)
      onWay.add(at.id)
      const next = before(at)
      if (!next) roots.add(at.id)
      at = next
    }
    if (at && onWay.has(at.id)) {
      const circle = way.slice(way.indexOf(at)).sort(byAsked)
      const [oldest] = circle
      if (oldest) roots.add(oldest.id)
    }
    for (const { id } of way) placed.add(id)
  }
  return roots
}

/** The way from the first exchange to a run, tombstones too; empty for a run that is not there. */
export function pathTo(tree: Tree, runId: string | null): Step[] {
  const path: Step[] = []
  for (let at = runId; at !== null; ) {
    const run = tree.runs.get(at)
    const exchange = run && tree.exchanges.get(run.exchangeId)
    if (!run || !exchange) break
    path.push({ exchange, run })
    at = tree.parentOf(exchange)
  }
  return path.reverse()
}

/** What people read of a path: its steps without tombstones. */
export const shownOf = (path: readonly Step[]): Step[] =>
  path.filter(({ exchange, run }) => isAlive(exchange) && isAlive(run))

/**
 * The head to show: the given one while it stands, else the newest leaf below the nearest run of its path that stands,
 * else the newest of all; null in an empty conversation.
 */
export function resolveHead(tree: Tree, headRunId: string | null): string | null {
  const path = pathTo(tree, headRunId)
  const last = path.at(-1)
  if (last && isAlive(last.run) && isAlive(last.exchange)) return last.run.id
  for (const { run, exchange } of path.reverse()) {
    const leaf = newestLeafBelow(tree, run.id)
    if (leaf !== null) return leaf
    if (isAlive(run) && isAlive(exchange)) return run.id
  }
  return newestLeafBelow(tree, null)
}

/** The newest run below a run, or of all (null), that nothing follows; null where nothing stands below it. */
export function newestLeafBelow(tree: Tree, runId: string | null): string | null {
  let newest: Run | undefined
  for (const run of runsBelow(tree, runId)) {
    if (!isAlive(run) || !isAlive(tree.exchanges.get(run.exchangeId) ?? run)) continue
    if (hasStandingBelow(tree, run.id)) continue
    if (!newest || byStart(run, newest) > 0) newest = run
  }
  return newest?.id ?? null
}

/** All runs below a run, or of the conversation (null). Not recursive: a chat may be thousands of questions deep. */
function* runsBelow(tree: Tree, runId: string | null): Generator<Run> {
  const open: (string | null)[] = [runId]
  while (open.length > 0) {
    for (const exchange of tree.following(open.pop() ?? null)) {
      for (const run of tree.runsOf(exchange.id)) {
        yield run
        open.push(run.id)
      }
    }
  }
}

function hasStandingBelow(tree: Tree, runId: string): boolean {
  for (const run of runsBelow(tree, runId))
    if (isAlive(run) && isAlive(tree.exchanges.get(run.exchangeId) ?? run)) return true
  return false
}

/** The versions of a question, oldest first: all that follow the same run. */
export function questionVersions(tree: Tree, exchangeId: string): readonly Exchange[] {
  const exchange = tree.exchanges.get(exchangeId)
  return exchange ? tree.following(tree.parentOf(exchange)).filter(isAlive) : []
}

/** The versions of an exchange's answer, oldest first. A run and the one that continues it are one answer. */
export function answerVersions(tree: Tree, exchangeId: string): readonly Run[] {
  const runs = tree.runsOf(exchangeId).filter(isAlive)
  const continued = new Set(runs.map((run) => run.continues))
  return runs.filter(({ id }) => !continued.has(id))
}

/** The version that a run belongs to: the end of what continues it, the newest where two do. */
export function versionOf(tree: Tree, runId: string): Run | undefined {
  const seen = new Set<string>()
  let run = tree.runs.get(runId)
  while (run && !seen.has(run.id)) {
    seen.add(run.id)
    const current = run
    const next = tree
      .runsOf(current.exchangeId)
      .filter(isAlive)
      .findLast(({ continues }) => continues === current.id)
    if (!next) return current
    run = next
  }
  return run
}

/** The tombstones of one exchange and its runs: what follows them stays, and paths skip them. */
export function removalOfExchange(tree: Tree, exchangeId: string, now: string): TreeChange {
  const exchange = tree.exchanges.get(exchangeId)
  if (!exchange) return { exchanges: [], runs: [] }
  return {
    exchanges: isAlive(exchange) ? [tombstoneOfExchange(exchange, now)] : [],
    runs: tree
      .runsOf(exchangeId)
      .filter(isAlive)
      .map((run) => tombstoneOfRun(run, now)),
  }
}

/** The tombstones of an exchange, its runs and everything below them. */
export function removalOfBranch(tree: Tree, exchangeId: string, now: string): TreeChange {
  const change = removalOfExchange(tree, exchangeId, now)
  for (const { id } of tree.runsOf(exchangeId))
    for (const run of runsBelow(tree, id)) {
      const exchange = tree.exchanges.get(run.exchangeId)
      if (isAlive(run)) change.runs.push(tombstoneOfRun(run, now))
      if (exchange && isAlive(exchange) && !change.exchanges.some((each) => each.id === exchange.id))
        change.exchanges.push(tombstoneOfExchange(exchange, now))
    }
  return change
}

const tombstoneOfExchange = ({ id, channelId, afterRunId, askedAt }: Exchange, removedAt: string): Exchange => ({
  ...{ id, channelId, afterRunId, question: [], askedAt, removedAt },
})

const tombstoneOfRun = ({ id, channelId, exchangeId, startedAt, continues }: Run, removedAt: string): Run => ({
  ...{ id, channelId, exchangeId, answer: [], status: 'stopped', startedAt, removedAt },
  ...(continues === undefined ? {} : { continues }),
})

/** The ids of tombstones that nothing hangs on: a conversation of one device alone needs them no longer. */
export function looseTombstones(tree: Tree): { exchanges: string[]; runs: string[] } {
  const loose = { exchanges: [] as string[], runs: [] as string[] }
  const isKept = new Set<string>()
  const above = (exchange: Exchange): Exchange | undefined =>
    tree.exchanges.get(tree.runs.get(tree.parentOf(exchange) ?? '')?.exchangeId ?? '')
  for (const exchange of tree.exchanges.values())
    if (isAlive(exchange)) for (let at = above(exchange); at && !isKept.has(at.id); at = above(at)) isKept.add(at.id)
  for (const exchange of tree.exchanges.values()) {
    if (isAlive(exchange) || isKept.has(exchange.id)) continue
    loose.exchanges.push(exchange.id)
    loose.runs.push(...tree.runsOf(exchange.id).map(({ id }) => id))
  }
  return loose
}

/**
 * Of two copies of one record that were changed apart, the one that stands: a tombstone before all, then an ended run
 * before one that is being written, then the one in which more has arrived.
 */
export function laterRun(one: Run, other: Run): Run {
  const steps = [
    Number(!isAlive(other)) - Number(!isAlive(one)),
    Number(isOver(other)) - Number(isOver(one)),
    (other.seq ?? -1) - (one.seq ?? -1),
    Number(other.status === 'completed') - Number(one.status === 'completed'),
    textOf(other.answer).length - textOf(one.answer).length,
    // Nothing tells which is later: every device has to choose the same one.
    spellingOf(other) > spellingOf(one) ? 1 : 0,
  ]
  return (steps.find((step) => step !== 0) ?? 0) > 0 ? other : one
}

const spellingOf = ({ answer, ...fields }: Run): string =>
  JSON.stringify([canonicalParts(answer), Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))])

/** As `laterRun`. Question and author never change, so only a tombstone tells two copies apart. */
export const laterExchange = (one: Exchange, other: Exchange): Exchange => (isAlive(other) ? one : other)
