import { type AgentLanguage, agentTexts } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { Db } from '../../db/client'
import { greetingOf } from './agent-json'
import { findForChat, languageOfPerson, type Viewer } from './agent-store'
import { isPossibleId } from './agent-texts'
import { knowledgeFor } from './knowledge-passages'

/** What the model is told of an agent. It leaves the server towards the model alone. */
export type AgentBrief = { name: string; language: AgentLanguage; role: string; prompt: string; knowledge: string }

/** Of an agent that is still being written, what shapes the answer to this question. */
export function briefOfDraft(draft: AgentBrief, question: string): AgentBrief {
  return { ...draft, knowledge: knowledgeFor(draft.knowledge, question, limits.agents.knowledgeInContext) }
}

/** Agents as chats have them. */
export class AgentChatService {
  constructor(private readonly deps: { db: Db }) {}

  /**
   * What shapes an answer to this person, in their language where the agent has it. Of its knowledge, what fits beside a chat: the passages nearest to the
   * question. Throws agent.unavailable for one that is not there, is switched off, or is private to somebody else.
   */
  async brief(viewer: Viewer, id: string, { language, question }: { language: string | undefined; question: string }): Promise<AgentBrief> {
    const row = isPossibleId(id) ? await findForChat(this.deps.db, viewer, id) : undefined
    const [own] = row?.texts ?? []
    if (!row || !own) throw new AppError('agent.unavailable')
    const texts = agentTexts({ ...own, languages: row.texts }, language ?? '')
    const prompt = row.prompts[texts.language] ?? row.prompts[own.language] ?? ''
    return {
      name: row.name,
      language: texts.language,
      role: texts.role,
      prompt,
      knowledge: knowledgeFor(row.knowledge, question, limits.agents.knowledgeInContext),
    }
  }

  /** What an agent says first to this person, in the language of their account; undefined without an agent, or where it may not be chatted with. */
  async greeting(id: string | null, userId: string): Promise<string | undefined> {
    const { db } = this.deps
    const row = id !== null && isPossibleId(id) ? await findForChat(db, userId, id) : undefined
    const [own] = row?.texts ?? []
    if (!row || !own) return undefined
    return greetingOf(row, agentTexts({ ...own, languages: row.texts }, (await languageOfPerson(db, userId)) ?? ''))
  }
}
