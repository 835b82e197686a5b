import type { SeenAgent } from '@parley/contract/agents'
import { webLimits } from '@parley/contract/limits/web'
import { createHabits } from '../session/habits'
import { type StoredAgent, storeAgent } from './stored-agents'

const habits = createHabits('agent-habits', webLimits.agents.recent)

/** The agents that this person used most recently, and favourites, by id. */
export const { useHabits: useAgentHabits, refresh: refreshAgentHabits, noteUse: noteAgentUse } = habits

export function toggleFavoriteAgent(agent: SeenAgent | StoredAgent): void {
  // Stores the agent on the device: the picker shows a favourite that it has not fetched in a list.
  if (habits.toggleFavorite(agent._id)) storeAgent(agent).catch(() => undefined)
}
