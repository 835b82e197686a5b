import { describe, expect, it } from 'vitest'
import { createLexicalIndex, rankPassages, readLexicalIndex } from './lexical-index'
import { stem } from './stem'

const passage = (text: string, ...headings: string[]) => ({ text, headings })
const first = (question: string, ...passages: ReturnType<typeof passage>[]) =>
  rankPassages(question, passages, 1)[0]?.text

describe('search by words', () => {
  it.each([
    ['locação', 'Da locacao do imóvel', 'Da venda do imóvel'],
    ['Quais são os pagamentos?', 'O pagamento ocorre em maio.', 'A entrega ocorre em maio.'],
    ['¿Cuáles son las obligaciones?', 'La obligación del inquilino', 'El precio del piso'],
    ['terminating contracts', 'How a contract is terminated', 'How a price is calculated'],
    ['Quanto é 1234.56?', 'O total é R$ 1.234,56.', 'O total é R$ 1.234,65.'],
    ['SKU-4411/b', 'The part SKU-4411/b is blue.', 'The part SKU-4412/b is blue.'],
    ['max upload bytes', 'const maxUploadBytes = 1', 'const maxTextBytes = 1'],
    ['What is 契約書 about?', '賃貸契約書です。', '売買の書類です。'],
    ['What is the price of the lift?', 'The charge for the lift is due.', 'The speed for the lift is due.'],
    ['When does the lift stop?', 'The lift stops on 3/5/2031.', 'The lift stops, as was said above.'],
    ['Who is behind the telephone of the lift?', 'The lift: +55 11 4002 8922.', 'The lift: all of it, above.'],
    ['aluguél do apartamneto', 'o apartamento', 'a casa'],
  ])('finds %s', (question, right, wrong) => {
    expect(first(question, passage(wrong), passage(right))).toBe(right)
  })

  it('weighs headings', () => {
    const pets = passage('None are allowed.', 'House rules', 'Pets')
    expect(first('pets', passage('The rent is due, for pets or not, and so is the water, at the end.'), pets)).toBe(
      pets.text,
    )
  })

  it('prefers words that stand together, and more of the rare ones', () => {
    expect(
      first(
        'notice period',
        passage('The period of rest needs a sign and a notice.'),
        passage('The notice period is a month now.'),
      ),
    ).toBe('The notice period is a month now.')
    const both = passage('Maria Souza signs for the buyer in the end, as was said above by all.')
    expect(first('Maria Souza', passage('Maria, Maria, Maria.'), passage('Souza Souza'), both)).toBe(both.text)
  })

  it('finds nothing where no word of the question is', () => {
    expect(rankPassages('What is the and of?', [passage('zebra')], 5)).toEqual([])
    expect(rankPassages('constructor __proto__ toString', [passage('zebra')], 5)).toEqual([])
  })

  it('is the same after it was stored', () => {
    const passages = [passage('Alpha beta constructor'), passage('gamma beta __proto__', 'Heading')]
    const index = createLexicalIndex(passages)
    const again = readLexicalIndex(JSON.parse(JSON.stringify(index)))
    for (const question of ['beta gamma', 'heading', 'constructor', 'proto'])
      expect(again.search(question, { limit: 5 })).toEqual(index.search(question, { limit: 5 }))
    expect(() => readLexicalIndex({ v: 2 } as never)).toThrow()
  })

  it('cuts words of one kind to one stem', () => {
    for (const kin of [
      ['pagamento', 'pagamentos', 'pagar'],
      ['obligación', 'obligaciones'],
      ['terminated', 'terminating', 'terminate'],
      ['imóvel', 'imóveis'],
      ['party', 'parties'],
    ])
      expect(new Set(kin.map((word) => stem(word.normalize('NFD').replace(/\p{M}/gu, '')))).size, kin.join()).toBe(1)
  })
})
