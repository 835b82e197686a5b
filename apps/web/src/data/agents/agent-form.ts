// An agent while it is being written: the wizard's draft, and what the edit dialog changes.
import { type AgentDraft, type AgentLanguage, agentLanguages, isOwnAgent, type SeenAgent } from '@parley/contract/agents'

/** The same agent's texts in a further language. */
export type FormTexts = { language: AgentLanguage; role: string; about: string; prompt: string; greeting: string }

/** Undefined and '': not chosen yet. */
export type AgentForm = {
  name: string
  about: string
  role: string
  category: string
  prompt: string
  language: AgentLanguage | undefined
  knowledge: string
  /** An address of this server. */
  avatar: string
  private: boolean | undefined
  enabled: boolean | undefined
  greeting: string
  translations: readonly FormTexts[]
}

export type FormField = 'name' | 'about' | 'role' | 'avatar' | 'enabled' | 'private' | 'prompt' | 'language' | 'translations'

export const emptyForm: AgentForm = {
  name: '',
  about: '',
  role: '',
  category: 'Assistant',
  prompt: '',
  language: undefined,
  knowledge: '',
  avatar: '',
  private: undefined,
  enabled: undefined,
  greeting: '',
  translations: [],
}

/** As it can be edited; of somebody else's agent, what everybody sees of it. */
export function formOf(agent: SeenAgent): AgentForm {
  const own = isOwnAgent(agent)
  const translations = agent.languages
    .filter(({ language }) => language !== agent.language)
    .map(({ language, role, about, prompt = '', defaultGreetings }) => ({ language, role, about, prompt, greeting: defaultGreetings }))
  return {
    name: agent.name,
    about: agent.about,
    role: agent.role,
    category: agent.category,
    prompt: own ? agent.prompt : '',
    language: agent.language,
    knowledge: own ? agent.knowledge : '',
    avatar: agent.profileImage,
    private: agent.private,
    enabled: agent.enabled,
    greeting: agent.defaultGreetings,
    translations,
  }
}

const isBlank = (text: string): boolean => text.trim() === ''

/** Of the first step, in their order on the screen. */
export function missingGeneral(form: AgentForm): FormField[] {
  const texts = (['avatar', 'name', 'about', 'role'] as const).filter((field) => isBlank(form[field]))
  const choices = (['enabled', 'private'] as const).filter((field) => form[field] === undefined)
  return [...texts, ...choices]
}

/** Of the second step. */
export function missingData(form: AgentForm): FormField[] {
  return [
    ...(form.language === undefined ? (['language'] as const) : []),
    ...(isBlank(form.prompt) ? (['prompt'] as const) : []),
    ...(form.translations.some(isHalfWritten) ? (['translations'] as const) : []),
  ]
}

const needed = ['role', 'about', 'prompt'] as const

/** One that was begun needs all that an agent needs; one without a word is left out. */
export const isHalfWritten = (texts: FormTexts): boolean => isBegun(texts) && needed.some((field) => isBlank(texts[field]))
export const isBegun = (texts: FormTexts): boolean => [...needed, 'greeting' as const].some((field) => !isBlank(texts[field]))

export const isUnchanged = (form: AgentForm, before: AgentForm): boolean => JSON.stringify(form) === JSON.stringify(before)

/** The agent's own language; where it has texts in it already, those become its own and the others a further language. */
export function withLanguage(form: AgentForm, language: AgentLanguage): AgentForm {
  const there = form.translations.find((texts) => texts.language === language)
  if (!there || form.language === undefined) return { ...form, language }
  const own: FormTexts = { language: form.language, role: form.role, about: form.about, prompt: form.prompt, greeting: form.greeting }
  const { role, about, prompt, greeting } = there
  return { ...form, language, role, about, prompt, greeting, translations: form.translations.map((texts) => (texts === there ? own : texts)) }
}

export const freeLanguages = (form: AgentForm): AgentLanguage[] =>
  agentLanguages.filter((language) => language !== form.language && form.translations.every((texts) => texts.language !== language))

/** What is sent for it; undefined while something is missing. `userName` is what older servers ask for: ours takes the name from the account. */
export function draftOf(form: AgentForm, { id, userName }: { id?: string | undefined; userName: string }): (AgentDraft & { userName: string }) | undefined {
  const { language, private: isPrivate, enabled, name, category, knowledge, avatar } = form
  if (language === undefined || isPrivate === undefined || enabled === undefined) return undefined
  if (missingGeneral(form).length > 0 || missingData(form).length > 0) return undefined
  const own = toDraftTexts({ ...form, language })
  return {
    ...(id === undefined ? {} : { _id: id }),
    name: name.trim(),
    ...own,
    category,
    knowledge,
    profileImage: avatar,
    private: isPrivate,
    enabled,
    userName,
    languages: [own, ...form.translations.filter(isBegun).map(toDraftTexts)],
  }
}

const toDraftTexts = ({ language, role, about, prompt, greeting }: FormTexts) => ({
  language,
  role: role.trim(),
  about: about.trim(),
  prompt: prompt.trim(),
  defaultGreetings: greeting.trim(),
})
