import { summaryRoutes } from '@parley/contract/summaries'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { SummaryService } from './summary-service'

export function registerSummaryRoutes(app: FastifyInstance, summaries: SummaryService): void {
  const person = { permission: 'person' } as const

  handle(app, summaryRoutes.list, person, async ({ person: { userId: actorId }, params: { id: channelId } }) => ({
    summaries: await summaries.list({ actorId, channelId }),
  }))
  handle(
    app,
    summaryRoutes.add,
    { ...person, keepsAnyText: true },
    ({ person: { userId: actorId }, params: { id: channelId }, body }) =>
      summaries.add({ actorId, channelId }, body.summaries),
  )
  handle(
    app,
    summaryRoutes.change,
    { ...person, keepsAnyText: true },
    ({ person: { userId: actorId }, params: { id: channelId, summaryId }, body }) =>
      summaries.change({ actorId, channelId, id: summaryId }, body),
  )
}
