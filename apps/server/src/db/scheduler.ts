import type { FastifyBaseLogger } from 'fastify'
import type { Db } from './client'
import {
  completeJob,
  deleteJob,
  enqueueJob,
  ensureJobs,
  failJob,
  hastenJobs,
  type Job,
  type Lease,
  leaseJob,
  type NewJob,
  nextJobAt,
  releaseJob,
  renewLease,
} from './jobs'

/** `signal` aborts when the node ends or another node has taken the job. */
type Run = (job: Job, signal: AbortSignal) => Promise<void>

type Repeated = {
  everyMs: number
  /** Also as soon as a node starts, for what the one before it may have left. */
  isDueAtStart?: boolean
  run: (signal: AbortSignal) => Promise<void>
}

type Enqueued = {
  run: Run
  /** Milliseconds until the next attempt, after so many; undefined gives the job up. */
  retryMs: (attempts: number) => number | undefined
  /** At a time on this node. 1 unless told. */
  concurrency?: number
}

type Kind = {
  run: Run
  everyMs?: number
  isDueAtStart?: boolean
  retryMs: (attempts: number) => number | undefined
  concurrency: number
}

type Deps = { db: Db; node: string; log: FastifyBaseLogger; now: () => number }

const leaseMs = 60_000
/** Another node may have enqueued something, and the clock may have been set. */
const maxSleepMs = 15_000
const minSleepMs = 20
/** What is repeated is tried again after this, doubled each time, but never later than it would be due anyway. */
const firstRetryMs = 1_000

/**
 * Work that no request waits for, on all nodes: each job is run by one of them at a time, again after a failure, and by
 * another node when its own is gone. Work of a node itself (its sockets, its answers) is repeated beside it.
 */
export class Scheduler {
  private readonly kinds = new Map<string, Kind>()
  private readonly running = new Map<Promise<void>, string>()
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly ending = new AbortController()
  private sleeping: NodeJS.Timeout | undefined
  private looking: Promise<void> | undefined
  private isAwakened = false
  private hasStarted = false
  private ensuredAt = Number.NEGATIVE_INFINITY

  constructor(private readonly deps: Deps) {}

  /** Work of all nodes together, done by one of them `everyMs` after the first start and after each success. */
  every(kind: string, { everyMs, run, isDueAtStart = false }: Repeated): void {
    const retryMs = (attempts: number): number => Math.min(everyMs, firstRetryMs * 2 ** Math.min(attempts - 1, 20))
    this.kinds.set(kind, { run: (_, signal) => run(signal), everyMs, isDueAtStart, retryMs, concurrency: 1 })
  }

  /** Work of this node alone, in its memory. It never runs twice at once. */
  everyOnThisNode(name: string, { everyMs, run }: Repeated): void {
    let isRunning = false
    const timer = setInterval(() => {
      if (isRunning || this.ending.signal.aborted) return
      isRunning = true
      const running = run(this.ending.signal)
        .catch((error: unknown) => this.deps.log.warn({ err: error, job: name }, 'repeated work failed'))
        .finally(() => {
          isRunning = false
          this.running.delete(running)
        })
      this.running.set(running, name)
    }, everyMs)
    timer.unref()
    this.timers.add(timer)
  }

  /** What `enqueue` is given of this kind. */
  handle(kind: string, { run, retryMs, concurrency = 1 }: Enqueued): void {
    this.kinds.set(kind, { run, retryMs, concurrency })
  }

  /**
   * Due at once unless told. With the transaction of what it follows it happens with it or not at all; then `wake`
   * after its commit.
   */
  async enqueue(job: Omit<NewJob, 'dueAt'> & { dueAt?: Date }, tx: Db = this.deps.db): Promise<void> {
    const now = this.now()
    await enqueueJob(tx, { dueAt: now, ...job }, now)
    if (tx === this.deps.db) this.wake()
  }

  /** Nobody begins it any more; a node that runs it already learns so within its lease. */
  async cancel(job: Pick<Job, 'kind' | 'key'>, tx: Db = this.deps.db): Promise<void> {
    await deleteJob(tx, job)
  }

  /** Before it, all kinds are to be named. */
  start(): void {
    this.hasStarted = true
    this.wake()
  }

  /** Looks for due jobs now. */
  wake(): void {
    if (!this.hasStarted || this.ending.signal.aborted) return
    this.isAwakened = true
    // Undefined again in the same turn in which the loop ends: no call gets lost between the two.
    this.looking ??= this.look()
  }

