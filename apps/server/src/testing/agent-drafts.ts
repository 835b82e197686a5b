import type { AgentDraft, OwnAgent } from '@parley/contract/agents'
import type { Client } from './person'

/** What the wizard sends, with a prompt that is easy to find again. */
export const secretPrompt = 'CANARY-PROMPT: you know everything about lighthouses.'
export const secretKnowledge = 'CANARY-KNOWLEDGE: the lamp of Point Vermilion turns every nine seconds.'

export const aDraft = (fields: Partial<AgentDraft> = {}): AgentDraft => ({
  name: 'Lighthouse keeper',
  language: 'en',
  role: 'Knows the coast',
  about: 'Answers questions about lamps, storms and ships.',
  prompt: secretPrompt,
  knowledge: secretKnowledge,
  profileImage: '/api/faces/keeper.svg',
  private: false,
  enabled: true,
  ...fields,
})

/** Makes an agent as this person. */
export async function anAgent(person: Client, fields: Partial<AgentDraft> = {}): Promise<OwnAgent> {
  const { status, body } = await person.post('/v1/assistants', aDraft(fields))
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as OwnAgent
}
