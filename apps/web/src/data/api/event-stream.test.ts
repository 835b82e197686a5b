import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventParser } from './event-stream'

const read = (pieces: readonly string[]): string[] => {
  const parser = new EventParser()
  return pieces.flatMap((piece) => parser.read(piece))
}

it('puts the same events together wherever the pieces end and however lines do', () => {
  const event = fc.array(fc.string({ unit: fc.constantFrom('a', ':', ' ', '{', 'é', '日') }), {
    minLength: 1,
    maxLength: 3,
  })
  const end = fc.constantFrom('\n', '\r\n')
  fc.assert(
    fc.property(fc.array(event), end, fc.array(fc.nat()), (events, eol, cuts) => {
      const text = events.map((lines) => lines.map((line) => `data: ${line}${eol}`).join('') + eol).join('')
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
      const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
      expect(read(pieces)).toEqual(events.map((lines) => lines.join('\n')))
    }),
  )
})

it('leaves comments, other fields and an event without its end aside', () => {
  expect(read([': hello\n\nevent: x\nid: 1\ndata: one\n\n', '\n\ndata:two\n', '\ndata: thr'])).toEqual(['one', 'two'])
})
