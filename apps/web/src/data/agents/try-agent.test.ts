import { limits } from '@parley/contract/limits/shared'
import { describe, expect, it } from 'vitest'
import { emptyForm } from './agent-form'
import { trialOf } from './try-agent'

const form = { ...emptyForm, name: ' Cold Reader ', role: 'First reader', prompt: 'Read coldly.' }
const exchange = (n: number, length = 10) => [
  { role: 'user' as const, content: `Question ${n} ${'x'.repeat(length)}` },
  { role: 'assistant' as const, content: `Answer ${n}` },
]
const question = { role: 'user' as const, content: 'And now?' }
const said = (count: number, length?: number) => Array.from({ length: count }, (_, n) => exchange(n, length)).flat()

describe('what goes with a trial', () => {
  it('is the draft as it stands, in its language, or in the reader’s while it has none', () => {
    expect(trialOf(form, [question], 'es')).toEqual({
      name: 'Cold Reader',
      role: 'First reader',
      prompt: 'Read coldly.',
      knowledge: '',
      language: 'es',
      messages: [question],
    })
    expect(trialOf({ ...form, language: 'pt' }, [question], 'es').language).toBe('pt')
  })

  it('is the question with as many whole exchanges before it as the server takes', () => {
    const { messages } = trialOf(form, [...said(20), question], 'en')
    expect(messages.length).toBeLessThanOrEqual(limits.chat.maxContextMessages)
    expect([messages[0]?.role, messages.at(-1)]).toEqual(['user', question])
    expect(messages.at(-2)?.content).toBe('Answer 19')
  })

  it('leaves the oldest out where it is too long', () => {
    const { messages } = trialOf(form, [...said(5, 25_000), question], 'en')
    expect(messages.map(({ content }) => content.slice(0, 10))).toEqual([
      'Question 3',
      'Answer 3',
      'Question 4',
      'Answer 4',
      'And now?',
    ])
  })
})
