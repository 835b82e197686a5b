import { contextSizeRoutes } from '@parley/contract/context-size'
import { AppError } from '@parley/contract/errors'
import { estimateTokensOf } from '@parley/contract/token-estimate'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import { handle } from '../../plugins/handle'
import type { AgentBrief, AgentBriefs } from '../agents/public/agent-briefs'
import { contextSizesBefore, costOfChannel } from '../messages/public/context-sizes'
import { systemPrompt } from './system-prompt'

type Deps = { db: Db; agents: AgentBriefs; now: () => number }

/** Mounts what a client asks to tell how full a model's window is. No text of anybody is answered. */
export function registerContextSizes(app: FastifyInstance, { db, agents, now }: Deps): void {
  handle(
    app,
    contextSizeRoutes.instructions,
    { permission: 'visitor' },
    async ({ person, query: { assistantId, language } }) => {
      const brief =
        assistantId === undefined ? undefined : await briefOf(agents, person?.userId, { assistantId, language })
      const tokensOf = (hasSources: boolean): number =>
        estimateTokensOf([{ content: systemPrompt(language, new Date(now()), { agent: brief, hasSources }) }])
      const tokens = tokensOf(false)
      return { tokens, ofSources: tokensOf(true) - tokens }
    },
  )
  handle(
    app,
    contextSizeRoutes.before,
    { permission: 'person' },
    async ({ person: { userId: actorId }, params: { id: channelId }, query }) => ({
      exchanges: await contextSizesBefore(db, { actorId, channelId, ...query }),
    }),
  )
  handle(
    app,
    contextSizeRoutes.cost,
    { permission: 'person' },
    async ({ person: { userId: actorId }, params: { id: channelId } }) => ({
      cost: await costOfChannel(db, { actorId, channelId }),
    }),
  )
}

type Agent = { assistantId: string; language: string | undefined }

/** An agent that somebody may not chat with counts as none: no question goes to it. */
async function briefOf(
  agents: AgentBriefs,
  viewer: string | undefined,
  { assistantId, language }: Agent,
): Promise<AgentBrief | undefined> {
  try {
    return await agents.brief(viewer, assistantId, { language, question: '' })
  } catch (error) {
    if (error instanceof AppError && error.code === 'agent.unavailable') return undefined
    throw error
  }
}
