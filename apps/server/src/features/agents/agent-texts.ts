import { type AgentLanguage, agentLanguages } from '@parley/contract/agents'

/** Whether PostgreSQL can store the id; no agent has an id for which this is false. */
export const isStorableId = (id: string): boolean => !/\0|\p{Cs}/u.test(id)

/** The greeting of an agent whose creator wrote none. */
export function defaultGreeting({ name, role }: { name: string; role: string }, language: AgentLanguage): string {
  switch (language) {
    case 'en':
      return `Hi, I'm ${name}: ${role}. How can I help you?`
    case 'pt':
      return `Olá, eu sou ${name}: ${role}. Como posso ajudar?`
    case 'es':
      return `Hola, soy ${name}: ${role}. ¿En qué puedo ayudarte?`
  }
}

/** A set of languages as a bit mask. */
export function languageBits(languages: readonly AgentLanguage[]): number {
  return languages.reduce((bits, language) => bits | (1 << agentLanguages.indexOf(language)), 0)
}
