import type { Agent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { pages } from '@parley/contract/pages'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { requestLanguage } from '../../plugins/errors'
import type { AgentService } from './agent-service'
import { facePng } from './faces'

const Params = z.object({ assistantId: z.string() })

/**
 * The app's page of a public agent, with its name, role and picture in the head for link previews. Its owner gets the
 * same page as everybody, because a proxy may cache it. Other agents get the plain page of the app.
 */
export function registerAgentPage(
  app: FastifyInstance,
  agents: AgentService,
  { publicUrl }: { publicUrl: string },
): void {
  const path = pages.assistant.replace('$', ':')
  const options = { schema: { hide: true }, config: { rateLimit: { max: serverLimits.agents.facesPerMinute } } }
  app.get(path, options, async (request, reply) => {
    const { assistantId } = z.parse(Params, request.params)
    const agent = await sharedAgent(agents, assistantId).catch((error: unknown) => {
      // The app shows the error itself once it runs.
      request.log.warn({ err: error }, 'a shared agent could not be read for its page')
      return undefined
    })
    const page = agent && app.appPage(reply, headOf(agent, { publicUrl, language: requestLanguage(request) }))
    reply.header('cache-control', 'no-cache').header('vary', 'accept-language')
    if (page === undefined) return reply.header('x-robots-tag', 'noindex').callNotFound()
    return reply.type('text/html; charset=utf-8').send(page)
  })
}

async function sharedAgent(agents: AgentService, id: string): Promise<Agent | undefined> {
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
    description: truncate(description, serverLimits.agents.maxLinkDescription),
    address: `${publicUrl}/assistant/${encodeURIComponent(agent._id)}`,
    image: new URL(facePng(agent.profileImage), publicUrl).href,
  }
}

/** Truncates at the end of a word. */
const truncate = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/\s+\S*$/, '')}…`
