import { AppError } from '@parley/contract/errors'

/** Limits the time of one call: `signal` aborts it when the time is up, or when the caller aborts. */
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

  /** Restarts the timer: the next step must finish within this time. */
  next(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(
      () => this.controller.abort(new DOMException('The call took too long.', 'TimeoutError')),
      ms,
    )
  }

  end(): void {
    clearTimeout(this.timer)
    this.outer?.removeEventListener('abort', this.onOuterAbort)
  }

  /** Maps what a call throws to the caller's abort reason or a network error. */
  failure(error: unknown): unknown {
    return this.outer?.aborted ? this.outer.reason : new AppError('network', { cause: error })
  }
}
