import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ThinkTags } from './think-tags'

/** What a text becomes that comes in pieces which end at these places. */
function read(text: string, ends: readonly number[] = []): { reasoning: string; text: string } {
  const tags = new ThinkTags()
  const places = [0, ...ends.map((end) => end % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  const pieces = places.slice(1).flatMap((end, at) => tags.read({ type: 'text', text: text.slice(places[at], end) }))
  const all = [...pieces, ...tags.end()]
  const of = (type: string) => all.flatMap((piece) => (piece.type === type ? [piece.text] : [])).join('')
  return { reasoning: of('reasoning'), text: of('text') }
}

it('takes the thinking out of a text that begins with it, and the blank lines around it', () => {
  expect(read('<think>\nHm.\n</think>\n\nYes.')).toEqual({ reasoning: '\nHm.\n', text: 'Yes.' })
  expect(read('\n<think></think>Yes.')).toEqual({ reasoning: '', text: 'Yes.' })
  expect(read('<think>a </thin b</think> c </think>')).toEqual({ reasoning: 'a </thin b', text: 'c </think>' })
})

it('leaves a text as it is that has the tags elsewhere, or something like them', () => {
  const texts = ['Use <think> for it.</think>', '<thinking>x</think>', '<', '<thin', ' \n<b>', '', '</think>x']
  for (const text of texts) expect(read(text)).toEqual({ reasoning: '', text })
})

it('is all thinking where the tag is never closed', () => {
  expect(read('<think>Hm. </thi')).toEqual({ reasoning: 'Hm. </thi', text: '' })
})

it('is the same wherever the stream is cut', () => {
  const part = fc.constantFrom('<think>', '</think>', '<', '/', 'think', '>', ' ', '\n', 'word', '👩‍👩‍👧')
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (whole, ends) => {
      expect(read(whole, ends)).toEqual(read(whole))
      expect(read(`<think>${whole}`, ends)).toEqual(read(`<think>${whole}`))
    }),
    { numRuns: 2_000 },
  )
})
