import { limits } from '@parley/contract/limits'

type Options = { perSecond: number; burst: number; unitBytes: number; now?: () => number }

/** What one socket may have read: a token bucket in which large frames count more than once. Whoever sends faster waits, and loses nothing. */
export class FrameBucket {
  private tokens: number
  private filledAt: number
  private readonly now: () => number

  /** `scale`: of all rates; 0 for no limit. */
  constructor(
    private readonly scale: number,
    private readonly options: Options = { perSecond: limits.chat.framesPerSecond, burst: limits.chat.frameBurst, unitBytes: limits.chat.frameUnitBytes },
  ) {
    this.now = options.now ?? (() => performance.now())
    this.tokens = options.burst * scale
    this.filledAt = this.now()
  }

  /** Takes what a frame costs; answers how long to wait before it is read. */
  take(bytes: number): number {
    if (this.scale === 0) return 0
    const { perSecond, unitBytes } = this.options
    this.fill()
    this.tokens -= 1 + Math.floor(bytes / unitBytes)
    return Math.max(0, (-this.tokens / (perSecond * this.scale)) * 1_000)
  }

  /** Nothing has been taken for so long that nothing is owed any more. */
  isFull(): boolean {
    this.fill()
    return this.tokens === this.options.burst * this.scale
  }

  private fill(): void {
    const { burst, perSecond } = this.options
    const at = this.now()
    this.tokens = Math.min(burst * this.scale, this.tokens + ((at - this.filledAt) / 1_000) * perSecond * this.scale)
    this.filledAt = at
  }
}
