import { AppError } from '@parley/contract/errors'

/** Bounds one call: `signal` aborts it when its time is up, or when the caller gives it up. */
export class TimeLimit {
  private readonly controller = new AbortController()
  private readonly onOuterAbort = (): void => this.controller.abort(this.outer?.reason)
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly outer?: AbortSignal | undefined) {
    if (outer?.aborted) this.onOuterAbort()
    outer?.addEventListener('abort', this.onOuterAbort)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** The next thing has to happen within this time. */
  next(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.controller.abort(new DOMException('The call took too long.', 'TimeoutError')), ms)
  }

  end(): void {
    clearTimeout(this.timer)
    this.outer?.removeEventListener('abort', this.onOuterAbort)
  }

  /** Of what a call or its body throws: the caller's own reason, or that the network is at fault. */
  failure(error: unknown): unknown {
    return this.outer?.aborted ? this.outer.reason : new AppError('network', { cause: error })
  }
}
