import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '../plugins/logging'
import { aGate } from '../testing/a-gate'
import { databases, emptyTables, testDatabase } from '../testing/test-databases'
import type { Db } from './client'
import { deleteFailedJobs, jobStates, leaseJob } from './jobs'
import { Scheduler } from './scheduler'
import { jobs } from './schema/jobs'

const log = createLogger({ level: 'fatal' })
const minuteMs = 60_000

describe.each(databases)('the scheduler on %s', (kind) => {
  let db: Db
  let now: number
  const never = (): undefined => undefined

  beforeEach(async () => {
    db = (await testDatabase(kind)).db
    await emptyTables(db)
    now = Date.parse('2026-11-01T12:00:00Z')
  })
  afterEach(() => vi.restoreAllMocks())

  function aNode(node: string, given: { db?: Db } = {}): Scheduler {
    const scheduler = new Scheduler({ db: given.db ?? db, node, log, now: () => now })
    onTestFinished(() => scheduler.stop())
    return scheduler
  }

  /** The time passes, and both look. */
  function pass(ms: number, ...nodes: Scheduler[]): void {
    now += ms
    for (const node of nodes) node.wake()
  }

  const rowOf = async (name: string) => (await db.select().from(jobs).where(eq(jobs.kind, name)))[0]

  it('lets one of all nodes do what is repeated, once a period', async () => {
    const runs: string[] = []
    const nodes = ['a', 'b'].map((name) => {
      const node = aNode(name)
      node.every('sweep', { everyMs: minuteMs, run: async () => void runs.push(name) })
      node.start()
      return node
    })
    await expect.poll(() => rowOf('sweep')).toBeDefined()
    expect(runs).toEqual([])
    for (const times of [1, 2, 3]) {
      pass(minuteMs, ...nodes)
      await expect.poll(async () => (await rowOf('sweep'))?.succeededAt?.getTime()).toBe(now)
      pass(minuteMs - 1, ...nodes)
      expect(runs).toHaveLength(times)
      now -= minuteMs - 1
    }
    for (const node of nodes) await node.stop()
    expect(runs).toHaveLength(3)
  })

  it('runs what was enqueued once, however often it was, and forgets it', async () => {
    const done: unknown[] = []
    const node = aNode('a')
    node.handle('mail', { run: async (job) => void done.push(job), retryMs: never })
    await node.enqueue({ kind: 'mail', key: 'm1', payload: { to: 'sealed' } })
    await node.enqueue({ kind: 'mail', key: 'm1', payload: { to: 'another' } })
    node.start()
    await expect.poll(() => rowOf('mail')).toBeUndefined()
    expect(done).toEqual([{ kind: 'mail', key: 'm1', payload: { to: 'sealed' }, attempts: 1 }])
  })

  it('misses no job that is enqueued while it looks: none waits for the next look', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const node = aNode('a')
    const gates = new Map<string, ReturnType<typeof aGate>>()
    node.handle('mail', { run: async ({ key }) => gates.get(key)?.open(), retryMs: never })
    node.every('sweep', { everyMs: minuteMs, run: async () => undefined })
    node.start()
    for (let count = 0; count < 100; count++) {
      const gate = aGate()
      gates.set(String(count), gate)
      await node.enqueue({ kind: 'mail', key: String(count) })
      await gate.opened
      // In any turn of the loop that looks.
      for (let turns = 0; turns < count % 7; turns++) await Promise.resolve()
    }
  })

  it('runs nothing of a transaction that was rolled back', async () => {
    const run = vi.fn(async () => undefined)
    const node = aNode('a')
    node.handle('mail', { run, retryMs: never })
    node.start()
    const rolledBack = db.transaction(async (tx) => {
      await node.enqueue({ kind: 'mail', key: 'm1' }, tx)
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await node.enqueue({ kind: 'mail', key: 'm2' })
    await expect.poll(() => run.mock.calls.length).toBe(1)
    await expect.poll(() => rowOf('mail')).toBeUndefined()
  })

  it('tries again after each back-off, gives up after the last, and keeps nothing of what it held', async () => {
    const node = aNode('a')
    const run = vi.fn(async () => {
      throw new Error('refused')
    })
    node.handle('mail', { run, retryMs: (attempts) => [minuteMs, 5 * minuteMs][attempts - 1] })
    node.start()
    await node.enqueue({ kind: 'mail', key: 'm1', payload: { to: 'sealed' } })
    await expect.poll(async () => (await rowOf('mail'))?.dueAt.getTime()).toBe(now + minuteMs)
    pass(minuteMs - 1, node)
    expect(run).toHaveBeenCalledTimes(1)
    pass(1, node)
    await expect.poll(async () => (await rowOf('mail'))?.dueAt.getTime()).toBe(now + 5 * minuteMs)
    expect(await jobStates(db)).toMatchObject([{ kind: 'mail', waiting: 1, retrying: 1, failed: 0 }])
    pass(5 * minuteMs, node)
    await expect.poll(async () => (await rowOf('mail'))?.failedAt?.getTime()).toBe(now)
    expect(await rowOf('mail')).toMatchObject({ attempts: 3, payload: {}, leasedBy: null })
    expect(await jobStates(db)).toMatchObject([{ kind: 'mail', waiting: 0, retrying: 0, failed: 1 }])
    pass(60 * minuteMs, node)
    await deleteFailedJobs(db, new Date(now))
    expect(await rowOf('mail')).toBeUndefined()
    expect(run).toHaveBeenCalledTimes(3)
  })

  it('goes on with repeated work that fails, soon at first and never later than it would be due', async () => {
    const node = aNode('a')
    const run = vi.fn(async () => {
      throw new Error('away')
    })
    node.every('sweep', { everyMs: 3_000, run })
    node.start()
    await expect.poll(() => rowOf('sweep')).toBeDefined()
    pass(3_000, node)
    for (const waits of [1_000, 2_000, 3_000, 3_000]) {
      await expect.poll(async () => (await rowOf('sweep'))?.dueAt.getTime()).toBe(now + waits)
      pass(waits, node)
    }
    await expect.poll(() => run.mock.calls.length).toBe(5)
  })

  it('hands the job of a node that is gone to another one when its lease ends', async () => {
    const node = aNode('b')
    const done: number[] = []
    node.handle('mail', { run: async ({ attempts }) => void done.push(attempts), retryMs: never })
    await node.enqueue({ kind: 'mail', key: 'm1' })
    expect(
      await leaseJob(db, { kinds: ['mail'], node: 'a', until: new Date(now + minuteMs) }, new Date(now)),
    ).toBeDefined()
    node.start()
    pass(minuteMs, node)
    expect(done).toEqual([])
    pass(1, node)
    await expect.poll(() => rowOf('mail')).toBeUndefined()
    expect(done).toEqual([2])
  })

  it('keeps a node whose lease another one took from ending that one’s job', async () => {
    const slow = aNode('a')
    const begun = aGate()
    const goOn = aGate()
    slow.handle('mail', {
      run: async () => {
        begun.open()
        await goOn.opened
      },
      retryMs: never,
    })
    slow.start()
    await slow.enqueue({ kind: 'mail', key: 'm1' })
    await begun.opened
    now += 2 * minuteMs
    await leaseJob(db, { kinds: ['mail'], node: 'b', until: new Date(now + minuteMs) }, new Date(now))
    goOn.open()
    await slow.stop()
    expect(await rowOf('mail')).toMatchObject({ leasedBy: 'b', attempts: 2 })
  })

  it('waits at its end for the work under way; what was aborted is begun by another node, as if never tried', async () => {
    const node = aNode('a')
    const begun = aGate()
    const aborted = vi.fn()
    node.handle('import', {
      run: (_, signal) =>
        new Promise((_resolve, reject) => {
          begun.open()
          signal.addEventListener('abort', () => {
            aborted()
            reject(signal.reason)
          })
        }),
      retryMs: never,
    })
    node.start()
    await node.enqueue({ kind: 'import', key: 'i1' })
    await begun.opened
    await node.stop()
    expect(aborted).toHaveBeenCalledOnce()
    expect(await rowOf('import')).toMatchObject({ leasedBy: null, attempts: 0, failedAt: null })
    await node.enqueue({ kind: 'import', key: 'i2' })
    expect(await jobStates(db)).toMatchObject([{ kind: 'import', waiting: 2 }])
  })

  it('runs as many of a kind at once as it may, and other kinds beside them', async () => {
    const node = aNode('a')
    const held = aGate()
    let running = 0
    let most = 0
    const others: string[] = []
    node.handle('mail', {
      concurrency: 2,
      run: async () => {
        most = Math.max(most, ++running)
        await held.opened
        running--
      },
      retryMs: never,
    })
    node.handle('other', { run: async ({ key }) => void others.push(key), retryMs: never })
    node.start()
    for (const key of ['1', '2', '3']) await node.enqueue({ kind: 'mail', key })
    await node.enqueue({ kind: 'other', key: 'o' })
    await expect.poll(() => others).toEqual(['o'])
    await expect.poll(() => running).toBe(2)
    held.open()
    await expect.poll(() => rowOf('mail')).toBeUndefined()
    expect(most).toBe(2)
  })

  it('goes on when the database was away, and names again what is repeated when its table was emptied', async () => {
    let isAway = true
    const shaky = new Proxy(db, {
      get: (target, name: keyof Db) => {
        if (isAway) throw new Error('the database is away')
        const value = target[name]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const node = aNode('a', { db: shaky })
    const run = vi.fn(async () => undefined)
    node.every('sweep', { everyMs: minuteMs, run })
    node.start()
    node.wake()
    isAway = false
    node.wake()
    await expect.poll(() => rowOf('sweep')).toBeDefined()
    pass(minuteMs, node)
    await expect.poll(() => run.mock.calls.length).toBe(1)
    await db.delete(jobs)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + minuteMs)
    node.wake()
    await expect.poll(() => rowOf('sweep')).toBeDefined()
    clock.mockRestore()
  })

  it('repeats the work of a node on each node, never twice at once, and waits for it at the end', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const node = aNode('a')
    const goOn = aGate()
    let runs = 0
    node.everyOnThisNode('sockets', {
      everyMs: 1_000,
      run: async () => {
        runs++
        await goOn.opened
      },
    })
    vi.advanceTimersByTime(3_000)
    expect(runs).toBe(1)
    let hasEnded = false
    const ending = node.stop().then(() => {
      hasEnded = true
    })
    await new Promise(setImmediate)
    expect(hasEnded).toBe(false)
    goOn.open()
    await ending
    vi.advanceTimersByTime(3_000)
    expect(runs).toBe(1)
  })

  it('does at the start of a node what is due then, however lately another one did it', async () => {
    const runs: string[] = []
    const start = (name: string): Scheduler => {
      const node = aNode(name)
      node.every('sweep', { everyMs: minuteMs, isDueAtStart: true, run: async () => void runs.push(name) })
      node.start()
      return node
    }
    for (const name of ['a', 'b']) {
      const node = start(name)
      await expect.poll(() => runs.at(-1)).toBe(name)
      await node.stop()
    }
  })
})
