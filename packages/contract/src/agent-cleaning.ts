// What people write of an agent, as it is kept: as text that cannot hide or turn what stands around it. The browser
// cleans what a wallet signs by the same rules, so that the server can keep the signed words to the letter.
import { type AgentDraft, type AgentLanguage, agentLanguages } from './agents'
import { AppError } from './errors'
import { withoutHidden } from './hidden-characters'

type DraftTexts = { language: AgentLanguage; role: string; about: string; prompt: string; defaultGreetings: string }

/** Embeddings, overrides and isolates of the writing direction: they turn text that is not theirs. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/gu
/** Text that the database cannot keep. */
const unstorable = /\0|\p{Cs}/gu
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** One line: names and roles. */
const line = (text: string): string =>
  withoutHidden(shown(text))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
/** Several: abouts and greetings. */
const lines = (text: string): string =>
  shown(text)
    .replace(/\r\n?|[\u2028\u2029]/gu, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
const shown = (text: string): string =>
  text.normalize('NFC').replace(directionControls, '').replace(unstorable, '\ufffd')
/** What only the owner reads, and the model: kept to the letter, as far as it can be. */
const secret = (text: string): string => text.replace(unstorable, '\ufffd')

/**
 * Of a draft, cleaned: its texts, one entry for each language, its own language first. Throws validation where nothing
 * visible is left.
 */
export function cleanDraft(draft: AgentDraft): {
  name: string
  category: string | undefined
  knowledge: string | undefined
  texts: DraftTexts[]
} {
  const { language, role, about, prompt, defaultGreetings, languages = [] } = draft
  const own = languages.find((entry) => entry.language === language) ?? {
    language,
    role,
    about,
    prompt,
    defaultGreetings,
  }
  const others = agentLanguages.flatMap((each) =>
    each === language ? [] : (languages.find((entry) => entry.language === each) ?? []),
  )
  return {
    name: filled('name', line(draft.name)),
    category: draft.category === undefined ? undefined : line(draft.category),
    knowledge: draft.knowledge === undefined ? undefined : secret(draft.knowledge),
    texts: [own, ...others].map((entry) => ({
      language: entry.language,
      role: filled('role', line(entry.role)),
      about: filled('about', lines(entry.about)),
      prompt: filled('prompt', secret(entry.prompt)),
      defaultGreetings: lines(entry.defaultGreetings ?? ''),
    })),
  }
}

function filled(path: string, text: string): string {
  if (!visible.test(text))
    throw new AppError('validation', { issues: [{ path, message: 'Nothing of it can be seen' }] })
  return text
}
