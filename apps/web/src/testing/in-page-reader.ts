import { type FromReader, serveReader, type ToReader } from '../data/sources/serve-reader'

/**
 * The reader's worker on the page's own thread: happy-dom has no workers. A real one runs in the tests in a browser.
 */
export class InPageReader {
  onmessage: ((event: { data: FromReader }) => void) | null = null
  private isEnded = false
  private readonly take = serveReader(
    (data) => {
      if (!this.isEnded) this.onmessage?.({ data })
    },
    async () => ({}),
  )

  postMessage(message: ToReader): void {
    queueMicrotask(() => this.take(message))
  }

  terminate(): void {
    this.isEnded = true
  }
}

export const startInPageReader = (): Worker => new InPageReader() as unknown as Worker
