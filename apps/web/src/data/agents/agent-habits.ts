import type { SeenAgent } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits'
import { createHabits } from '../session/habits'
import { type KeptAgent, keepAgent } from './kept-agents'

const habits = createHabits('agent-habits', limits.agents.recent)

/** Which agents this person used last and likes best, by their ids. */
export const { useHabits: useAgentHabits, refresh: refreshAgentHabits, noteUse: noteAgentUse } = habits

export function toggleFavoriteAgent(agent: SeenAgent | KeptAgent): void {
  // The picker shows it without having found it in a list.
  if (habits.toggleFavorite(agent._id)) keepAgent(agent).catch(() => undefined)
}
