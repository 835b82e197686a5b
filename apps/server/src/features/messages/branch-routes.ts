import { branchRoutes } from '@parley/contract/branches'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { BranchCopyService } from './branch-copy'
import type { BranchService } from './branch-service'

type Services = { branches: BranchService; copies: BranchCopyService }

export function registerBranchRoutes(app: FastifyInstance, { branches, copies }: Services): void {
  const person = { permission: 'person' } as const

  handle(app, branchRoutes.show, person, ({ person: { userId: actorId }, params: { id: channelId }, body }) =>
    branches.show({ actorId, channelId, ...body }),
  )
  handle(app, branchRoutes.branch, person, ({ person: { userId: actorId }, params: { id: channelId }, body }) =>
    copies.copy({ actorId, channelId, ...body }),
  )
  handle(app, branchRoutes.remove, person, ({ person: { userId: actorId }, params: { id: channelId, mId } }) =>
    branches.remove({ actorId, channelId, mId }),
  )
  handle(app, branchRoutes.outline, person, async ({ person: { userId: actorId }, params: { id: channelId } }) => ({
    entries: await branches.outline({ actorId, channelId }),
  }))
  handle(app, branchRoutes.pin, person, ({ person: { userId: actorId }, params: { channelId, id: mId }, body }) =>
    branches.setPinned({ actorId, channelId, mId, ...body }),
  )
}
