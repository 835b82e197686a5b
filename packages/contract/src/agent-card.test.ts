import { describe, expect, it } from 'vitest'
import { agentCardFormat, readAgentCard } from './agent-card'
import { AppError } from './errors'
import { limits } from './limits/shared'

const texts = { language: 'en', role: 'First reader', about: 'Reads your draft.' }
const card = { format: agentCardFormat, version: 1, name: 'Cold Reader', languages: [texts] }

const refusal = (content: unknown): string => {
  try {
    readAgentCard(typeof content === 'string' ? content : JSON.stringify(content))
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}

describe('a card of an agent', () => {
  it('needs a name and texts in one language; the rest may be missing', () => {
    expect(readAgentCard(JSON.stringify(card))).toEqual({
      ...card,
      languages: [{ ...texts, prompt: '', defaultGreetings: '' }],
    })
  })

  it('brings nothing along that a card does not have', () => {
    const read = readAgentCard(
      `{"format":"parley-agent","version":1,"name":"X","_id":"other","userId":"eve","__proto__":{"admin":true},"languages":[${JSON.stringify(texts)}]}`,
    )
    expect(Object.keys(read).sort()).toEqual(['format', 'languages', 'name', 'version'])
    expect('admin' in read).toBe(false)
  })

  it('is refused when it is of a later version, and says so', () => {
    expect(refusal({ ...card, version: 2, languages: 'something new' })).toBe('agent.card-newer')
  })

  it.each([
    ['no JSON', 'name: Cold Reader'],
    ['nothing', ''],
    ['nested without end', '['.repeat(200_000)],
    ['another file', { data: [] }],
    ['a list', [card]],
    ['an older version than any', { ...card, version: 0 }],
    ['a version in words', { ...card, version: '1' }],
    ['a name that is too long', { ...card, name: 'x'.repeat(limits.agents.name + 1) }],
    ['a name that is no text', { ...card, name: { toString: 'x' } }],
    ['knowledge that is too long', { ...card, knowledge: 'x'.repeat(limits.agents.knowledge + 1) }],
    ["another host's picture", { ...card, profileImage: 'https://tracker.example/pixel.png' }],
    ['a picture by a program', { ...card, profileImage: 'javascript:alert(1)' }],
    ['a picture by a way around', { ...card, profileImage: '/api/faces/../user.svg' }],
    ['no language', { ...card, languages: [] }],
    ['one language twice', { ...card, languages: [texts, texts] }],
    ['an unknown language', { ...card, languages: [{ ...texts, language: 'fr' }] }],
  ])('is refused when it is %s', (_what, content) => {
    expect(refusal(content)).toBe('agent.card-invalid')
  })
})
