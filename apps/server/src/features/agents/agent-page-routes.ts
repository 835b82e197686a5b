import type { Agent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { pages } from '@parley/contract/pages'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { requestLanguage } from '../../plugins/errors'
import type { AgentService } from './agent-service'
import { facePng } from './faces'

const Params = z.object({ assistantId: z.string() })

/**
 * The app's page of a shared agent, with the agent's name, role and picture for whoever shows a link to it. Everybody gets
 * what a stranger may see, also the owner: a page may be kept on its way. Of any other agent it is the app's page alone.
 */
export function registerAgentPage(app: FastifyInstance, agents: AgentService, { publicUrl }: { publicUrl: string }): void {
  const path = pages.assistant.replace('$', ':')
  const options = { schema: { hide: true }, config: { rateLimit: { max: limits.agents.facesPerMinute } } }
  app.get(path, options, async (request, reply) => {
    const { assistantId } = z.parse(Params, request.params)
    const agent = await shared(agents, assistantId).catch((error: unknown) => {
      // The app says by itself what is wrong, once it runs.
      request.log.warn({ err: error }, 'a shared agent could not be read for its page')
      return undefined
    })
    const page = agent && app.appPage(headOf(agent, { publicUrl, language: requestLanguage(request) }))
    reply.header('cache-control', 'no-cache').header('vary', 'accept-language')
    if (page === undefined) return reply.header('x-robots-tag', 'noindex').callNotFound()
    return reply.type('text/html; charset=utf-8').send(page)
  })
}

async function shared(agents: AgentService, id: string): Promise<Agent | undefined> {
  try {
    const agent = await agents.get(undefined, id)
    return agent.private || !agent.enabled ? undefined : agent
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  }
}

function headOf(agent: Agent, { publicUrl, language }: { publicUrl: string; language: string | undefined }) {
  const { role, about } = agent.languages.find((texts) => texts.language === language?.slice(0, 2)) ?? agent
  const description = `${role}. ${about}`.replace(/\s+/g, ' ').replace('..', '.').trim()
  return {
    title: agent.name,
    description: cut(description, limits.agents.maxLinkDescription),
    address: `${publicUrl}/assistant/${encodeURIComponent(agent._id)}`,
    image: new URL(facePng(agent.profileImage), publicUrl).href,
  }
}

/** At the end of a word. */
const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most).replace(/\s+\S*$/, '')}…`)
