import type { FastifyBaseLogger } from 'fastify'
import type { Secrets } from '../../secrets'
import type { Bus } from './bus'
import { MemoryBus } from './memory-bus'
import { RedisBus } from './redis-bus'

type Options = { redisUrl: string | undefined; secrets: Secrets; log: FastifyBaseLogger }

export async function createBus({ redisUrl, secrets, log }: Options): Promise<Bus> {
  return redisUrl === undefined ? new MemoryBus(log) : RedisBus.connect(redisUrl, secrets, log)
}
