import { serverLimits } from '@parley/contract/limits/server'
import { treeRoutes } from '@parley/contract/trees'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { TreeService } from './tree-service'

export function registerTreeRoutes(app: FastifyInstance, trees: TreeService): void {
  const person = { permission: 'person' } as const

  handle(app, treeRoutes.read, person, ({ person: { userId: actorId }, params: { id: channelId }, query }) =>
    trees.read({ actorId, channelId }, query.after),
  )
  handle(
    app,
    treeRoutes.write,
    { ...person, bodyBytes: serverLimits.cloud.importBodyBytes, keepsAnyText: true },
    ({ person: { userId: actorId }, params: { id: channelId }, body }) => trees.write({ actorId, channelId }, body),
  )
}
