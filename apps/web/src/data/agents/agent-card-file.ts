import { type AgentCard, agentCardFormat, agentCardVersion, readAgentCard } from '@parley/contract/agent-card'
import { agentLanguages } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { type AgentForm, emptyForm } from './agent-form'

const drawnFace = /^\/api\/faces\//

/** The card of the person's own agent, with prompt and knowledge. */
function cardOf(form: AgentForm): AgentCard {
  const { language = agentLanguages[0], role, about, prompt, greeting } = form
  const languages = [{ language, role, about, prompt, greeting }, ...form.translations]
  return {
    format: agentCardFormat,
    version: agentCardVersion,
    name: form.name,
    category: form.category,
    ...(drawnFace.test(form.avatar) ? { profileImage: form.avatar } : {}),
    knowledge: form.knowledge,
    languages: languages.map(({ greeting: defaultGreetings, ...texts }) => ({ ...texts, defaultGreetings })),
  }
}

/** A JSON file, named after the agent. */
export function cardFile(form: AgentForm): { blob: Blob; name: string } {
  const name = form.name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')
  return {
    blob: new Blob([`${JSON.stringify(cardOf(form), undefined, 2)}\n`], { type: 'application/json' }),
    name: `${name || 'agent'}.parley-agent.json`,
  }
}

/**
 * The form that a card fills, for review before it is published: who may see the agent is chosen again. Throws
 * agent.card-too-large, -invalid and -newer.
 */
export async function readCardFile(file: File): Promise<AgentForm> {
  if (file.size > webLimits.agents.maxCardBytes) throw new AppError('agent.card-too-large')
  const card = readAgentCard(await textOf(file))
  const [own, ...others] = card.languages.map(({ defaultGreetings: greeting, ...texts }) => ({ ...texts, greeting }))
  const { name, category = emptyForm.category, profileImage: avatar = '', knowledge = '' } = card
  return { ...emptyForm, ...own, name, category, avatar, knowledge, translations: others }
}

/** Throws agent.card-invalid for anything but UTF-8. */
async function textOf(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch (error) {
    throw new AppError('agent.card-invalid', { cause: error })
  }
}
