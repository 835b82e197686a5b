import { expect, it } from 'vitest'
import { suggestedName } from './suggested-name'

it.each([
  ['what is the capital of Portugal?', 'What is the capital of Portugal'],
  ['¿Qué puedo ver en Lisboa? Tengo tres días.', 'Qué puedo ver en Lisboa'],
  ['## **Heading** `code`\nand more', 'Heading code'],
  ['\n\n  - first item', 'First item'],
  ['日本の首都はどこですか', '日本の首都はどこですか'],
])('names a channel after its first question: %j is %j [ST-096]', (question, name) => {
  expect(suggestedName(question)).toBe(name)
})

it('keeps it to 48 characters, cut between words where there are any', () => {
  const name = suggestedName('Please explain in great detail how the tides depend on the moon and the sun')
  expect(name).toBe('Please explain in great detail how the tides')
  expect(Array.from(suggestedName('👩‍👩‍👧x'.repeat(60)) ?? '').length).toBeLessThanOrEqual(48)
})

it('has none for a question without a word', () => {
  expect(suggestedName('???')).toBeUndefined()
  expect(suggestedName(' \n ')).toBeUndefined()
})
