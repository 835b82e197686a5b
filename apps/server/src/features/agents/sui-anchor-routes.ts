import { limits } from '@parley/contract/limits/shared'
import { suiAnchorRoutes } from '@parley/contract/sui-anchor'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { SuiAnchorService } from './sui-anchor-service'

/** Mounts the routes of anchors. Their rate limit bounds the requests to the chain's node. */
export function registerSuiAnchorRoutes(app: FastifyInstance, anchors: SuiAnchorService): void {
  const perMinute = limits.agents.sui.anchorsPerMinute
  handle(app, suiAnchorRoutes.list, { permission: 'anyone', perMinute }, async ({ params, request }) =>
    anchors.list((await app.people.identify(request))?.userId, params.id),
  )
  handle(app, suiAnchorRoutes.record, { permission: 'person', perMinute }, ({ person: { userId }, params, body }) =>
    anchors.record(userId, params.id, body.transaction),
  )
}
