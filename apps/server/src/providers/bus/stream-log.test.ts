import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Secrets } from '../../secrets'
import { startTcpProxy } from '../../testing/tcp-proxy'
import type { Bus, LogEntry } from './bus'
import { createBus } from './create-bus'
import { FencedError, MemoryStreamLog } from './memory-stream-log'
import { LogCipher } from './stream-log-cipher'

const redisUrl = process.env.TEST_REDIS_URL
const secrets = new Secrets(['a secret of the bus tests, long enough'])
const buses = ['memory', ...(redisUrl ? ['redis'] : [])] as const

async function node(kind: string): Promise<Bus> {
  const bus = await createBus({
    redisUrl: kind === 'redis' ? redisUrl : undefined,
    secrets,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(() => bus.close())
  return bus
}

const entry = (seq: number, frame = `frame ${seq}`): LogEntry => ({ seq, frame })

async function readAll(bus: Bus, id: string, afterSeq = 0): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  for await (const batch of bus.log.read(id, afterSeq, new AbortController().signal)) entries.push(...batch)
  return entries
}

describe.each(buses)('a log in %s', (kind) => {
  it('gives each reader what follows its place, until the end', async () => {
    const bus = await node(kind)
    const id = randomUUID()
    expect(await bus.log.lastSeq(id)).toBe(0)
    expect(await readAll(bus, id)).toEqual([])
    await bus.log.append(id, entry(1))
    const readers = [readAll(bus, id), readAll(bus, id, 2)]
    for (const seq of [2, 3, 4]) await bus.log.append(id, entry(seq))
    await bus.log.finish(id)
    expect(await Promise.all(readers)).toEqual([[1, 2, 3, 4].map((seq) => entry(seq)), [entry(3), entry(4)]])
    expect(await bus.log.lastSeq(id)).toBe(4)
    expect(await readAll(bus, id, 4)).toEqual([])
  })

  it('refuses what is not newer than its last entry', async () => {
    const bus = await node(kind)
    const id = randomUUID()
    await bus.log.append(id, entry(1))
    await bus.log.append(id, entry(2))
    await expect(bus.log.append(id, entry(2))).rejects.toThrow(FencedError)
    await bus.log.finish(id)
    await expect(bus.log.append(id, entry(3))).rejects.toThrow()
  })

  it('takes nothing more from its writer once it is sealed, and ends behind what it has', async () => {
    const bus = await node(kind)
    const id = randomUUID()
    for (const seq of [1, 2]) await bus.log.append(id, entry(seq))
    expect(await bus.log.seal(id)).toEqual([entry(1), entry(2)])
    await expect(bus.log.append(id, entry(3))).rejects.toThrow(FencedError)
    await bus.log.end(id, (seq) => `the end, ${seq}`)
    await bus.log.end(id, () => 'twice')
    expect(await readAll(bus, id)).toEqual([entry(1), entry(2), entry(3, 'the end, 3')])
    expect(await readAll(bus, id, 7)).toEqual([])
  })

  it('forgets what it is told to, on every node', async () => {
    const [bus, other] = [await node(kind), await node(kind)]
    const id = randomUUID()
    await bus.log.append(id, entry(1))
    await bus.log.finish(id)
    await bus.log.remove(id)
    expect(await readAll(bus, id)).toEqual([])
    expect(await readAll(other, id)).toEqual([])
  })

  it('gives a snapshot instead of what it stands for', async () => {
    const bus = await node(kind)
    const id = randomUUID()
    for (const seq of [1, 2, 3]) await bus.log.append(id, entry(seq))
    await bus.log.compact(id, entry(3, 'snapshot'))
    await bus.log.append(id, entry(4))
    await bus.log.finish(id)
    expect(await readAll(bus, id)).toEqual([entry(3, 'snapshot'), entry(4)])
    expect(await readAll(bus, id, 3)).toEqual([entry(4)])
  })

  it('lets a reader go that gives up', async () => {
    const bus = await node(kind)
    const id = randomUUID()
    await bus.log.append(id, entry(1))
    const controller = new AbortController()
    const seen: LogEntry[] = []
    for await (const batch of bus.log.read(id, 0, controller.signal)) {
      seen.push(...batch)
      controller.abort()
    }
    expect(seen).toEqual([entry(1)])
  })

  it('counts within a window, for each key by itself', async () => {
    const bus = await node(kind)
    const key = randomUUID()
    expect(await bus.count(key, 60_000)).toMatchObject({ count: 1 })
    const second = await bus.count(key, 60_000)
    expect(second.count).toBe(2)
    expect(second.resetMs).toBeGreaterThan(50_000)
    expect(second.resetMs).toBeLessThanOrEqual(60_000)
    expect(await bus.count(randomUUID(), 60_000)).toMatchObject({ count: 1 })
    await bus.count(`${key}-short`, 1)
    await expect.poll(async () => (await bus.count(`${key}-short`, 1)).count).toBe(1)
  })

  it('tells every listener of a topic, once', async () => {
    const bus = await node(kind)
    const topic = randomUUID()
    const heard: string[] = []
    const stop = await bus.subscribe(topic, (message) => heard.push(message))
    await bus.subscribe(topic, (message) => heard.push(`too: ${message}`))
    await bus.publish(topic, 'hello world')
    await expect.poll(() => heard).toEqual(['hello world', 'too: hello world'])
    await stop()
    await bus.publish(topic, 'again')
    await expect.poll(() => heard).toEqual(['hello world', 'too: hello world', 'too: again'])
  })
})

describe.skipIf(!redisUrl)('a log in Redis that two nodes know (needs TEST_REDIS_URL)', () => {
  it('is read on the other node as it grows, snapshots included', async () => {
    const [writer, reader] = [await node('redis'), await node('redis')]
    const id = randomUUID()
    await writer.log.append(id, entry(1))
    await expect.poll(() => reader.log.lastSeq(id)).toBe(1)
    const reading = readAll(reader, id)
    for (let seq = 2; seq <= 200; seq++) {
      await writer.log.append(id, entry(seq))
      if (seq === 100) await writer.log.compact(id, entry(seq, 'snapshot'))
    }
    await writer.log.finish(id)
    const seen = (await reading).map(({ seq }) => seq)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(seen.at(-1)).toBe(200)
    const late = await readAll(reader, id)
    expect(late[0]).toEqual(entry(100, 'snapshot'))
    expect(late).toHaveLength(101)
  })

  it("keeps out a node whose answer was taken over, and its readers see the other one's end", async () => {
    const [zombie, reaper] = [await node('redis'), await node('redis')]
    const id = randomUUID()
    await zombie.log.append(id, entry(1))
    expect(await reaper.log.seal(id)).toEqual([entry(1)])
    await reaper.log.end(id, () => 'interrupted')
    const late = async (): Promise<string> => {
      // Appending does not wait for Redis: the reply comes with one of the next entries.
      const giveUpAt = Date.now() + 10_000
      for (let seq = 2; Date.now() < giveUpAt; seq++) {
        try {
          await zombie.log.append(id, entry(seq, 'too late'))
        } catch (error) {
          return error instanceof FencedError ? 'fenced' : String(error)
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
      return 'written'
    }
    expect(await late()).toBe('fenced')
    await zombie.log.finish(id)
    for (const bus of [zombie, reaper]) expect(await readAll(bus, id)).toEqual([entry(1), entry(2, 'interrupted')])
  })
})

describe.skipIf(!redisUrl)('a node that Redis does not hear for a while (needs TEST_REDIS_URL)', () => {
  /** A node whose way to Redis can be cut, and one that reads there. */
  async function wiredNode() {
    const { hostname, port } = new URL(redisUrl ?? '')
    const wire = await startTcpProxy({ host: hostname, port: Number(port || 6379) })
    const wired = await createBus({
      redisUrl: `redis://127.0.0.1:${wire.port}`,
      secrets,
      log: pino({ level: 'silent' }),
    })
    onTestFinished(() => wired.close())
    return { wire, wired, other: await node('redis') }
  }

  it('writes nothing of what it has gathered behind the end that another one wrote meanwhile', async () => {
    const { wire, wired, other } = await wiredNode()
    const id = randomUUID()
    await wired.log.append(id, entry(1))
    wire.cut()
    for (let seq = 2; seq <= 20; seq++) await wired.log.append(id, entry(seq, 'too late'))
    expect(await other.log.seal(id)).toEqual([entry(1)])
    await other.log.end(id, () => 'interrupted')
    wire.mend()
    let seq = 21
    await expect
      .poll(() => wired.log.append(id, entry(seq++, 'too late')).then(String, (error: Error) => error.name))
      .toBe('FencedError')
    await wired.log.finish(id)
    for (const bus of [wired, other]) expect(await readAll(bus, id)).toEqual([entry(1), entry(2, 'interrupted')])
  })

  it('does not begin a log that Redis has lost behind the back of whoever took it over', async () => {
    const { wire, wired, other } = await wiredNode()
    const id = randomUUID()
    wire.cut()
    await wired.log.append(id, entry(1))
    expect(await other.log.seal(id)).toEqual([])
    await other.log.end(id, () => 'interrupted')
    wire.mend()
    let seq = 2
    await expect
      .poll(() => wired.log.append(id, entry(seq++)).then(String, (error: Error) => error.name))
      .toBe('FencedError')
    expect(await readAll(other, id)).toEqual([entry(1, 'interrupted')])
  })

  it('brings all of it when the way is free again, snapshots included', async () => {
    const { wire, wired, other } = await wiredNode()
    const id = randomUUID()
    for (const seq of [1, 2]) await wired.log.append(id, entry(seq))
    wire.cut()
    for (const seq of [3, 4, 5]) await wired.log.append(id, entry(seq))
    await wired.log.compact(id, entry(5, 'snapshot'))
    await wired.log.append(id, entry(6))
    await wired.log.finish(id)
    wire.mend()
    await expect.poll(() => other.log.lastSeq(id)).toBe(6)
    expect(await readAll(other, id)).toEqual([entry(5, 'snapshot'), entry(6)])
  })
})

describe.skipIf(!redisUrl)('a finished log in Redis (needs TEST_REDIS_URL)', () => {
  it('is kept there alone', async () => {
    const bus = await node('redis')
    const id = randomUUID()
    for (const seq of [1, 2]) await bus.log.append(id, entry(seq))
    await bus.log.finish(id)
    const { createClient } = await import('redis')
    const redis = await createClient({ url: redisUrl ?? '' }).connect()
    onTestFinished(() => redis.destroy())
    await expect.poll(async () => (await redis.xRange(`parley:gen:${id}`, '-', '+'))?.length).toBe(3)
    expect(await readAll(bus, id)).toEqual([entry(1), entry(2)])
    await redis.del(`parley:gen:${id}`)
    expect(await readAll(bus, id)).toEqual([])
  })
})

describe('finished logs in memory', () => {
  it('are kept as long as there is room for them, the oldest going first', async () => {
    const log = new MemoryStreamLog(5_000)
    onTestFinished(() => log.close())
    const ids = ['a', 'b', 'c', 'd']
    for (const id of ids) {
      await log.append(id, entry(1, 'x'.repeat(1_000)))
      await log.finish(id)
    }
    expect(ids.filter((id) => log.has(id))).toEqual(['c', 'd'])
    await log.append('large', entry(1, 'x'.repeat(10_000)))
    await log.finish('large')
    expect(ids.filter((id) => log.has(id))).toEqual([])
    expect(log.has('large')).toBe(true)
  })
})

describe('a sealed entry', () => {
  it('opens in its own place and with its own secret only', () => {
    const cipher = new LogCipher(secrets)
    const sealed = cipher.seal('a', entry(1, 'words'))
    expect(sealed).not.toContain('words')
    expect(cipher.open('a', 1, sealed)).toEqual(entry(1, 'words'))
    expect(() => cipher.open('b', 1, sealed)).toThrow()
    expect(() => cipher.open('a', 2, sealed)).toThrow()
    expect(() => new LogCipher(new Secrets(['another secret'])).open('a', 1, sealed)).toThrow()
  })
})
