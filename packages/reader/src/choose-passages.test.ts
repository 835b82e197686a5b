import { describe, expect, it } from 'vitest'
import { choosePassages, passageTokens } from './choose-passages'

const passages = (texts: string[], heading = 'Part') =>
  texts.map((text, index) => ({ index, text, headings: [heading], blocks: [index, index + 1] as [number, number] }))
const filler = (n: number): string => `Filler number ${n} ${'speaks of nothing at all '.repeat(8)}`
const fillers = (count: number): string[] => Array.from({ length: count }, (_, n) => filler(n))

describe('what of the sources is sent', () => {
  it('is everything where it has room', () => {
    const sources = [
      { id: 'a', passages: passages(['one', 'two']) },
      { id: 'b', passages: passages(['three']) },
    ]
    const chosen = choosePassages({ question: 'one', sources, roomTokens: 1_000 })
    expect(chosen.map(({ id, reading, of, passages: all }) => ({ id, reading, of, sent: all.length }))).toEqual([
      { id: 'a', reading: 'whole', of: 2, sent: 2 },
      { id: 'b', reading: 'whole', of: 1, sent: 1 },
    ])
  })

  it('else is the best passages with their neighbours, in order, within the room', () => {
    const texts = fillers(200)
    texts[120] = 'The deposit is three rents.'
    const [chosen] = choosePassages({
      question: 'How much is the deposit?',
      sources: [{ id: 'a', passages: passages(texts) }],
      roomTokens: 500,
    })
    expect(chosen?.reading).toBe('passages')
    expect(chosen?.passages.map(({ index }) => index)).toEqual([119, 120, 121])
    expect(chosen?.passages.reduce((sum, each) => sum + passageTokens(each), 0)).toBeLessThanOrEqual(500)
  })

  it('has something of each source that fits the question', () => {
    const deposit = (n: number) => `The deposit number ${n} is three rents, as the deposit always is.`
    const chosen = choosePassages({
      question: 'What is the deposit?',
      sources: [
        { id: 'a', passages: passages(Array.from({ length: 90 }, (_, n) => deposit(n))) },
        { id: 'b', passages: passages([...fillers(50), deposit(1)]) },
        { id: 'c', passages: passages(fillers(50)) },
      ],
      roomTokens: 300,
    })
    expect(chosen.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('is spread over everything where the question names nothing', () => {
    const chosen = choosePassages({
      question: 'Do it?',
      sources: [
        { id: 'a', passages: passages(fillers(50)) },
        { id: 'b', passages: passages(fillers(50)) },
      ],
      roomTokens: 400,
    })
    expect(chosen.map(({ id, passages: [each] }) => [id, each?.index])).toEqual([
      ['a', 0],
      ['b', 0],
    ])
  })

  it('counts an order that was found by meaning', () => {
    const texts = fillers(100)
    texts[70] = 'Caução: três aluguéis.'
    const [chosen] = choosePassages({
      question: 'deposit',
      sources: [{ id: 'a', passages: passages(texts) }],
      roomTokens: 60,
      ranked: [{ id: 'a', index: 70 }],
    })
    expect(chosen?.passages.map(({ index }) => index)).toEqual([70])
  })

  it('is at most so many passages', () => {
    const sources = [{ id: 'a', passages: passages(fillers(30)) }]
    const [chosen] = choosePassages({ question: 'filler', sources, roomTokens: 1_000_000, maxPassages: 7 })
    expect(chosen?.passages).toHaveLength(7)
    expect(chosen?.reading).toBe('passages')
  })
})
