import type { DocumentBlock } from '@parley/contract/read-document'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passagesOf } from './passages'

const paragraph = (text: string, page?: number): DocumentBlock =>
  page === undefined ? { kind: 'paragraph', text } : { kind: 'paragraph', text, page }
const long = (word: string, sentences: number): string =>
  Array.from({ length: sentences }, (_, n) => `This is sentence ${n} of ${word}.`).join(' ')

describe('passages', () => {
  it('begin at headings and carry them', () => {
    const passages = passagesOf({
      blocks: [
        { kind: 'heading', level: 1, text: 'Lease' },
        { kind: 'heading', level: 2, text: 'Rent' },
        paragraph('Due on the fifth.'),
        { kind: 'heading', level: 2, text: 'Pets' },
        paragraph('None.'),
      ],
    })
    expect(passages).toEqual([
      { index: 0, text: 'Lease\nRent\nDue on the fifth.', headings: ['Lease', 'Rent'], blocks: [0, 3] },
      { index: 1, text: 'Pets\nNone.', headings: ['Lease', 'Pets'], blocks: [3, 5] },
    ])
  })

  it('end between sentences', () => {
    const passages = passagesOf({ blocks: [paragraph(long('a long paragraph', 60))] })
    expect(passages.length).toBeGreaterThan(2)
    for (const { text } of passages) {
      expect(text.length).toBeLessThanOrEqual(1_000)
      expect(text).toMatch(/^This is sentence[\s\S]*\.$/)
    }
  })

  it('divide a table between rows, with its header above each part', () => {
    const rows = Array.from({ length: 60 }, (_, n) => [`Item number ${n}`, `${n},00`])
    const passages = passagesOf({ blocks: [{ kind: 'table', rows: [['Item', 'Preço'], ...rows], hasHeader: true }] })
    expect(passages.length).toBeGreaterThan(1)
    for (const { text } of passages) expect(text.startsWith('Item | Preço\nItem number')).toBe(true)
    expect(passages.flatMap(({ text }) => text.split('\n').slice(1))).toEqual(rows.map((row) => row.join(' | ')))
  })

  it('end with a page, but for a sentence that goes on', () => {
    const passages = passagesOf({
      blocks: [paragraph('The rent is due on', 1), paragraph('the fifth day. Water is not included.', 2)],
    })
    expect(passages.map(({ text, page }) => ({ text, page }))).toEqual([
      { text: 'The rent is due on the fifth day.', page: 1 },
      { text: 'Water is not included.', page: 2 },
    ])
    const apart = passagesOf({ blocks: [paragraph('It ends here.', 1), paragraph('Here another begins.', 2)] })
    expect(apart).toHaveLength(2)
  })

  it('have every character of the document once, tables and long words too', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab é.,!?\n😀'.split('')), minLength: 1, maxLength: 3_000 })
    const page = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })
    const block: fc.Arbitrary<DocumentBlock> = fc.oneof(
      fc.record({ kind: fc.constant('paragraph' as const), text, page }),
      fc.record({ kind: fc.constant('code' as const), text, page }),
      fc.record({ kind: fc.constant('list-item' as const), level: fc.nat(5), text, page }),
      fc.record({ kind: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 6 }), text, page }),
      fc.record({
        kind: fc.constant('table' as const),
        rows: fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        hasHeader: fc.constant(false),
        page,
      }),
    )
    const letters = (all: string) => all.replace(/[\s|-]/g, '')
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
        const passages = passagesOf({ blocks })
        const whole = blocks.map((each) => (each.kind === 'table' ? each.rows.flat().join('') : each.text)).join('')
        expect(letters(passages.map((each) => each.text).join(''))).toBe(letters(whole))
        for (const [index, each] of passages.entries()) {
          expect(each.index).toBe(index)
          expect(each.text.length).toBeLessThanOrEqual(2_100)
          expect(each.blocks[0]).toBeLessThan(each.blocks[1])
        }
      }),
      { numRuns: process.env.TEST_DEPTH === 'deep' ? 2_000 : 100 },
    )
  })
})
