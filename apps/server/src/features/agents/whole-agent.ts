import { cleanDraft } from '@parley/contract/agent-cleaning'
import type { AgentDraft, AgentLanguage } from '@parley/contract/agents'
import { greetingOf } from './agent-json'
import type { AgentRow } from './agent-store'
import { languageBits } from './agent-texts'
import { type Finder, indexEntries, plainWords } from './agent-words'
import type { WholeAgent } from './agent-write-store'

const defaultCategory = 'Assistant'

type Given = {
  id: string
  userId: string
  draft: AgentDraft
  /** What the draft changes; undefined for a new agent. */
  before: (Pick<AgentRow, 'name' | 'category' | 'texts'> & { knowledge: string }) | undefined
  now: Date
}

/** All that is kept of a person's agent. Throws validation. */
export function wholeAgent({ id, userId, draft, before, now }: Given): WholeAgent {
  const { name, category, knowledge, texts } = cleanDraft(draft)
  const isMade = (entry: { language: AgentLanguage; role: string; defaultGreetings: string }): boolean => {
    const earlier = before?.texts.find(({ language }) => language === entry.language)
    const made = [
      greetingOf({ name }, { ...entry, defaultGreetings: '' }),
      ...(before && earlier ? [greetingOf(before, { ...earlier, defaultGreetings: '' })] : []),
    ]
    return made.includes(entry.defaultGreetings)
  }
  const shown = texts.map((entry) => {
    const { language, role, about, defaultGreetings } = entry
    // One that was made of name and role comes back with the form it was shown in: it goes on following both.
    return { language, role, about, defaultGreetings: isMade(entry) ? '' : defaultGreetings }
  })
  const described = { name, texts: shown }
  const finders: Finder[] = [{ ownerId: userId }, ...(draft.enabled && !draft.private ? [{ list: 'community' as const }] : [])]
  return {
    row: {
      id,
      source: 'community',
      userId,
      name,
      category: category || (before?.category ?? defaultCategory),
      profileImage: draft.profileImage,
      texts: shown,
      languageBits: languageBits(shown.map(({ language }) => language)),
      isPrivate: draft.private,
      isEnabled: draft.enabled,
      createdAt: now,
      updatedAt: now,
    },
    secrets: { prompts: Object.fromEntries(texts.map(({ language, prompt }) => [language, prompt])), knowledge: knowledge ?? before?.knowledge ?? '' },
    entries: indexEntries(described, finders),
    words: plainWords(described),
  }
}
