import type { Model } from '@parley/contract/models'

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
] as const

export const defaultModel: Model = {
  id: 'meta-llama/llama-3.1-8b-instruct',
  name: 'Llama 3.1 8B Instruct',
  description: 'Fast and cheap. Good for short answers and rewriting.',
  architecture: { tokenizer: 'Llama3', modality: 'text->text' },
  pricing: { prompt: '0.00000002', completion: '0.00000003' },
  contextTokens: 131_072,
  free: false,
}

/**
 * So many models of all families, with the default one among them: the n-th costs n cents a million tokens, every tenth
 * is free, every third reads pictures.
 */
export function manyModels(count: number): Model[] {
  const others = Array.from({ length: count - 1 }, (_, n): Model => {
    const tokenizer = families[n % families.length] ?? 'Other'
    const isFree = n % 10 === 9
    const number = String(n).padStart(3, '0')
    return {
      id: `${tokenizer.toLowerCase()}/model-${number}${n % 20 === 4 ? '-coder' : ''}${isFree ? ':free' : ''}`,
      name: `${tokenizer} ${number}`,
      description: `The ${number}th model of this list. It is described in more than one sentence, so that there is something to leave out.`,
      architecture: { tokenizer, instruct_type: null, modality: n % 3 === 0 ? 'text+image->text' : 'text->text' },
      pricing: isFree ? { prompt: '0', completion: '0' } : { prompt: `${n}e-9`, completion: `${n + 1}e-8` },
      contextTokens: 32_768,
      free: isFree,
    }
  })
  return [...others, defaultModel]
}
