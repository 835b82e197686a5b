import { AnswerRun, type AnswerRunDeps } from './answer-run'
import type { Begun } from './begin'
import { renewLeases } from './generation-store'
import { Heartbeat } from './heartbeat'

type Deps = AnswerRunDeps & { nodeId: string }
type Running = { run: AnswerRun; ended: Promise<void> }

/** The answers that this node writes, independent of any socket: readers read the stream log. */
export class GenerationRunner {
  /** A draining node starts no new answer. */
  isDraining = false
  private readonly running = new Map<string, Running>()
  /** Answers whose row is being inserted. */
  private readonly starting = new Set<string>()
  private readonly heartbeat: Heartbeat

  constructor(private readonly deps: Deps) {
    this.heartbeat = new Heartbeat({ now: deps.now, renewLeases: () => this.renewLeases() })
  }

  /** Resolves with the first frame, or with the end. */
  async start(begun: Begun): Promise<void> {
    const { metrics } = this.deps
    const { messageId } = begun.claim
    const run = new AnswerRun(begun, {
      ...this.deps,
      confirmLease: () => this.heartbeat.confirmLease(),
      isDraining: () => this.isDraining,
    })
    const ended = run.write().finally(() => {
      this.running.delete(messageId)
      metrics.running.dec()
    })
    metrics.running.inc()
    this.running.set(messageId, { run, ended })
    await Promise.race([run.started, ended])
  }

  /** Resolves when the answers of this visitor that were stopped on this node have ended. */
  async waitForStopped(subject: string): Promise<void> {
    const stopped = [...this.running.values()].filter(
      ({ run }) => run.claim.subject === subject && run.abortReason === 'stopped',
    )
    await Promise.all(stopped.map(({ ended }) => ended))
  }

  /** The answers that this node writes or starts. */
  activeIds(): string[] {
    return [...this.starting, ...this.running.keys()]
  }

  /** Counts an answer among the active ones while `start` runs, which may insert its row before there is a run. */
  async whileStarting<T>(messageId: string, start: () => Promise<T>): Promise<T> {
    this.starting.add(messageId)
    try {
      return await start()
    } finally {
      this.starting.delete(messageId)
    }
  }

  /** Stops an answer of this visitor if this node writes it. */
  stop(messageId: string, subject: string): void {
    const running = this.running.get(messageId)
    if (running?.run.claim.subject === subject) running.run.abort('stopped')
  }

  /** Lets answers end for a while, then aborts the others, which are marked as interrupted and can be continued. */
  async drain(ms: number): Promise<void> {
    this.isDraining = true
    const all = (): Promise<unknown> => Promise.all([...this.running.values()].map(({ ended }) => ended))
    let timer: NodeJS.Timeout | undefined
    await Promise.race([
      all(),
      new Promise((resolve) => {
        timer = setTimeout(resolve, ms)
      }),
    ])
    clearTimeout(timer)
    for (const { run } of this.running.values()) run.abort('draining')
    await all()
    this.heartbeat.stop()
  }

  /** Never throws: while the database is unreachable, no other node can take an answer over either. */
  private async renewLeases(): Promise<void> {
    const { db, nodeId, now, log } = this.deps
    const ids = [...this.running.keys()]
    try {
      const ownIds = await renewLeases(db, nodeId, ids, new Date(now()))
      for (const id of ids) if (!ownIds.has(id)) this.running.get(id)?.run.abort('lost')
      await this.extendHolds([...this.running.values()].filter(({ run }) => ownIds.has(run.claim.messageId)))
    } catch (error) {
      log.warn({ err: error }, 'heartbeat failed')
    }
  }

  private async extendHolds(running: readonly Running[]): Promise<void> {
    const charged = running.flatMap(({ run: { charge, output } }) => (charge ? [{ charge, output }] : []))
    await this.deps.charges.extendHolds(charged)
  }
}
