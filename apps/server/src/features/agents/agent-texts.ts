import { type AgentLanguage, agentLanguages } from '@parley/contract/agents'

/** Whether the database can be asked for it at all: an id that it cannot keep is nobody's. */
export const isPossibleId = (id: string): boolean => !/\0|\p{Cs}/u.test(id)

/** How an agent opens a chat when its creator says nothing about it. */
export function madeGreeting({ name, role }: { name: string; role: string }, language: AgentLanguage): string {
  switch (language) {
    case 'en':
      return `Hi, I'm ${name}: ${role}. How can I help you?`
    case 'pt':
      return `Olá, eu sou ${name}: ${role}. Como posso ajudar?`
    case 'es':
      return `Hola, soy ${name}: ${role}. ¿En qué puedo ayudarte?`
  }
}

/** A set of languages as a number. */
export function languageBits(languages: readonly AgentLanguage[]): number {
  return languages.reduce((bits, language) => bits | (1 << agentLanguages.indexOf(language)), 0)
}
