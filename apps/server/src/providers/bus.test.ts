import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../plugins/logging'
import { Secrets } from '../secrets'
import { redisUrl } from '../testing/chat-setups'
import { createBus } from './create-bus'

const log = createLogger({ level: 'silent' })
const secrets = new Secrets([randomUUID().repeat(2)])

describe.each(redisUrl ? ['memory', 'redis'] : ['memory'])('the bus in %s', (kind) => {
  const open = async () => {
    const bus = await createBus({ redisUrl: kind === 'redis' ? redisUrl : undefined, secrets, log })
    onTestFinished(() => bus.close())
    return bus
  }

  it('brings every message to every listener, whatever another one makes of it', async () => {
    const sender = await open()
    const bus = kind === 'redis' ? await open() : sender
    const topic = `test:${randomUUID()}`
    const heard: string[] = []
    await bus.subscribe(topic, () => {
      throw new Error('a kind of a later version')
    })
    await bus.subscribe(topic, (message) => heard.push(message))
    await Promise.all(['one', 'two', 'three'].map((message) => sender.publish(topic, message)))
    await expect.poll(() => heard).toEqual(['one', 'two', 'three'])
  })
})
