import { agentPath } from '@parley/contract/agents'

/** Where everybody finds a public agent. */
export const agentLink = (id: string): string => `${location.origin}${agentPath(id)}`
