import { describe, expect, it } from 'vitest'
import { translate } from './translate'

const english = {
  language: 'en-US',
  texts: {
    chat: { hello: 'Hello, {{name}}', left_one: '{{count}} left', left_other: '{{count}} left of {{ total }}' },
  },
}
const portuguese = { language: 'pt-BR', texts: { chat: { hello: 'Olá, {{name}}', left_zero: 'Nada' } } }

describe('a text of the interface', () => {
  it('is that of the first language that has it, else the key', () => {
    expect(translate([portuguese, english], 'chat.hello', { name: 'Ana' })).toBe('Olá, Ana')
    expect(translate([portuguese, english], 'chat.left', { count: 1 })).toBe('1 left')
    expect(['chat.bye', 'chat', 'other.hello', 'chat.hello.more', ''].map((key) => translate([english], key))).toEqual([
      'chat.bye',
      'chat',
      'other.hello',
      'chat.hello.more',
      '',
    ])
  })

  it('has a form for each plural, and one for none at all where the language says so', () => {
    expect(translate([portuguese, english], 'chat.left', { count: 0 })).toBe('Nada')
    expect(translate([english], 'chat.left', { count: 0, total: 7 })).toBe('0 left of 7')
  })

  it('writes numbers as the reader does, and takes what stands in a value for no text of its own', () => {
    expect(translate([portuguese, english], 'chat.left', { count: 1234, total: 5678 })).toBe('1.234 left of 5.678')
    expect(translate([english], 'chat.hello', { name: '{{name}} $& <b>' })).toBe('Hello, {{name}} $& <b>')
    expect(translate([english], 'chat.hello')).toBe('Hello, ')
    expect(translate([{ language: 'en-US', texts: { chat: { odd: '{{constructor}}' } } }], 'chat.odd', {})).toBe('')
  })
})
