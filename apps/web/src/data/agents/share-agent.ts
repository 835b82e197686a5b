import { agentPath } from '@parley/contract/agents'

/** The public URL of an agent. */
export const agentLink = (id: string): string => `${location.origin}${agentPath(id)}`
