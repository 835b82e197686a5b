import { noteAgentUse } from './agent-habits'
import { type ChosenAgent, chooseAgent } from './chosen-agent'

/** The next question begins a new chat with this agent. Whoever calls it goes to /app, without a channel: there it opens with the agent's greeting. */
export function startChatWith(agent: ChosenAgent): void {
  chooseAgent(agent)
  noteAgentUse(agent._id)
}
