import { expect, it } from 'vitest'
import { locatePassage } from './locate-passage'

const found = (texts: string[], passage: string) =>
  locatePassage(texts, passage).map(({ index, from, to }) => [index, texts[index]?.slice(from, to)])

it('finds a passage across the pieces of a page, whatever stands between the letters', () => {
  const page = ['8.2. Caso o LOCATÁRIO devolva', 'o imóvel an-', 'tes do término,', ' pagará multa.']
  expect(found(page, 'devolva o imóvel antes do término')).toEqual([
    [0, 'devolva'],
    [1, 'o imóvel an'],
    [2, 'tes do término'],
  ])
})

it('knows letters that are written in another way: ligatures, decomposed accents, full width', () => {
  expect(found(['The ﬁne of the oﬃce'], 'fine of the office')).toEqual([[0, 'ﬁne of the oﬃce']])
  expect(found(['a rescisa\u0303o'], 'rescisão')).toEqual([[0, 'rescisa\u0303o']])
})

it('finds the lines of a passage that does not stand there as a whole', () => {
  const blocks = ['Rent 2023 was 900.', 'A note that nobody quoted.', 'Rent 2024 was 1,000 and rising.']
  expect(found(blocks, 'Rent 2023 was 900.\nRent 2024 was 1,000 and rising.')).toEqual([
    [0, 'Rent 2023 was 900'],
    [2, 'Rent 2024 was 1,000 and rising'],
  ])
})

it('finds nothing where it does not stand, nor for a passage without letters', () => {
  expect(locatePassage(['One', 'Two'], 'Three and a half words')).toEqual([])
  expect(locatePassage(['One', 'Two'], ' — ')).toEqual([])
})
