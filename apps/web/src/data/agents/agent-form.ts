// The form of an agent: the wizard's draft, and what the edit dialog changes.
import {
  type AgentDraft,
  type AgentLanguage,
  agentLanguages,
  isOwnAgent,
  type SeenAgent,
} from '@parley/contract/agents'

/** The agent's texts in one further language. */
export type FormTexts = { language: AgentLanguage; role: string; about: string; prompt: string; greeting: string }

/** Undefined and '' mean not chosen yet. */
export type AgentForm = {
  name: string
  about: string
  role: string
  category: string
  prompt: string
  language: AgentLanguage | undefined
  knowledge: string
  /** Ids of all files of its knowledge; undefined: as they are. */
  files: readonly string[] | undefined
  /** The URL of a picture on this server. */
  avatar: string
  private: boolean | undefined
  enabled: boolean | undefined
  greeting: string
  translations: readonly FormTexts[]
}

export type FormField =
  | 'name'
  | 'about'
  | 'role'
  | 'avatar'
  | 'enabled'
  | 'private'
  | 'prompt'
  | 'language'
  | 'translations'

export const emptyForm: AgentForm = {
  name: '',
  about: '',
  role: '',
  category: 'Assistant',
  prompt: '',
  language: undefined,
  knowledge: '',
  files: undefined,
  avatar: '',
  private: undefined,
  enabled: undefined,
  greeting: '',
  translations: [],
}

/** The form of an agent; of another person's agent, its public fields. */
export function formOf(agent: SeenAgent): AgentForm {
  const own = isOwnAgent(agent)
  const translations = agent.languages
    .filter(({ language }) => language !== agent.language)
    .map(({ language, role, about, prompt = '', defaultGreetings }) => ({
      language,
      role,
      about,
      prompt,
      greeting: defaultGreetings,
    }))
  return {
    name: agent.name,
    about: agent.about,
    role: agent.role,
    category: agent.category,
    prompt: own ? agent.prompt : '',
    language: agent.language,
    knowledge: own ? agent.knowledge : '',
    files: undefined,
    avatar: agent.profileImage,
    private: agent.private,
    enabled: agent.enabled,
    greeting: agent.defaultGreetings,
    translations,
  }
}

const isBlank = (text: string): boolean => text.trim() === ''

/** The empty required fields of the first step, in their order on the screen. */
export function missingGeneral(form: AgentForm): FormField[] {
  const texts = (['avatar', 'name', 'about', 'role'] as const).filter((field) => isBlank(form[field]))
  const choices = (['enabled', 'private'] as const).filter((field) => form[field] === undefined)
  return [...texts, ...choices]
}

/** The empty required fields of the second step. */
export function missingData(form: AgentForm): FormField[] {
  return [
    ...(form.language === undefined ? (['language'] as const) : []),
    ...(isBlank(form.prompt) ? (['prompt'] as const) : []),
    ...(form.translations.some(isHalfWritten) ? (['translations'] as const) : []),
  ]
}

const needed = ['role', 'about', 'prompt'] as const

/** A translation that was begun needs every required text; an empty one is left out. */
export const isHalfWritten = (texts: FormTexts): boolean =>
  isBegun(texts) && needed.some((field) => isBlank(texts[field]))
export const isBegun = (texts: FormTexts): boolean =>
  [...needed, 'greeting' as const].some((field) => !isBlank(texts[field]))

export const isUnchanged = (form: AgentForm, before: AgentForm): boolean =>
  JSON.stringify(form) === JSON.stringify(before)

/**
 * Sets the agent's own language. Where a translation in it exists, its texts become the agent's own, and the former
 * ones a translation.
 */
export function withLanguage(form: AgentForm, language: AgentLanguage): AgentForm {
  const there = form.translations.find((texts) => texts.language === language)
  if (!there || form.language === undefined) return { ...form, language }
  const own: FormTexts = {
    language: form.language,
    role: form.role,
    about: form.about,
    prompt: form.prompt,
    greeting: form.greeting,
  }
  const { role, about, prompt, greeting } = there
  return {
    ...form,
    language,
    role,
    about,
    prompt,
    greeting,
    translations: form.translations.map((texts) => (texts === there ? own : texts)),
  }
}

export const freeLanguages = (form: AgentForm): AgentLanguage[] =>
  agentLanguages.filter(
    (language) => language !== form.language && form.translations.every((texts) => texts.language !== language),
  )

/**
 * The request body of the form; undefined while a required field is empty. `userName` is required by older servers:
 * ours uses the account's name.
 */
export function draftOf(
  form: AgentForm,
  { id, userName }: { id?: string | undefined; userName: string },
): (AgentDraft & { userName: string }) | undefined {
  const { language, private: isPrivate, enabled, name, category, knowledge, files, avatar } = form
  if (language === undefined || isPrivate === undefined || enabled === undefined) return undefined
  if (missingGeneral(form).length > 0 || missingData(form).length > 0) return undefined
  const own = toDraftTexts({ ...form, language })
  return {
    ...(id === undefined ? {} : { _id: id }),
    name: name.trim(),
    ...own,
    category,
    knowledge,
    ...(files === undefined ? {} : { knowledgeFiles: [...files] }),
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
