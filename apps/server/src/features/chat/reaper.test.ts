import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Db } from '../../db/client'
import { Scheduler } from '../../db/scheduler'
import { generations } from '../../db/schema/chat'
import { MemoryBus } from '../../providers/bus/memory-bus'
import { databases } from '../../testing/build-test-app'
import { emptyTables, testDatabase } from '../../testing/test-databases'
import { createReaper } from './reaper'

const node = 'this node'
const { heartbeatMs, leaseMs, reapEveryMs } = serverLimits.chat

/** A reaper whose time and database are driven by the test. Its answers belong to nobody who pays. */
async function aReaper(living: string[] = []) {
  const { db } = await testDatabase(databases[0] ?? 'pglite')
  await emptyTables(db)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const bus = new MemoryBus(pino({ level: 'silent' }))
  onTestFinished(() => bus.close())
  let isAway = false
  let contacts = 0
  const reached = new Proxy(db, {
    get(target, name) {
      if (name !== 'transaction' && name !== 'execute') return Reflect.get(target, name)
      const ask = Reflect.get(target, name).bind(target) as unknown as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        try {
          if (isAway) throw new Error('the database is away')
          return await ask(...args)
        } finally {
          contacts++
        }
      }
    },
  })
  const answer = async (owner: string): Promise<string> => {
    const messageId = uuidv7()
    const row = {
      subject: 'anon:someone',
      requestHash: 'h',
      status: 'running',
      owner,
      storageMode: 'local',
      model: 'm',
    } as const
    await db.insert(generations).values({ ...row, messageId, heartbeatAt: new Date() })
    return messageId
  }
  const start = (): void => {
    const nobody = {} as Pick<Parameters<typeof createReaper>[0], 'channelEvents' | 'charges'>
    const deps = {
      db: reached,
      bus,
      log: pino({ level: 'silent' }),
      nodeId: node,
      now: () => Date.now(),
      activeIds: () => living,
      isOnlyNode: false,
    }
    const reap = createReaper({ ...nobody, ...deps })
    const scheduler = new Scheduler({ db, node, log: deps.log, now: deps.now })
    scheduler.everyOnThisNode('chat.reap', { everyMs: reapEveryMs, run: reap })
    onTestFinished(() => scheduler.stop())
    void reap()
  }
  return {
    db,
    start,
    answer,
    setAway: (away: boolean) => (isAway = away),
    /** Time passes; resolves when the reaper has done what it does then. */
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= reapEveryMs) {
        const before = contacts
        vi.advanceTimersByTime(Math.min(left, reapEveryMs))
        await expect.poll(() => contacts).toBeGreaterThan(before)
        // Its query is behind it; what follows from it is not.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    beat: (messageId: string) =>
      db.update(generations).set({ heartbeatAt: new Date() }).where(eq(generations.messageId, messageId)),
    statusOf: (messageId: string) => statusOf(db, messageId),
  }
}

async function statusOf(db: Db, messageId: string): Promise<string | undefined> {
  return (await db.select().from(generations).where(eq(generations.messageId, messageId)))[0]?.status
}

it('ends the answers of a node that is silent, and none that its own node is writing', async () => {
  const living: string[] = []
  const { start, answer, pass, statusOf: status } = await aReaper(living)
  const own = await answer(node)
  living.push(own)
  const [dead, givenUp] = [await answer('another node'), await answer(node)]
  start()
  await pass(leaseMs + 2 * reapEveryMs)
  await expect.poll(() => status(dead)).toBe('interrupted')
  await expect.poll(() => status(givenUp)).toBe('interrupted')
  expect(await status(own)).toBe('running')
})

it('takes no answer for dead whose heartbeat could not be stored while the database was away', async () => {
  const { start, answer, pass, beat, setAway, statusOf: status } = await aReaper()
  const [living, dead] = [await answer('a living node'), await answer('a dead node')]
  start()
  await pass(reapEveryMs)
  setAway(true)
  await pass(leaseMs)
  setAway(false)
  // The reaper may be back before the heart.
  await pass(reapEveryMs)
  expect(await status(living)).toBe('running')
  await beat(living)
  await pass(2 * heartbeatMs + reapEveryMs)
  await expect.poll(() => status(dead)).toBe('interrupted')
  expect(await status(living)).toBe('running')
})
