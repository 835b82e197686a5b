import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { canonicalParts, isKnownPart, Part, textOf, textParts } from './parts'

const Parts = z.array(Part)

describe('parts of a message', () => {
  it('have as their text the text parts, joined by a blank line', () => {
    const parts = z.parse(Parts, [
      { type: 'reasoning', text: 'hm', ms: 1200 },
      { type: 'text', text: 'One' },
      { type: 'source', n: 1, title: 'A page', passage: 'p' },
      { type: 'text', text: 'Two' },
    ])
    expect(textOf(parts)).toBe('One\n\nTwo')
    expect(textParts('')).toEqual([])
  })

  it('of a kind, or with a field, of a later version are kept as they came', () => {
    const later = [
      { type: 'hologram', depth: { cm: 3 } },
      { type: 'text', text: 'One', tone: 'dry' },
    ]
    const parts = z.parse(Parts, later)
    expect(JSON.stringify(parts)).toBe(JSON.stringify(later))
    expect(parts.map(isKnownPart)).toEqual([false, true])
    expect(textOf(parts)).toBe('One')
  })

  it.each([
    ['without its text', { type: 'text' }],
    ['with a negative time', { type: 'reasoning', text: '', ms: -1 }],
    ['without a kind', { text: 'One' }],
    ['with an empty kind', { type: '' }],
    ['with an endless kind', { type: 'x'.repeat(61) }],
    ['that are no object', 'text'],
  ])('%s are refused', (_name, part) => {
    expect(z.safeParse(Parts, [part]).success).toBe(false)
  })

  it('are the same text for a digest whatever the order of their fields', () => {
    expect(canonicalParts([{ type: 'picture', fileId: 'f', alt: 'a' }])).toBe(
      canonicalParts([{ alt: 'a', fileId: 'f', type: 'picture' }]),
    )
  })
})
