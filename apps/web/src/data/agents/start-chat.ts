import { noteAgentUse } from './agent-habits'
import { type ChosenAgent, chooseAgent } from './chosen-agent'

/**
 * Makes the next question start a new chat with this agent. The caller navigates to /app without a channel, which shows
 * the agent's greeting.
 */
export function startChatWith(agent: ChosenAgent): void {
  chooseAgent(agent)
  noteAgentUse(agent._id)
}
