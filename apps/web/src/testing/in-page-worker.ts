import { type FromWorker, serveSearch, type ToWorker } from '../data/search/serve-search'

/**
 * The search's worker on the page's own thread: happy-dom has no workers. A real one runs in the tests in a browser.
 */
export class InPageWorker {
  onmessage: ((event: { data: FromWorker }) => void) | null = null
  private isEnded = false
  private readonly take = serveSearch((data) => {
    if (!this.isEnded) this.onmessage?.({ data })
  })

  postMessage(message: ToWorker): void {
    queueMicrotask(() => this.take(message))
  }

  terminate(): void {
    this.isEnded = true
  }
}
