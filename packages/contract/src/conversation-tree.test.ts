import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answerVersions,
  laterRun,
  looseTombstones,
  newestLeafBelow,
  pathTo,
  questionVersions,
  removalOfBranch,
  removalOfExchange,
  resolveHead,
  shownOf,
  type TreeChange,
  treeOf,
  versionOf,
} from './conversation-tree'
import type { Exchange, Run } from './conversations'
import { textOf, textParts } from './parts'

let clock = 0
const tick = (): string => new Date(Date.UTC(2026, 0, 1) + ++clock * 1000).toISOString()
const exchange = (id: string, afterRunId: string | null, fields: Partial<Exchange> = {}): Exchange => ({
  ...{ id, channelId: 'c', afterRunId, question: textParts(`question ${id}`), askedAt: tick() },
  ...fields,
})
const run = (id: string, exchangeId: string, fields: Partial<Run> = {}): Run => ({
  ...{ id, channelId: 'c', exchangeId, answer: textParts(`answer ${id}`), status: 'completed', startedAt: tick() },
  ...fields,
})
const ids = (steps: readonly { run: Run }[]) => steps.map(({ run: { id } }) => id)

describe('the tree of a conversation', () => {
  // q1 ─ r1 ─┬ q2 ─ r2          q2b is an edited q2, r1b another answer to q1
  //     │    └ q2b ─ r2b ─ q3 ─ r3
  //     └ r1b
  const exchanges = [exchange('q1', null), exchange('q2', 'r1'), exchange('q2b', 'r1'), exchange('q3', 'r2b')]
  const runs = [run('r1', 'q1'), run('r2', 'q2'), run('r2b', 'q2b'), run('r3', 'q3'), run('r1b', 'q1')]
  const tree = treeOf(exchanges, runs)

  it('is read along the path to its head, whatever the order of its records', () => {
    expect(ids(pathTo(tree, 'r3'))).toEqual(['r1', 'r2b', 'r3'])
    expect(ids(pathTo(treeOf(exchanges.toReversed(), runs.toReversed()), 'r3'))).toEqual(['r1', 'r2b', 'r3'])
    expect(ids(pathTo(tree, 'r1b'))).toEqual(['r1b'])
  })

  it('knows the versions of a question and of an answer', () => {
    expect(questionVersions(tree, 'q2b').map(({ id }) => id)).toEqual(['q2', 'q2b'])
    expect(answerVersions(tree, 'q1').map(({ id }) => id)).toEqual(['r1', 'r1b'])
    expect(newestLeafBelow(tree, 'r1')).toBe('r3')
    expect(newestLeafBelow(tree, null)).toBe('r1b')
  })

  it('takes a run and the one that continues it for one answer', () => {
    const continued = treeOf(exchanges, [...runs, run('r3b', 'q3', { continues: 'r3' })])
    expect(answerVersions(continued, 'q3').map(({ id }) => id)).toEqual(['r3b'])
    expect(versionOf(continued, 'r3')?.id).toBe('r3b')
  })

  it('keeps what follows a deleted exchange, and skips it in the path', () => {
    const without = changed(exchanges, runs, removalOfExchange(tree, 'q2b', tick()))
    expect(ids(shownOf(pathTo(without, 'r3')))).toEqual(['r1', 'r3'])
    expect(textOf(without.exchanges.get('q2b')?.question ?? [])).toBe('')
    expect(looseTombstones(without)).toEqual({ exchanges: [], runs: [] })
  })

  it('deletes a branch with all below, and shows what is nearest', () => {
    const without = changed(exchanges, runs, removalOfBranch(tree, 'q2b', tick()))
    expect(resolveHead(without, 'r3')).toBe('r2')
    expect(looseTombstones(without)).toEqual({ exchanges: ['q2b', 'q3'], runs: ['r2b', 'r3'] })
  })

  it('shows all there is where a head does not exist, a run is missing, or exchanges follow each other in a circle', () => {
    expect(resolveHead(tree, 'nowhere')).toBe('r1b')
    expect(resolveHead(treeOf([], []), 'nowhere')).toBeNull()
    const orphaned = treeOf([...exchanges, exchange('q9', 'lost')], [...runs, run('r9', 'q9')])
    expect(ids(pathTo(orphaned, 'r9'))).toEqual(['r9'])
    const circle = treeOf([exchange('a', 'rb'), exchange('b', 'ra')], [run('ra', 'a'), run('rb', 'b')])
    expect(ids(pathTo(circle, 'rb'))).toEqual(['ra', 'rb'])
    expect(ids(pathTo(treeOf([exchange('a', 'ra')], [run('ra', 'a')]), 'ra'))).toEqual(['ra'])
  })

  it('is walked through at any depth', () => {
    const depth = 20_000
    const deep = treeOf(
      Array.from({ length: depth }, (_, n) => exchange(`q${n}`, n === 0 ? null : `r${n - 1}`)),
      Array.from({ length: depth }, (_, n) => run(`r${n}`, `q${n}`)),
    )
    expect(newestLeafBelow(deep, null)).toBe(`r${depth - 1}`)
    expect(pathTo(deep, `r${depth - 1}`)).toHaveLength(depth)
    expect(removalOfBranch(deep, 'q0', tick()).exchanges).toHaveLength(depth)
  })
})

