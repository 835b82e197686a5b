import { serverLimits } from '@parley/contract/limits/server'

type Options = { perSecond: number; burst: number; unitBytes: number; now?: () => number }

/**
 * A token bucket for the frames of one socket, in which large frames count more than once. Excess frames are delayed.
 */
export class FrameBucket {
  private tokens: number
  private filledAt: number
  private readonly now: () => number

  /** `scale` multiplies all rates; 0 means no limit. */
  constructor(
    private readonly scale: number,
    private readonly options: Options = {
      perSecond: serverLimits.chat.framesPerSecond,
      burst: serverLimits.chat.frameBurst,
      unitBytes: serverLimits.chat.frameUnitBytes,
    },
  ) {
    this.now = options.now ?? (() => performance.now())
    this.tokens = options.burst * scale
    this.filledAt = this.now()
  }

  /** Takes the tokens of a frame. Returns the milliseconds to wait before it is handled. */
  take(bytes: number): number {
    if (this.scale === 0) return 0
    const { perSecond, unitBytes } = this.options
    this.fill()
    this.tokens -= 1 + Math.floor(bytes / unitBytes)
    return Math.max(0, (-this.tokens / (perSecond * this.scale)) * 1_000)
  }

  /** True once the socket has been quiet for long enough. */
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
