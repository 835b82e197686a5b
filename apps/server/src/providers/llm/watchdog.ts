/** Aborts when nothing has fed it for the time it was given, or when the whole time is over. */
export class Watchdog {
  private readonly controller = new AbortController()
  private timer: NodeJS.Timeout | undefined
  private timerMs = 0
  private readonly total: NodeJS.Timeout

  constructor(totalMs: number) {
    this.total = setTimeout(() => this.controller.abort(), totalMs)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Starts the time anew. */
  feed(ms: number): void {
    if (this.timer && ms === this.timerMs) {
      this.timer.refresh()
      return
    }
    clearTimeout(this.timer)
    this.timerMs = ms
    this.timer = setTimeout(() => this.controller.abort(), ms)
  }

  stop(): void {
    clearTimeout(this.timer)
    clearTimeout(this.total)
  }
}
