import multipart from '@fastify/multipart'
import { agentFileRoutes } from '@parley/contract/agent-files'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { AgentFileService } from './agent-file-service'
import { documentOf, formBytes, formLimits } from './document-form'

const person = { permission: 'person' } as const

export async function registerAgentFileRoutes(app: FastifyInstance, files: AgentFileService): Promise<void> {
  handle(app, agentFileRoutes.list, person, ({ person: { userId }, query }) =>
    files.ofAgent(userId, query.assistant_id),
  )
  handle(app, agentFileRoutes.read, person, ({ person: { userId: ownerId }, params }) =>
    files.get({ ownerId, sourceId: params.id }),
  )
  handle(app, agentFileRoutes.retry, person, ({ person: { userId: ownerId }, params }) =>
    files.retry({ ownerId, sourceId: params.id }),
  )
  handle(app, agentFileRoutes.remove, person, ({ person: { userId: ownerId }, params }) =>
    files.remove({ ownerId, sourceId: params.id }),
  )

  // In a scope of its own, so that no other route accepts forms.
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: formLimits })
    handle(
      scope,
      agentFileRoutes.upload,
      { ...person, bodyBytes: formBytes, perMinute: serverLimits.agents.filesPerMinute },
      async ({ person: { userId }, request }) => {
        const { name, content } = await documentOf(request)
        return files.store(userId, name, content)
      },
    )
  })
}
