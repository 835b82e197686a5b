import type { OutlineEntry } from '@parley/contract/branches'

/** The questions of a channel as a tree. All maps are by mId. */
export type OutlineTree = {
  entries: readonly OutlineEntry[]
  byId: ReadonlyMap<string, OutlineEntry>
  /** In the order of asking; those that begin the conversation follow null. */
  following: (mId: string | null) => readonly OutlineEntry[]
  parentOf: (mId: string) => string | null
  /** 1 for a question that begins the conversation. */
  depthOf: (mId: string) => number
  /** The number of questions from this one on, with all branches. */
  sizeOf: (mId: string) => number
  /** The place, in the order of asking, of the newest question from this one on. */
  newestOf: (mId: string) => number
}

/**
 * Nothing is out of sight: a question that follows one that is not there, or itself, begins the conversation. Not
 * recursive, as a chat may be thousands of questions deep.
 */
export function outlineTreeOf(entries: readonly OutlineEntry[]): OutlineTree {
  const byId = new Map(entries.map((entry) => [entry.mId, entry]))
  const parents = parentsOf(entries, byId)
  const following = new Map<string | null, OutlineEntry[]>()
  for (const entry of entries) {
    const parent = parents.get(entry.mId) ?? null
    const siblings = following.get(parent)
    if (siblings) siblings.push(entry)
    else following.set(parent, [entry])
  }
  const depths = new Map<string, number>()
  const order: string[] = []
  const open = (following.get(null) ?? []).map(({ mId }) => ({ mId, depth: 1 }))
  for (let at = open.pop(); at; at = open.pop()) {
    const { mId, depth } = at
    depths.set(mId, depth)
    order.push(mId)
    for (const next of following.get(mId) ?? []) open.push({ mId: next.mId, depth: depth + 1 })
  }
  const sizes = new Map<string, number>()
  const newest = new Map(entries.map(({ mId }, index) => [mId, index]))
  for (const mId of order.reverse()) {
    const below = following.get(mId) ?? []
    sizes.set(
      mId,
      below.reduce((sum, next) => sum + (sizes.get(next.mId) ?? 0), 1),
    )
    newest.set(mId, Math.max(newest.get(mId) ?? 0, ...below.map((next) => newest.get(next.mId) ?? 0)))
  }
  return {
    ...{ entries, byId },
    following: (mId) => following.get(mId) ?? [],
    parentOf: (mId) => parents.get(mId) ?? null,
    depthOf: (mId) => depths.get(mId) ?? 1,
    sizeOf: (mId) => sizes.get(mId) ?? 1,
    newestOf: (mId) => newest.get(mId) ?? 0,
  }
}

function parentsOf(
  entries: readonly OutlineEntry[],
  byId: ReadonlyMap<string, OutlineEntry>,
): Map<string, string | null> {
  const parents = new Map<string, string | null>()
  const named = (mId: string): string | null => {
    const after = byId.get(mId)?.afterMId ?? null
    return after !== null && byId.has(after) ? after : null
  }
  for (const { mId } of entries) {
    const way = new Set<string>()
    for (let at: string | null = mId; at !== null && !parents.has(at); ) {
      way.add(at)
      const next: string | null = named(at)
      const isCircle = next !== null && way.has(next)
      parents.set(at, isCircle ? null : next)
      at = isCircle ? null : next
    }
  }
  return parents
}

/** The questions from one on, with all branches, itself first. */
export function branchOf({ byId, following }: OutlineTree, mId: string): OutlineEntry[] {
  const branch: OutlineEntry[] = []
  const open = [mId]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entry = byId.get(at)
    if (entry) branch.push(entry)
    open.push(...following(at).map((next) => next.mId))
  }
  return branch
}
