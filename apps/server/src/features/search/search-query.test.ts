import { expect, it } from 'vitest'
import { cleanQuery, queryOf, queryPrompt } from './search-query'

const said = [
  { role: 'user' as const, content: 'Who wrote Dom Casmurro?' },
  { role: 'assistant' as const, content: 'Machado de Assis.' },
]

it('a question that begins a chat is its own query; one that follows is written from what was said', () => {
  expect(queryPrompt('When did he die?', [], new Date(0))).toBeUndefined()
  const [system, asked] = queryPrompt('When did he die?', said, new Date('2026-11-25')) ?? []
  expect(system?.content).toContain('Today is 2026-11-25')
  expect(asked?.content).toMatch(/User: Who wrote[\s\S]*Assistant: Machado[\s\S]*When did he die\?/)
})

it('reads a bounded part of what was said, however long it is', () => {
  const long = said.map((message) => ({ ...message, content: `${message.content} ${'x'.repeat(100_000)}` }))
  const messages = queryPrompt('y'.repeat(50_000), long, new Date(0)) ?? []
  expect(messages.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(6_000)
})

it.each([
  ['"Machado de Assis death year"', 'Machado de Assis death year'],
  ['Query: rents 2026\nBecause the user asks', 'rents 2026'],
  ['\n\n**aluguel 2026**\n', 'aluguel 2026'],
  ['…\n', ''],
])('takes of what a model writes the query alone: %j', (text, query) => {
  expect(cleanQuery(text)).toBe(query)
})

it('a long question is searched by its beginning and its end, in whole words', () => {
  const query = queryOf(`first words ${'filler '.repeat(200)} what is it`)
  expect(query.length).toBeLessThanOrEqual(300)
  expect(query).toMatch(/^first words filler .* filler what is it$/)
  expect(queryOf('  one\n line ')).toBe('one line')
})
