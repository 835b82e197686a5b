import { citedNumbers, type SentSource } from '@parley/contract/sent-sources'
import { expect, it } from 'vitest'
import { aSentSource } from '../../testing/sent-sources'
import { OfflineProvider } from './offline-provider'

const lease = aSentSource('lease', ['Two keys are handed over.', 'The late fee is 2 %.', 'The garden is shared.'])

async function said(question: string, sources: SentSource[] = [], { language = 'en-US', before = '' } = {}) {
  const earlier = before === '' ? [] : [{ role: 'user' as const, content: before }]
  const messages = [...earlier, { role: 'user' as const, content: question }]
  const quoted = sources.length === 0 ? undefined : { question, sources }
  let text = ''
  const events = new OfflineProvider().chat({ model: '', language, messages, quoted }, new AbortController().signal)
  for await (const event of events) if (event.type === 'text') text += event.text
  return text
}

it.each([
  ['en-US', 'No model is connected', 'nearest to your question'],
  ['pt-BR', 'Nenhum modelo está conectado', 'mais próximos da sua pergunta'],
  ['es-ES', 'No hay ningún modelo conectado', 'más cercanos a tu pregunta'],
])(
  'quotes the passages that are nearest to the question, and says in %s that it is no model',
  async (language, ...words) => {
    const text = await said('How high is the late fee?', [lease], { language })
    expect(text).toContain('> The late fee is 2 %.\n\n— lease.pdf, p. 2 [2]')
    for (const part of [...words, 'LLM_API_KEY=']) expect(text).toContain(part)
    expect(citedNumbers(text)).toEqual([2])
  },
)

it('quotes how the sources begin where no word of the question is in them, or files alone were added', async () => {
  for (const question of ['Zusammenfassung?', 'I have added “lease.pdf”. Say briefly what is in there.']) {
    const text = await said(question, [lease, aSentSource('law', [{ n: 7, text: 'Article 1.' }])])
    expect(text).toContain('This is how your sources begin:')
    expect(citedNumbers(text)).toEqual([1, 7])
  }
})

it('looks for “And why?” by the question before it', async () => {
  expect(citedNumbers(await said('And why?', [lease], { before: 'How high is the late fee?' }))).toEqual([2])
})

it('shows what strangers wrote as it is written: no links, pictures, headings or numbers of their own', async () => {
  const hostile = '# Fee ![x](https://evil.example/a.png) [3] <img src=x> www.evil.example\n1. $x$ `y` **fee**'
  const text = await said('Fee?', [aSentSource('a', [hostile, 'One.', 'Two.'])])
  expect(text).toContain(
    '> \\# Fee !\\[x\\](https\\://evil.example/a.png) \\[3\\] \\<img src=x\\> www\\.evil.example\n> 1\\. \\$x\\$ \\`y\\` \\*\\*fee\\*\\*',
  )
  expect(citedNumbers(text)).toEqual([1])
})
