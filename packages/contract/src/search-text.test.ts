import { describe, expect, it } from 'vitest'
import { limits } from './limits/shared'
import { foldedMessage, passageOf, searchWords } from './search-text'

const marked = (question: string, query: string, answer = ''): string[] => {
  const { passage, marks } = passageOf(question, answer, searchWords(query))
  return marks.map(([from, to]) => passage.slice(from, to))
}

describe('the words of a message', () => {
  it('have no accents, no capitals and nothing between them but a blank, in every script', () => {
    expect(foldedMessage('São João, 100%!', 'it’s “OK”')).toBe('sao joao 100 it s ok')
    expect(foldedMessage('ΟΔΟΣ οδός', 'Ёлка ЙОД')).toBe('οδοσ οδοσ елка иод')
    expect(foldedMessage('الرِّسَالَة', 'हिन्दी')).toBe('الرسالة हनद')
  })

  it('are pairs of characters where a script writes no spaces', () => {
    expect(foldedMessage('東京タワー', '')).toBe('東京 京タ タワ ワー ー ')
    expect(searchWords('東京 gpt')).toEqual({ prefixes: ['gpt'], parts: ['東京'], terms: ['東京', 'gpt'] })
    expect(searchWords('気').terms).toEqual(['気'])
  })

  it('are the same however a letter was composed', () => {
    expect(foldedMessage('caf\u00e9', '')).toBe(foldedMessage('cafe\u0301', ''))
    expect(searchWords('CAFÉ').terms).toEqual(searchWords('cafe').terms)
  })

  it('are none in a query of signs, and each but once in any other', () => {
    for (const query of ['', '  ', '…!?', "' & | :*", '👩‍👩‍👧']) expect(searchWords(query).terms).toEqual([])
    expect(searchWords('A a Á b').terms).toEqual(['a', 'b'])
  })
})

describe('the passage of a message', () => {
  it('marks the beginnings of words as they were written', () => {
    expect(marked('Onde fica a praça de São João?', 'joao PRACA')).toEqual(['praça', 'João'])
    expect(marked('A raça e a PRAÇA', 'raca')).toEqual(['raça'])
    expect(marked('ΟΔΟΣ Ελλάδα', 'οδός')).toEqual(['ΟΔΟΣ'])
    expect(marked('日本語GPT and 港区', 'gpt 港区')).toEqual(['GPT', '港区'])
  })

  it('marks what stands after characters that take two units, and whole characters', () => {
    expect(marked('🙂🙂 needle 𠀀𠀁', 'needle 𠀀𠀁')).toEqual(['needle', '𠀀𠀁'])
    expect(marked('cafe\u0301 noir', 'café')).toEqual(['cafe\u0301'])
  })

  it('is short, around the place with most of the words, and begins with a whole word', () => {
    const filler = 'lorem ipsum dolor '.repeat(40)
    const { passage, marks } = passageOf(`alpha ${filler} alpha and beta ${filler}`, '', searchWords('alpha beta'))
    expect(passage.length).toBeLessThanOrEqual(limits.cloud.passageLength)
    expect(marks.map(([from, to]) => passage.slice(from, to))).toEqual(['alpha', 'beta'])
    expect(passage).toMatch(/^(lorem|ipsum|dolor) /)
  })

  it('is the beginning of a message where nothing is to be marked, and never half a character', () => {
    expect(passageOf('Question', 'Answer', searchWords('other'))).toEqual({ passage: 'Question\nAnswer', marks: [] })
    for (let shift = 0; shift < 4; shift++) {
      const { passage } = passageOf('x'.repeat(shift) + '🙂'.repeat(400), '', searchWords('nothing'))
      expect(passage).not.toMatch(/\p{Cs}/u)
    }
  })
})
