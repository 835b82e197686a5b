import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../../plugins/logging'
import { Secrets } from '../../secrets'
import { redisUrl } from '../../testing/chat-setups'
import { startTcpProxy } from '../../testing/tcp-proxy'
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

describe.skipIf(!redisUrl)('a node that starts while Redis is away (needs TEST_REDIS_URL)', () => {
  it('goes on alone, and joins the others when Redis comes', async () => {
    const other = await createBus({ redisUrl, secrets, log })
    onTestFinished(() => other.close())
    const { hostname: host, port } = new URL(redisUrl ?? '')
    const wire = await startTcpProxy({ host, port: Number(port || 6379) })
    wire.cut()
    const bus = await createBus({ redisUrl: `redis://127.0.0.1:${wire.port}`, secrets, log })
    onTestFinished(() => bus.close())
    const [topic, heard]: [string, string[]] = [`test:${randomUUID()}`, []]
    await bus.subscribe(topic, (message) => heard.push(message))
    expect(await bus.healthy()).toBe(false)
    await bus.publish(topic, 'to itself')
    expect(heard).toEqual(['to itself'])
    wire.mend()
    await expect.poll(() => bus.healthy()).toBe(true)
    await expect
      .poll(async () => {
        await other.publish(topic, 'from another')
        return heard
      })
      .toContain('from another')
  })
})