function changed(exchanges: readonly Exchange[], runs: readonly Run[], change: TreeChange) {
  const byId = <T extends { id: string }>(list: readonly T[], newer: readonly T[]): T[] => [
    ...new Map([...list, ...newer].map((each) => [each.id, each])).values(),
  ]
  return treeOf(byId(exchanges, change.exchanges), byId(runs, change.runs))
}

type Action = { kind: 'ask' | 'edit' | 'regenerate' | 'continue' | 'remove' | 'removeBranch' | 'choose'; at: number }
const anAction: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom('ask', 'edit', 'regenerate', 'continue', 'remove', 'removeBranch', 'choose'),
  at: fc.nat(1000),
})

describe('any sequence of asking, editing, regenerating, continuing, choosing and deleting', () => {
  it('loses no version that was not deleted, and always has a head that stands', () => {
    fc.assert(
      fc.property(fc.array(anAction, { maxLength: 40 }), (actions) => {
        let exchanges: Exchange[] = []
        let runs: Run[] = []
        let head: string | null = null
        let next = 0
        const standing = new Set<string>()
        const add = (afterRunId: string | null) => {
          const id = `n${next++}`
          exchanges.push(exchange(id, afterRunId))
          runs.push(run(`r${id}`, id))
          standing.add(`r${id}`)
          head = `r${id}`
        }
        for (const { kind, at } of actions) {
          const tree = treeOf(exchanges, runs)
          const alive = runs.filter(({ id }) => standing.has(id))
          const chosen = alive[at % Math.max(alive.length, 1)]
          if (kind === 'ask' || !chosen) add(resolveHead(tree, head))
          else if (kind === 'edit') add(tree.exchanges.get(chosen.exchangeId)?.afterRunId ?? null)
          else if (kind === 'choose') head = newestLeafBelow(tree, chosen.id) ?? chosen.id
          else if (kind === 'regenerate' || kind === 'continue') {
            const id = `n${next++}`
            runs.push(run(id, chosen.exchangeId, kind === 'continue' ? { continues: chosen.id } : {}))
            standing.add(id)
            head = id
          } else {
            const change =
              kind === 'remove'
                ? removalOfExchange(tree, chosen.exchangeId, tick())
                : removalOfBranch(tree, chosen.exchangeId, tick())
            for (const { id } of change.runs) standing.delete(id)
            const after = changed(exchanges, runs, change)
            exchanges = [...after.exchanges.values()]
            runs = [...after.runs.values()]
          }
          const after = treeOf(exchanges, runs)
          const loose = looseTombstones(after)
          const kept = treeOf(
            exchanges.filter(({ id }) => !loose.exchanges.includes(id)),
            runs.filter(({ id }) => !loose.runs.includes(id)),
          )
          for (const each of [after, kept]) {
            const found = resolveHead(each, head)
            expect(found === null ? standing.size === 0 : standing.has(found)).toBe(true)
            for (const id of standing) expect(ids(shownOf(pathTo(each, id)))).toContain(id)
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('two copies of one run', () => {
  const aRun = fc.record({
    status: fc.constantFrom<Run['status']>('streaming', 'completed', 'stopped', 'interrupted'),
    seq: fc.nat(3),
    answer: fc.string({ maxLength: 2 }).map(textParts),
    removedAt: fc.constantFrom(undefined, '2026-01-02T00:00:00.000Z'),
  })
  it('agree on the later one in either order', () => {
    fc.assert(
      fc.property(aRun, aRun, ({ removedAt: a, ...one }, { removedAt: b, ...other }) => {
        const first = run('r', 'q', { ...one, startedAt: '', ...(a && { removedAt: a }) })
        const second = run('r', 'q', { ...other, startedAt: '', ...(b && { removedAt: b }) })
        expect(laterRun(first, second)).toEqual(laterRun(second, first))
      }),
    )
  })
})
