import { type AgentLanguage, agentTexts } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Db } from '../../../db/client'
import { greetingOf } from '../agent-json'
import { findForChat, isForChat, languageOfPerson, type Viewer } from '../agent-store'
import { isStorableId } from '../agent-texts'
import { knowledgeFor } from '../knowledge-passages'

/** What the system prompt says of an agent. Only the model receives it. */
export type AgentBrief = { name: string; language: AgentLanguage; role: string; prompt: string; knowledge: string }

/** The brief of an agent that is still a draft, with the passages of its knowledge nearest to the question. */
export function briefOfDraft(draft: AgentBrief, question: string): AgentBrief {
  return { ...draft, knowledge: knowledgeFor(draft.knowledge, question, serverLimits.agents.knowledgeInContext) }
}

/** What a chat needs of agents. */
export class AgentBriefs {
  constructor(private readonly deps: { db: Db }) {}

  /**
   * In the person's language where the agent has it, with the passages of its knowledge nearest to the question. Throws
   * agent.unavailable for an agent that does not exist, is switched off, or is private to somebody else.
   */
  async brief(
    viewer: Viewer,
    id: string,
    { language, question }: { language: string | undefined; question: string },
  ): Promise<AgentBrief> {
    const row = isStorableId(id) ? await findForChat(this.deps.db, viewer, id) : undefined
    const [own] = row?.texts ?? []
    if (!row || !own) throw new AppError('agent.unavailable')
    const texts = agentTexts({ ...own, languages: row.texts }, language ?? '')
    const prompt = row.prompts[texts.language] ?? row.prompts[own.language] ?? ''
    return {
      name: row.name,
      language: texts.language,
      role: texts.role,
      prompt,
      knowledge: knowledgeFor(row.knowledge, question, serverLimits.agents.knowledgeInContext),
    }
  }

  /** Throws agent.unavailable, as `brief`. */
  async requireAvailable(db: Db, viewer: Viewer, id: string): Promise<void> {
    if (!(isStorableId(id) && (await isForChat(db, viewer, id)))) throw new AppError('agent.unavailable')
  }

  /** In the language of the person's account. Undefined without an agent, or where the person may not chat with it. */
  async greeting(id: string | null, userId: string): Promise<string | undefined> {
    const { db } = this.deps
    const row = id !== null && isStorableId(id) ? await findForChat(db, userId, id) : undefined
    const [own] = row?.texts ?? []
    if (!row || !own) return undefined
    return greetingOf(row, agentTexts({ ...own, languages: row.texts }, (await languageOfPerson(db, userId)) ?? ''))
  }
}
