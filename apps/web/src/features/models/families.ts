import type { Model } from '@parley/contract/models'

/** Model families by tokenizer (document 3, section 2), with the letters of their icon. */
const families = {
  Claude: 'Cl',
  Cohere: 'Co',
  GPT: 'Gp',
  Grok: 'Gr',
  Gemini: 'Ge',
  Mistral: 'Mi',
  Llama3: 'L3',
  Llama2: 'L2',
  Other: undefined,
  PaLM: 'Pa',
  Qwen: 'Qw',
  Router: undefined,
  Yi: 'Yi',
} as const
type Family = keyof typeof families

export const markOf = (family: Family): string | undefined => families[family]

const names = Object.keys(families).filter((name): name is Family => name in families)

/** Families by id, for local servers, which name no tokenizer. */
const byId: readonly [RegExp, Family][] = [
  [/claude/, 'Claude'],
  [/command-[ar]|cohere|\baya\b/, 'Cohere'],
  [/\bgpt|\bo[134](-|$)|chatgpt/, 'GPT'],
  [/grok/, 'Grok'],
  [/gemini|gemma/, 'Gemini'],
  [/[mp]i[sx]tral|codestral|devstral/, 'Mistral'],
  [/llama-?2\b/, 'Llama2'],
  [/llama/, 'Llama3'],
  [/palm/, 'PaLM'],
  [/qw[eq]n?/, 'Qwen'],
  [/\byi\b/, 'Yi'],
]

/** The family of a model; Other where it is unknown. */
export function familyOf({ id, architecture }: Pick<Model, 'id' | 'architecture'>): Family {
  const tokenizer = architecture?.tokenizer?.toLowerCase()
  if (tokenizer === undefined) return byId.find(([pattern]) => pattern.test(id.toLowerCase()))?.[1] ?? 'Other'
  // Newer generations have a number: Qwen3 is a Qwen.
  return (
    names.find((name) => name.toLowerCase() === tokenizer) ??
    names.find((name) => tokenizer.startsWith(name.toLowerCase())) ??
    'Other'
  )
}
