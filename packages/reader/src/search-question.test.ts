import { expect, it } from 'vitest'
import { searchQuestion } from './search-question'

const before = ['And when?', 'How high is the deposit for the flat in the Rua Augusta?', 'Who is the landlord?']

it('looks for a question that says enough by its own words alone', () => {
  const question = 'Does the landlord repair a broken boiler?'
  expect(searchQuestion(question, before)).toBe(question)
})

it.each(['And why?', 'E por quê?', '¿Y por qué?'])(
  'looks for “%s” by what was asked before it, as far back as it takes',
  (question) => {
    expect(searchQuestion(question, before)).toBe(`${question}\n${before[0]}\n${before[1]}`)
    expect(searchQuestion(question, [])).toBe(question)
  },
)

it('leaves a question of files alone empty', () => {
  expect(searchQuestion(' ', before)).toBe(' ')
})
