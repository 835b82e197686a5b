import { languageOf } from '@parley/contract/languages'

const names = { 'en-US': 'English', 'pt-BR': 'Brazilian Portuguese', 'es-ES': 'Spanish', 'fil-PH': 'Filipino' } as const

/** What every answer starts from. Kept apart from what people write, so that neither can pass for the other. */
export function systemPrompt(language: string | undefined, today: Date): string {
  return [
    'You are a helpful assistant. Answer plainly and correctly; say so when you do not know.',
    'Write Markdown where it helps: short headings, lists, tables, fenced code with its language, formulas between $ or $$.',
    `Answer in the language of the question; when it is unclear, in ${names[languageOf(language)]}.`,
    `Today is ${today.toISOString().slice(0, 10)}.`,
  ].join('\n')
}
