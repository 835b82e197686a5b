import { serverLimits } from '@parley/contract/limits/server'

type Deps = { now: () => number /** Must not throw. */; renewLeases: () => Promise<void> }

/** Renews the leases of this node's answers regularly, and after the process was suspended. */
export class Heartbeat {
  private readonly timer: NodeJS.Timeout
  private lastBeatAt: number
  /** The first heartbeat after a suspension; undefined once it is done. */
  private recovery: Promise<void> | undefined

  constructor(private readonly deps: Deps) {
    this.lastBeatAt = deps.now()
    this.timer = setInterval(() => void this.beat(), serverLimits.chat.heartbeatMs)
    this.timer.unref()
  }

  /**
   * A node that was suspended for longer than its lease does not know which answers are still its own. Resolves when it
   * does; until then no frame may be written.
   */
  async confirmLease(): Promise<void> {
    if (this.isLeaseExpired()) void this.beat()
    await this.recovery
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private isLeaseExpired(): boolean {
    return this.deps.now() - this.lastBeatAt > serverLimits.chat.leaseMs
  }

  private async beat(): Promise<void> {
    const wasSuspended = this.isLeaseExpired()
    this.lastBeatAt = this.deps.now()
    const renewal = this.deps.renewLeases()
    if (wasSuspended) this.recovery = renewal.finally(() => (this.recovery = undefined))
    await renewal
  }
}
