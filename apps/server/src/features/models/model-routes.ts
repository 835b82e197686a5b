import { modelRoutes } from '@parley/contract/models'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { LlmProvider } from '../../providers/llm'

export function registerModelRoutes(app: FastifyInstance, { llm }: { llm: LlmProvider }): void {
  handle(app, modelRoutes.list, { permission: 'anyone' }, async () => ({ data: await llm.models() }))
}
