import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from './bus'
import { MemoryBus } from './memory-bus'
import { RedisBus } from './redis-bus'

type Options = { redisUrl: string | undefined; secret: string; log: FastifyBaseLogger }

export async function createBus({ redisUrl, secret, log }: Options): Promise<Bus> {
  return redisUrl === undefined ? new MemoryBus() : RedisBus.connect(redisUrl, secret, log)
}
