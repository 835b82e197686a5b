// The routes of agent lists with responses that accept the spellings of other servers and normalise them to ours.
import { AgentPage, agentRoutes } from '@parley/contract/agents'
import * as z from 'zod/mini'

/** Spellings of search indexes and older servers, and ours for each. */
const spellings: Record<string, string> = {
  id: '_id',
  objectID: '_id',
  profile_image: 'profileImage',
  default_greetings: 'defaultGreetings',
  user_price: 'userPrice',
  user_name: 'userName',
  user_id: 'userId',
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withOneSpelling(agent: unknown): unknown {
  if (!isRecord(agent)) return agent
  const renamed = Object.entries(agent).flatMap(([key, value]) =>
    spellings[key] === undefined ? [] : [[spellings[key], value]],
  )
  // Where an answer has both spellings, ours wins.
  return { ...Object.fromEntries(renamed), ...agent }
}

function normalised(answer: unknown): unknown {
  if (!isRecord(answer)) return answer
  const listed = answer.assistants ?? answer.items
  return Array.isArray(listed) ? { ...answer, assistants: listed.map(withOneSpelling) } : answer
}

const response = z.pipe(z.transform(normalised), AgentPage)

export const agentLists = {
  community: { ...agentRoutes.community, response },
  mine: { ...agentRoutes.mine, response },
  product: { ...agentRoutes.product, response },
  ofCreator: { ...agentRoutes.ofCreator, response },
}
