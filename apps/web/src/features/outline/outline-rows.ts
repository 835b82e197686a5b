import type { OutlineEntry } from '@parley/contract/branches'
import type { OutlineTree } from './outline-tree'

/**
 * A row of the outline. A line of questions stands on one level; what else was asked in the place of one, or after it
 * on a path that is not shown, stands below it.
 */
export type OutlineRow = {
  id: string
  entry: OutlineEntry
  level: number
  /** Its place among the rows of its group, from 1, and their number. */
  place: number
  of: number
  /** What is below it is shown; undefined: nothing is. */
  isOpen?: boolean
} & (
  | {
      kind: 'question'
      /** The number of the question, from the first one on. */
      number: number
      /** Which of the questions in its place it is. */
      version?: { at: number; of: number }
    }
  | {
      kind: 'version'
      /** The reader's path goes through it. */
      isHere: boolean
      /** The number of questions on this branch. */
      size: number
    }
)

/** By the ids of rows: those that the person has opened or closed. */
export type Folds = ReadonlyMap<string, boolean>

/** The rows that are shown, from top to bottom. */
export function outlineRows(tree: OutlineTree, folds: Folds): OutlineRow[] {
  const rows: OutlineRow[] = []
  addLine(rows, tree, folds, { after: null, level: 1, isShown: true })
  return rows
}

/** The questions with these words, on whichever branch, in the order of asking. */
export function foundRows(tree: OutlineTree, words: string): OutlineRow[] {
  const wanted = plain(words)
  const found = tree.entries.filter(({ text }) => plain(text).includes(wanted))
  return found.map((entry, index) => ({
    ...{ id: entry.mId, entry, kind: 'question', level: 1, place: index + 1, of: found.length },
    number: tree.depthOf(entry.mId),
  }))
}

/** Without case and accents. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase()
    .trim()

type Line = { after: string | null; level: number; isShown: boolean }

function addLine(rows: OutlineRow[], tree: OutlineTree, folds: Folds, { after, level, isShown }: Line): void {
  const line = lineAfter(tree, after, isShown)
  const lastFork = line.findLast(({ siblings }) => siblings.length > 1)
  for (const [index, step] of line.entries()) {
    const { entry, siblings } = step
    const { mId } = entry
    const isLast = index === line.length - 1
    const versions = siblings.length > 1 ? siblings : []
    // The shown path may end before others do.
    const further = isLast ? tree.following(mId) : []
    const canOpen = versions.length + further.length > 0
    const isOpen = folds.get(mId) ?? (isShown && (step === lastFork || further.length > 0))
    rows.push({
      ...{ id: mId, entry, kind: 'question', level, place: index + 1, of: line.length, number: tree.depthOf(mId) },
      ...(versions.length > 0 ? { version: { at: versions.indexOf(entry) + 1, of: versions.length } } : {}),
      ...(canOpen ? { isOpen } : {}),
    })
    if (canOpen && isOpen)
      addVersions(rows, tree, folds, [...versions, ...further], { level: level + 1, chosen: entry })
  }
}

function addVersions(
  rows: OutlineRow[],
  tree: OutlineTree,
  folds: Folds,
  versions: readonly OutlineEntry[],
  { level, chosen }: { level: number; chosen: OutlineEntry },
): void {
  for (const [index, entry] of versions.entries()) {
    const id = `version ${entry.mId}`
    // What follows the one that the line goes through stands in the line.
    const canOpen = entry !== chosen && tree.following(entry.mId).length > 0
    const isOpen = folds.get(id) ?? false
    rows.push({
      ...{ id, entry, kind: 'version', level, place: index + 1, of: versions.length },
      ...{ isHere: entry.isShown, size: tree.sizeOf(entry.mId) },
      ...(canOpen ? { isOpen } : {}),
    })
    if (canOpen && isOpen) addLine(rows, tree, folds, { after: entry.mId, level: level + 1, isShown: false })
  }
}

type Step = { entry: OutlineEntry; siblings: readonly OutlineEntry[] }

/** The questions of a line: the shown path, or elsewhere the way to the newest question. */
function lineAfter(tree: OutlineTree, after: string | null, isShown: boolean): Step[] {
  const line: Step[] = []
  for (let at = after; ; ) {
    const siblings = tree.following(at)
    const entry =
      siblings.find((each) => isShown && each.isShown) ?? newestIn(tree, siblings, { isShown, isFirst: at === null })
    if (!entry) return line
    line.push({ entry, siblings })
    at = entry.mId
  }
}

/** Where no question after one is shown, the shown path ends. */
function newestIn(
  tree: OutlineTree,
  siblings: readonly OutlineEntry[],
  { isShown, isFirst }: { isShown: boolean; isFirst: boolean },
): OutlineEntry | undefined {
  if (isShown && !isFirst) return undefined
  return siblings.toSorted((a, b) => tree.newestOf(b.mId) - tree.newestOf(a.mId))[0]
}
