import { cleanDraft } from '@parley/contract/agent-cleaning'
import type { AgentDraft, AgentLanguage } from '@parley/contract/agents'
import { greetingOf } from './agent-json'
import type { AgentRow } from './agent-store'
import { languageBits } from './agent-texts'
import { type Finder, indexEntries, plainWords } from './agent-words'
import type { AgentRecord } from './agent-write-store'

const defaultCategory = 'Assistant'

type RecordInput = {
  id: string
  userId: string
  draft: AgentDraft
  /** The agent before the change; undefined for a new one. */
  before: (Pick<AgentRow, 'name' | 'category' | 'texts'> & { knowledge: string }) | undefined
  now: Date
}

/** The rows of a person's agent. Throws validation. */
export function agentRecord({ id, userId, draft, before, now }: RecordInput): AgentRecord {
  const { name, category, knowledge, texts } = cleanDraft(draft)
  const isDefaultGreeting = (entry: { language: AgentLanguage; role: string; defaultGreetings: string }): boolean => {
    const earlier = before?.texts.find(({ language }) => language === entry.language)
    const defaults = [
      greetingOf({ name }, { ...entry, defaultGreetings: '' }),
      ...(before && earlier ? [greetingOf(before, { ...earlier, defaultGreetings: '' })] : []),
    ]
    return defaults.includes(entry.defaultGreetings)
  }
  const publicTexts = texts.map((entry) => {
    const { language, role, about, defaultGreetings } = entry
    // The form returns the default greeting it was shown. Storing none lets it follow later changes of name and role.
    return { language, role, about, defaultGreetings: isDefaultGreeting(entry) ? '' : defaultGreetings }
  })
  const described = { name, texts: publicTexts }
  const finders: Finder[] = [
    { ownerId: userId },
    ...(draft.enabled && !draft.private ? [{ list: 'community' as const }] : []),
  ]
  return {
    row: {
      id,
      source: 'community',
      userId,
      name,
      category: category || (before?.category ?? defaultCategory),
      profileImage: draft.profileImage,
      texts: publicTexts,
      languageBits: languageBits(publicTexts.map(({ language }) => language)),
      isPrivate: draft.private,
      isEnabled: draft.enabled,
      createdAt: now,
      updatedAt: now,
    },
    secrets: {
      prompts: Object.fromEntries(texts.map(({ language, prompt }) => [language, prompt])),
      knowledge: knowledge ?? before?.knowledge ?? '',
    },
    entries: indexEntries(described, finders),
    words: plainWords(described),
  }
}
