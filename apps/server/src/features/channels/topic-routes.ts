import { topicRoutes } from '@parley/contract/topics'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { TopicService } from './topic-service'

export function registerTopicRoutes(app: FastifyInstance, topics: TopicService): void {
  const person = { permission: 'person' } as const

  handle(app, topicRoutes.open, { ...person, keepsAnyText: true }, ({ person: { userId }, body }) =>
    topics.open(userId, body),
  )
  handle(app, topicRoutes.get, person, ({ person: { userId }, params }) => topics.get(userId, params.id))
  handle(app, topicRoutes.list, person, ({ person: { userId }, params }) => topics.list(userId, params))
}
