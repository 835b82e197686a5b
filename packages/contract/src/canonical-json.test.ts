import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, type Json } from './canonical-json'

const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

/** The same value with the keys of its objects in another order. */
function turned(json: Json): Json {
  if (json === null || typeof json !== 'object') return json
  if (Array.isArray(json)) return json.map(turned)
  return Object.fromEntries(
    Object.entries(json)
      .map(([key, entry]) => [key, turned(entry)] as const)
      .reverse(),
  )
}

describe('the canonical spelling of a value', () => {
  it('says the value, and is the same in whatever order its keys come', () => {
    fc.assert(
      fc.property(value, (json) => {
        const spelt = canonicalJson(json)
        expect(canonicalJson(JSON.parse(spelt))).toBe(spelt)
        expect(canonicalJson(turned(json))).toBe(spelt)
      }),
    )
  })

  it('differs for different values', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const isSame = canonicalJson(a) === canonicalJson(b)
        // -0 is 0 in JSON.
        expect(isSame).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)))
      }),
    )
  })

  it('is that of RFC 8785 for texts and keys, and there is none of a fraction', () => {
    expect(canonicalJson({ '\u20ac': 'Euro', '\r': '\u000f\n', '1': 'A"\\B', '\ud83d\ude00': [true, null, -3] })).toBe(
      '{"\\r":"\\u000f\\n","1":"A\\"\\\\B","\u20ac":"Euro","\ud83d\ude00":[true,null,-3]}',
    )
    for (const number of [0.5, Number.NaN, 2 ** 60]) expect(() => canonicalJson({ number })).toThrow(RangeError)
  })
})

function sorted(json: Json): unknown {
  if (json === null || typeof json !== 'object') return json
  if (Array.isArray(json)) return json.map(sorted)
  return Object.entries(json)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => ({ key, entry: sorted(entry) }))
}
