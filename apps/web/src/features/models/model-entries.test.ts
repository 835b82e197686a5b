import type { Model } from '@parley/contract/models'
import { describe, expect, it } from 'vitest'
import { familyOf } from './families'
import { modelEntries, modelGroups } from './model-entries'
import { traitsOf } from './model-traits'

const model = (id: string, more: Partial<Model> = {}): Model => ({ id, name: id, free: id.endsWith(':free'), ...more })
const of = (tokenizer: string | undefined) => ({ architecture: tokenizer === undefined ? {} : { tokenizer } })
const priced = (completion: string) => ({ pricing: { completion } })

const models: Model[] = [
  model('meta/llama-3', { name: 'Llama 3', ...of('Llama3'), ...priced('0.00000003') }),
  model('anthropic/claude', { name: 'Claude', ...of('Claude'), ...priced('0.000015') }),
  model('anthropic/claude-10', { name: 'Claude 10', ...of('Claude'), ...priced('0.00003') }),
  model('anthropic/claude-9', { name: 'Claude 9', ...of('Claude'), ...priced('0.000002') }),
  model('qwen/coder', { name: 'Qwen Coder', ...of('Qwen3'), ...priced('0.0000008') }),
  model('mistral/small:free', { name: 'Mistral Small', ...of('Mistral'), ...priced('0') }),
  model('openrouter/auto', { name: 'Auto', ...of('Router'), ...priced('-1') }),
  model('ollama/phi', { name: 'Phi', ...of(undefined) }),
]
const wanted = { query: '', tab: 'all', order: 'owner', currentId: '', favorites: [], recent: [] } as const
const listed = (more: Partial<Parameters<typeof modelEntries>[1]>): string[] =>
  modelEntries(models, { ...wanted, ...more }).map((entry) =>
    entry.kind === 'model' ? entry.model.name : `# ${entry.section ?? entry.owner}`,
  )

describe('the groups', () => {
  it('are by tokenizer, without routers, with Default for what has none, each sorted by name [ST-116]', () => {
    expect(modelGroups(models).map(({ owner, models: members }) => [owner, members.map(({ name }) => name)])).toEqual([
      ['Claude', ['Claude', 'Claude 9', 'Claude 10']],
      ['Default', ['Phi']],
      ['Llama3', ['Llama 3']],
      ['Mistral', ['Mistral Small']],
      ['Qwen3', ['Qwen Coder']],
    ])
  })
})

describe('the list', () => {
  it('sorts by the price of the answer, cheaper or more expensive first; what has none comes last [ST-112]', () => {
    expect(listed({ order: 'cheaper' })).toEqual([
      'Mistral Small',
      'Llama 3',
      'Qwen Coder',
      'Claude 9',
      'Claude',
      'Claude 10',
      'Auto',
      'Phi',
    ])
    expect(listed({ order: 'expensive' })).toEqual([
      'Claude 10',
      'Claude',
      'Claude 9',
      'Qwen Coder',
      'Llama 3',
      'Mistral Small',
      'Auto',
      'Phi',
    ])
  })

  it('has all, those for chat, the free ones, and those for code [ST-111]', () => {
    const names = (tab: 'all' | 'chat' | 'free' | 'code') => listed({ tab, order: 'cheaper' })
    expect(names('all')).toHaveLength(models.length)
    expect(names('free')).toEqual(['Mistral Small'])
    expect(names('code')).toEqual(['Qwen Coder'])
    expect(names('chat')).not.toContain('Qwen Coder')
    expect(names('chat')).toContain('Claude')
  })

  it('shows what is in use, liked and used last first, each model once', () => {
    const ids = {
      currentId: 'qwen/coder',
      favorites: ['anthropic/claude-9', 'qwen/coder'],
      recent: ['anthropic/claude-9', 'ollama/phi', 'gone/model'],
    }
    expect(listed(ids)).toEqual([
      ...['# current', 'Qwen Coder', '# favorites', 'Claude 9', '# recent', 'Phi'],
      ...['# Claude', 'Claude', 'Claude 10', '# Llama3', 'Llama 3', '# Mistral', 'Mistral Small'],
    ])
    expect(listed({ ...ids, order: 'cheaper' }).slice(6)).toEqual([
      '# rest',
      'Mistral Small',
      'Llama 3',
      'Claude',
      'Claude 10',
      'Auto',
    ])
    expect(listed({ ...ids, order: 'cheaper', tab: 'code' })).toEqual(['# current', 'Qwen Coder'])
  })

  it('finds by every word, in name and id, whatever the accents and cases, routers too', () => {
    expect(listed({ query: ' ANTHROPIC  9', currentId: 'anthropic/claude-9' })).toEqual(['Claude 9'])
    expect(listed({ query: 'áuto' })).toEqual(['Auto'])
    expect(listed({ query: 'nothing like it' })).toEqual([])
  })
})

describe('a family', () => {
  it('is one of thirteen, by the tokenizer [ST-114]', () => {
    const families = [
      'Claude',
      'Cohere',
      'GPT',
      'Grok',
      'Gemini',
      'Mistral',
      'Llama3',
      'Llama2',
      'Other',
      'PaLM',
      'Qwen',
      'Router',
      'Yi',
    ]
    expect(families.map((tokenizer) => familyOf(model('x', of(tokenizer))))).toEqual(families)
    expect(['Qwen3', 'llama3', 'DeepSeek', ''].map((tokenizer) => familyOf(model('x', of(tokenizer))))).toEqual([
      'Qwen',
      'Llama3',
      'Other',
      'Other',
    ])
  })

  it('is told by the id where a local server knows no tokenizers', () => {
    const ids = [
      'llama3.2:3b',
      'llama2:7b',
      'qwq',
      'gemma3',
      'mixtral:8x7b',
      'gpt-oss:20b',
      'command-r',
      'yi:6b',
      'phi4',
    ]
    expect(ids.map((id) => familyOf(model(id)))).toEqual([
      'Llama3',
      'Llama2',
      'Qwen',
      'Gemini',
      'Mistral',
      'GPT',
      'Cohere',
      'Yi',
      'Other',
    ])
  })
})

it('knows from the modality which models read pictures and which make them [ST-115]', () => {
  const traits = (modality: string) => traitsOf(model('x', { architecture: { modality } }))
  expect(traits('text+image->text')).toMatchObject({ readsImages: true, makesImages: false, isForChat: true })
  expect(traits('text->text+image')).toMatchObject({ readsImages: false, makesImages: true, isForChat: true })
  expect(traits('text->image')).toMatchObject({ makesImages: true, isForChat: false })
  expect(traits('text->text')).toMatchObject({ readsImages: false, makesImages: false })
  expect(traitsOf(model('local'))).toMatchObject({ readsImages: false, isForChat: true })
})
