/** Lets so many work at the same time; the others wait for their turn, in the order in which they came. */
export class Turns {
  private free: number
  private readonly waiting = new Set<() => void>()

  constructor(most: number) {
    this.free = most
  }

  /** Throws what `signal` is aborted with while it waits; then nothing was begun. */
  async take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.begin(signal)
    try {
      return await work()
    } finally {
      const [next] = this.waiting
      if (next) next()
      else this.free++
    }
  }

  private async begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.free > 0) {
      this.free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        this.waiting.delete(start)
        signal.removeEventListener('abort', abort)
      }
      const start = (): void => {
        end()
        resolve()
      }
      const abort = (): void => {
        end()
        reject(signal.reason as Error)
      }
      this.waiting.add(start)
      signal.addEventListener('abort', abort, { once: true })
    })
  }
}
