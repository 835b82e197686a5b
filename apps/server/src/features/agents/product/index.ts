import { audienceAgents } from './audience-agents'
import { careerAgents } from './career-agents'
import { codeAgents } from './code-agents'
import { dataAgents } from './data-agents'
import { developerAgents } from './developer-agents'
import { householdAgents } from './household-agents'
import { ideasAgents } from './ideas-agents'
import { lifeAgents } from './life-agents'
import { parleyAgent } from './parley-agent'
import type { ProductAgent } from './product-agent'
import { researchAgents } from './research-agents'
import { studyAgents } from './study-agents'
import { workAgents } from './work-agents'
import { writingAgents } from './writing-agents'

/** The team's agents, in the order of their list. */
export const productAgents: readonly ProductAgent[] = [
  parleyAgent,
  ...writingAgents,
  ...codeAgents,
  ...workAgents,
  ...dataAgents,
  ...studyAgents,
  ...lifeAgents,
  ...audienceAgents,
  ...careerAgents,
  ...developerAgents,
  ...researchAgents,
  ...householdAgents,
  ...ideasAgents,
]
