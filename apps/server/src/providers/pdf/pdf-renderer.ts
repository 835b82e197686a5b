import { totalmem } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { PdfChannel } from '@parley/pdf/render-channel-pdf'
import type { PdfReport } from './pdf-worker'

type Bounds = { threads: number; waiting: number; perPerson: number; timeoutMs: number; memoryMb: number }
/** `signal` aborts when nobody waits for the PDF any more. */
type Order = { userId: string; signal: AbortSignal }
type Waiting = { userId: string; begin: () => void }

const retryAfterSeconds = 5

/**
 * Draws PDFs, a few at a time and each within bounds of time and memory. A person has one being drawn at a time, and
 * few waiting, so that nobody keeps the others out. Throws channel.exporting, channel.export-queue-full,
 * channel.export-too-large, channel.export-failed.
 */
export class PdfRenderer {
  /** Whose PDFs are being drawn. */
  private readonly running = new Set<string>()
  private readonly queue: Waiting[] = []
  private readonly bounds: Bounds

  constructor(bounds: Partial<Bounds> = {}) {
    this.bounds = {
      threads: serverLimits.pdf.serverThreads,
      waiting: serverLimits.pdf.serverWaiting,
      perPerson: serverLimits.pdf.serverPerPerson,
      timeoutMs: serverLimits.pdf.serverTimeoutMs,
      memoryMb: exportMemoryMb(process.constrainedMemory(), totalmem()),
      ...bounds,
    }
  }

  /** `read` is called when it is this order's turn: whoever waits keeps no chat in memory. */
  async render(read: () => Promise<PdfChannel>, { userId, signal }: Order): Promise<Uint8Array> {
    await this.turn(userId, signal)
    try {
      const channel = await read()
      if (signal.aborted) throw givenUp()
      return await draw(channel, this.bounds, signal)
    } finally {
      this.running.delete(userId)
      this.admit()
    }
  }

  private async turn(userId: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw givenUp()
    const waitingOfPerson = this.queue.filter((order) => order.userId === userId).length
    if (waitingOfPerson + (this.running.has(userId) ? 1 : 0) >= this.bounds.perPerson)
      throw new AppError('channel.exporting', { retryAfter: retryAfterSeconds })
    const mustWait = this.running.has(userId) || this.running.size >= this.bounds.threads
    if (mustWait && this.queue.length >= this.bounds.waiting)
      throw new AppError('channel.export-queue-full', { retryAfter: retryAfterSeconds })
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(order), 1)
        reject(givenUp())
      }
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const order: Waiting = { userId, begin }
      signal.addEventListener('abort', leave, { once: true })
      this.queue.push(order)
      this.admit()
    })
  }

  /** Begins the oldest orders, passing over people who have one being drawn. */
  private admit(): void {
    while (this.running.size < this.bounds.threads) {
      const next = this.queue.findIndex(({ userId }) => !this.running.has(userId))
      const [order] = next < 0 ? [] : this.queue.splice(next, 1)
      if (!order) return
      this.running.add(order.userId)
      order.begin()
    }
  }
}

/**
 * What one export may take, in MiB: a share of what the process may use (a container's limit, else the machine's
 * memory), and never more than the maximum.
 */
export function exportMemoryMb(constrainedBytes: number | undefined, totalBytes: number): number {
  // Without a container's limit the system answers 0, or more than there is.
  const usableBytes = constrainedBytes ? Math.min(constrainedBytes, totalBytes) : totalBytes
  return Math.min(
    serverLimits.pdf.maxServerMemoryMb,
    Math.floor((usableBytes * serverLimits.pdf.serverMemoryShare) / (1024 * 1024)),
  )
}

/** Nobody reads it: the person has gone. */
const givenUp = (): AppError =>
  new AppError('channel.export-failed', { cause: new Error('nobody waits for it any more') })

async function draw(channel: PdfChannel, { timeoutMs, memoryMb }: Bounds, signal: AbortSignal): Promise<Uint8Array> {
  const worker = newWorker({ workerData: channel, resourceLimits: heapOf(memoryMb) })
  let timer: NodeJS.Timeout | undefined
  let leave = (): void => undefined
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      const fail = (cause: Error): void => reject(new AppError('channel.export-failed', { cause }))
      leave = () => reject(givenUp())
      signal.addEventListener('abort', leave, { once: true })
      timer = setTimeout(() => fail(new Error('drawing took too long')), timeoutMs)
      worker.on('message', (report: PdfReport) =>
        'pdf' in report ? resolve(report.pdf) : fail(new Error(`drawing failed: ${report.failure}`)),
      )
      worker.on('error', (error: Error & { code?: string }) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? reject(new AppError('channel.export-too-large', { cause: error }))
          : fail(new Error(`the thread failed: ${error.name}`)),
      )
      worker.on('exit', () => fail(new Error('the thread ended')))
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    // The place is free once the memory is.
    await worker.terminate()
  }
}

/** The rest is for what V8 does not count as its heap: the fonts and the PDF itself. */
function heapOf(memoryMb: number): { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number } {
  const maxYoungGenerationSizeMb = Math.min(32, Math.floor(memoryMb / 8))
  return { maxOldGenerationSizeMb: Math.floor(memoryMb * 0.75) - maxYoungGenerationSizeMb, maxYoungGenerationSizeMb }
}

function newWorker(options: { workerData: PdfChannel; resourceLimits: ReturnType<typeof heapOf> }): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./pdf-worker.js', import.meta.url), options)
  // From the source (tests, npm run dev) a thread needs tsx of its own: Node 20 reads no TypeScript.
  const file = new URL('./pdf-worker.ts', import.meta.url).href
  return new Worker(
    `import('tsx/esm/api').then(({ tsImport }) => tsImport(${JSON.stringify(file)}, ${JSON.stringify(import.meta.url)}))`,
    {
      eval: true,
      ...options,
    },
  )
}
