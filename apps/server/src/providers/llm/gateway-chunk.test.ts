import { rounded } from '@parley/contract/money'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readChunk } from './gateway-chunk'

it('reads the cost that a gateway reports without a binary fraction, and nothing that is no amount', () => {
  const nanos = (written: unknown): bigint | undefined => {
    const { cost } =
      readChunk(JSON.stringify({ usage: { prompt_tokens: 1, completion_tokens: 2, cost: written } })).usage ?? {}
    return cost === undefined ? undefined : BigInt(String(rounded(cost)))
  }
  expect([0.0000047, 0.1, '1.0000000001', 1e-12, 0, 12].map(nanos)).toEqual([
    4700n,
    100_000_000n,
    1_000_000_001n,
    1n,
    0n,
    12_000_000_000n,
  ])
  for (const bad of [-1, 'free', null, undefined, {}, '1e9999']) expect(nanos(bad)).toBeUndefined()
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), (amount) => {
      const digits = String(amount).padStart(10, '0')
      expect(nanos(Number(`${digits.slice(0, -9)}.${digits.slice(-9)}`))).toBe(amount)
    }),
  )
})

it('believes no count of tokens that is none, nor the other one beside it', () => {
  const counts = (prompt: unknown, completion: unknown): number[] => {
    const { usage } = readChunk(JSON.stringify({ usage: { prompt_tokens: prompt, completion_tokens: completion } }))
    return usage ? [usage.inputTokens, usage.outputTokens] : []
  }
  expect([counts(7, 3), counts(7.4, undefined), counts(null, 3)]).toEqual([
    [7, 3],
    [7, 0],
    [0, 3],
  ])
  for (const bad of [-1, 2 ** 31, 1e300, '12', true, {}]) {
    expect(counts(bad, 3), String(bad)).toEqual([0, 0])
    expect(counts(7, bad), String(bad)).toEqual([0, 0])
  }
  expect(readChunk('{"usage":{"prompt_tokens":1e400,"completion_tokens":3,"cost":1e400}}').usage).toEqual({
    inputTokens: 0,
    outputTokens: 0,
    cost: undefined,
  })
})

it('reads any JSON without failing, and takes only what it knows', () => {
  fc.assert(fc.property(fc.json(), (json) => void readChunk(json)))
  expect(readChunk('{"choices":[{"delta":{"content":"hi","refusal":"hm"},"finish_reason":null}]}')).toEqual({
    text: 'hi',
    reasoning: '',
    citations: [],
    finishReason: undefined,
    usage: undefined,
    error: undefined,
  })
})

it('takes pages of the web alone for citations, bounded in number and length', () => {
  const cited = (...annotations: unknown[]) =>
    readChunk(JSON.stringify({ choices: [{ delta: { annotations } }] })).citations
  const page = (url_citation: unknown) => ({ type: 'url_citation', url_citation })
  fc.assert(fc.property(fc.jsonValue(), (json) => void cited(json, page(json))))
  expect(cited(page({ url: 'https://a.example/x' }), page({ url: 'data:text/html,x' }), page({ url: 7 }))).toEqual([
    { url: 'https://a.example/x', title: 'a.example', content: '' },
  ])
  const long = page({ url: 'https://a.example/', title: 'T'.repeat(9_999), content: 'c'.repeat(99_999) })
  expect(cited(...Array.from({ length: 99 }, () => long))).toHaveLength(20)
  expect(JSON.stringify(cited(long)).length).toBeLessThan(2_500)
})

it('reads thinking once, in whichever form a gateway tells it', () => {
  const thinking = (delta: object): string => readChunk(JSON.stringify({ choices: [{ delta }] })).reasoning
  const details = [
    { type: 'reasoning.summary', summary: 'In short' },
    { type: 'reasoning.text', text: ', so.', signature: 'x' },
    { type: 'reasoning.encrypted', data: 'c2VjcmV0' },
  ]
  expect(thinking({ reasoning: 'hm' })).toBe('hm')
  expect(thinking({ reasoning_content: 'hm', content: null })).toBe('hm')
  expect(thinking({ reasoning: null, reasoning_details: details })).toBe('In short, so.')
  expect(thinking({ reasoning: 'hm', reasoning_content: 'hm', reasoning_details: details })).toBe('hm')
  for (const bad of [7, {}, [null], [{ text: 7 }], null])
    expect(thinking({ reasoning: bad, reasoning_details: bad })).toBe('')
})