  /** Begins nothing more, aborts what runs, and waits for its end. */
  async stop(): Promise<void> {
    this.ending.abort()
    clearTimeout(this.sleeping)
    for (const timer of this.timers) clearInterval(timer)
    await this.looking
    await Promise.all(this.running.keys())
  }

  private async look(): Promise<void> {
    while (this.isAwakened && !this.ending.signal.aborted) {
      this.isAwakened = false
      clearTimeout(this.sleeping)
      let sleepMs = maxSleepMs
      try {
        await this.ensureRepeated()
        while (!this.ending.signal.aborted && (await this.beginOne()));
        const nextAt = await nextJobAt(this.deps.db, this.freeKinds())
        if (nextAt) sleepMs = Math.min(maxSleepMs, Math.max(minSleepMs, nextAt.getTime() - this.deps.now()))
      } catch (error) {
        this.deps.log.warn({ err: error }, 'looking for due jobs failed')
      }
      if (this.ending.signal.aborted) break
      this.sleeping = setTimeout(() => this.wake(), sleepMs)
      this.sleeping.unref()
    }
    this.looking = undefined
  }

  /** Also after somebody has emptied the table. */
  private async ensureRepeated(): Promise<void> {
    const now = this.now()
    const ensuredAt = performance.now()
    if (ensuredAt - this.ensuredAt < maxSleepMs) return
    const repeated = [...this.kinds].flatMap(([kind, { everyMs }]) =>
      everyMs === undefined ? [] : [{ kind, dueAt: after(now, everyMs) }],
    )
    await ensureJobs(this.deps.db, repeated, now)
    if (this.ensuredAt === Number.NEGATIVE_INFINITY) {
      const atStart = [...this.kinds].flatMap(([kind, { isDueAtStart }]) => (isDueAtStart ? [kind] : []))
      await hastenJobs(this.deps.db, atStart, now)
    }
    this.ensuredAt = ensuredAt
  }

  private freeKinds(): string[] {
    const counts = new Map<string, number>()
    for (const kind of this.running.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return [...this.kinds].flatMap(([name, { concurrency }]) => ((counts.get(name) ?? 0) < concurrency ? [name] : []))
  }

  private async beginOne(): Promise<boolean> {
    const { db, node } = this.deps
    const now = this.now()
    const job = await leaseJob(db, { kinds: this.freeKinds(), node, until: after(now, leaseMs) }, now)
    const kind = job && this.kinds.get(job.kind)
    if (!job || !kind) return false
    const running = this.runJob(job, kind).finally(() => {
      this.running.delete(running)
      this.wake()
    })
    this.running.set(running, job.kind)
    return true
  }

  private async runJob(job: Job, kind: Kind): Promise<void> {
    const { db, node, log } = this.deps
    const lease: Lease = { kind: job.kind, key: job.key, node }
    const lost = new AbortController()
    const renewal = setInterval(() => {
      renewLease(db, lease, after(this.now(), leaseMs)).then(
        (isHeld) => isHeld || lost.abort(),
        // Without the database the lease ends by itself; `isHeldBy` keeps this node from writing over another's.
        () => undefined,
      )
    }, leaseMs / 3)
    renewal.unref()
    try {
      try {
        await kind.run(job, AbortSignal.any([this.ending.signal, lost.signal]))
      } catch (error) {
        if (this.ending.signal.aborted) return await releaseJob(db, lease)
        const retryMs = kind.retryMs(job.attempts)
        const failure = { err: error, job: job.kind, attempts: job.attempts }
        if (retryMs === undefined) log.error(failure, 'a job failed and is given up')
        else log.warn(failure, 'a job failed and is tried again')
        const now = this.now()
        return await failJob(db, lease, now, retryMs === undefined ? undefined : after(now, retryMs))
      }
      const now = this.now()
      await completeJob(db, lease, now, kind.everyMs === undefined ? undefined : after(now, kind.everyMs))
    } catch (error) {
      // Nobody wrote down how it went: the lease ends, and it is run again.
      log.warn({ err: error, job: job.kind }, 'the end of a job was not stored')
    } finally {
      clearInterval(renewal)
    }
  }

  private now(): Date {
    return new Date(this.deps.now())
  }
}

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms)
