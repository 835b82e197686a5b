import type { OutlineEntry } from '@parley/contract/branches'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foundRows, type OutlineRow, outlineRows } from './outline-rows'
import { branchOf, outlineTreeOf } from './outline-tree'

const asked = (mId: string, afterMId: string | null, isShown = true, text = mId): OutlineEntry => ({
  ...{ mId, afterMId, isShown, text, datetime: '2026-01-01T00:00:00.000Z' },
})
const drawn = (row: OutlineRow): string => {
  const fold = row.isOpen === undefined ? '' : row.isOpen ? ' -' : ' +'
  const name =
    row.kind === 'question'
      ? `${row.number} ${row.entry.mId}${row.version ? ` ${row.version.at}/${row.version.of}` : ''}`
      : `${row.entry.mId} ${row.isHere ? 'here' : row.size}`
  return `${'  '.repeat(row.level - 1)}${name}${fold}`
}
const rowsOf = (entries: OutlineEntry[], folds: [string, boolean][] = []): string[] =>
  outlineRows(outlineTreeOf(entries), new Map(folds)).map(drawn)

const forked = [
  asked('a', null),
  asked('b', 'a', false),
  asked('b2', 'a'),
  asked('c', 'b', false),
  asked('c2', 'b', false),
  asked('d', 'b2'),
  asked('e', 'd', false),
  asked('e2', 'd'),
]

describe('the outline', () => {
  it('shows the path as a line, and the other versions below the last question that has any', () => {
    expect(rowsOf(forked)).toEqual(['1 a', '2 b2 2/2 +', '3 d', '4 e2 2/2 -', '  e 1', '  e2 here'])
  })

  it('unfolds a branch that is not shown as the way to its newest question, with its own branches', () => {
    const open: [string, boolean][] = [
      ['b2', true],
      ['version b', true],
      ['e2', false],
    ]
    expect(rowsOf(forked, open)).toEqual([
      ...['1 a', '2 b2 2/2 -', '  b 3 -', '    3 c2 2/2 +', '  b2 here', '3 d', '4 e2 2/2 +'],
    ])
    expect(rowsOf(forked, [...open, ['c2', true]]).slice(3, 6)).toEqual(['    3 c2 2/2 -', '      c 1', '      c2 1'])
  })

  it('shows what follows the end of the shown path below it', () => {
    expect(rowsOf([asked('a', null), asked('b', 'a', false)])).toEqual(['1 a -', '  b 1'])
  })

  it('tells each row its place in its group', () => {
    const rows = outlineRows(outlineTreeOf(forked), new Map())
    expect(rows.map(({ place, of }) => `${place}/${of}`)).toEqual(['1/4', '2/4', '3/4', '4/4', '1/2', '2/2'])
  })

  it('finds words on whichever branch, whatever their case and accents', () => {
    const entries = [asked('a', null, true, 'Há exceções?'), asked('b', 'a', false, 'EXCEÇÃO'), asked('c', 'a')]
    const found = (words: string) => foundRows(outlineTreeOf(entries), words).map(drawn)
    expect(found('exce')).toEqual(['1 a', '2 b'])
    expect(found('EXCECAO ')).toEqual(['2 b'])
    expect(found('nowhere')).toEqual([])
  })

  it('knows all that a branch holds', () => {
    const tree = outlineTreeOf(forked)
    expect(
      branchOf(tree, 'b')
        .map(({ mId }) => mId)
        .sort(),
    ).toEqual(['b', 'c', 'c2'])
    expect(tree.sizeOf('a')).toBe(8)
  })

  it('leaves no question out of sight, whatever the records say', () => {
    const id = fc.nat({ max: 9 }).map(String)
    const entry = fc.record({ mId: id, afterMId: fc.option(id), isShown: fc.boolean() })
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ mId }) => mId }), (all) => {
        const entries = all.map(({ mId, afterMId, isShown }) => asked(mId, afterMId, isShown))
        const folds = new Map(all.flatMap(({ mId }) => [[mId, true] as const, [`version ${mId}`, true] as const]))
        const rows = outlineRows(outlineTreeOf(entries), folds)
        expect(new Set(rows.map((row) => row.entry.mId))).toEqual(new Set(all.map(({ mId }) => mId)))
        expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
      }),
    )
  })

  it('holds a line of 3,000 questions', () => {
    const entries = Array.from({ length: 3_000 }, (_, n) => asked(`${n}`, n === 0 ? null : `${n - 1}`))
    const rows = outlineRows(outlineTreeOf(entries), new Map())
    expect(rows).toHaveLength(3_000)
    expect(rows.at(-1)).toMatchObject({ number: 3_000, level: 1 })
  })
})
