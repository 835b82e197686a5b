import { newestLeafBelow, type Tree, versionOf } from '@parley/contract/conversation-tree'
import type { Run } from '@parley/contract/conversations'

/**
 * The head that shows a question: the newest leaf below it, or its newest answer where nothing follows it. Undefined
 * where it does not stand.
 */
export function newestThrough(tree: Tree, mId: string): string | undefined {
  const exchange = tree.exchanges.get(mId)
  return exchange && exchange.removedAt === undefined ? newestOf(tree, tree.runsOf(mId)) : undefined
}

/** As `newestThrough`, of one of its answers. A run and what continues it are one answer. */
export function newestThroughRun(tree: Tree, mId: string, runId: string): string | undefined {
  const answer = runsOfAnswer(tree, mId, runId)
  return answer.length === 0 ? undefined : newestOf(tree, answer)
}

/** The runs that are one answer with this one on screen; none where the exchange has no such run that stands. */
export function runsOfAnswer(tree: Tree, mId: string, runId: string): Run[] {
  const version = versionOf(tree, runId)
  if (version === undefined || version.exchangeId !== mId || version.removedAt !== undefined) return []
  return tree.runsOf(mId).filter(({ id }) => versionOf(tree, id)?.id === version.id)
}

function newestOf(tree: Tree, runs: readonly Run[]): string | undefined {
  const standing = runs.filter(({ removedAt }) => removedAt === undefined)
  const leaves = standing.flatMap(({ id }) => newestLeafBelow(tree, id) ?? [])
  // The runs of a tree are in the order of their beginnings.
  const isLater = (id: string, than: string): boolean => startOf(tree, id) > startOf(tree, than)
  return leaves.length === 0 ? standing.at(-1)?.id : leaves.reduce((newest, id) => (isLater(id, newest) ? id : newest))
}

const startOf = (tree: Tree, runId: string): string => `${tree.runs.get(runId)?.startedAt ?? ''} ${runId}`
