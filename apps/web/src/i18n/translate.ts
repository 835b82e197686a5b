/** The texts of a language, by their subjects: a text, or more of them by their names. */
export type TextTree = { readonly [name: string]: string | TextTree }
export type TextValues = { readonly count?: number; readonly [name: string]: string | number | undefined }

const numberFormats = new Map<string, Intl.NumberFormat>()
const pluralRules = new Map<string, Intl.PluralRules>()

/**
 * The text of a key such as `channels.rename`, in the first of the given languages that has it; the key itself where
 * none has. `{{name}}` stands for a value; a number is written as the first language writes it. With `count`, a text
 * has a form for each plural of its language: `found_one`, `found_other`, and `found_zero` for none at all.
 */
export function translate(
  languages: readonly { language: string; texts: TextTree }[],
  key: string,
  values: TextValues = {},
): string {
  const path = key.split('.')
  const name = path.pop() ?? ''
  for (const { language, texts } of languages) {
    const subject = path.reduce<string | TextTree | undefined>((at, part) => (isTree(at) ? at[part] : undefined), texts)
    if (!isTree(subject)) continue
    const found = formsOf(name, values.count, language)
      .map((form) => subject[form])
      .find((text) => typeof text === 'string')
    if (typeof found === 'string') return filled(found, values, languages[0]?.language ?? language)
  }
  return key
}

const isTree = (value: string | TextTree | undefined): value is TextTree => typeof value === 'object'

/** The names that a text may have, the most fitting first. */
function formsOf(name: string, count: number | undefined, language: string): string[] {
  if (count === undefined) return [name]
  const plural = cached(pluralRules, language, () => new Intl.PluralRules(language)).select(count)
  return [...(count === 0 ? [`${name}_zero`] : []), `${name}_${plural}`, name]
}

/** The values are texts, whatever is in them: nothing in them is replaced again. */
function filled(text: string, values: TextValues, language: string): string {
  if (!text.includes('{{')) return text
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return typeof value === 'number'
      ? cached(numberFormats, language, () => new Intl.NumberFormat(language)).format(value)
      : (value ?? '')
  })
}

function cached<T>(known: Map<string, T>, language: string, make: () => T): T {
  const value = known.get(language) ?? make()
  known.set(language, value)
  return value
}
