import { Worker } from 'node:worker_threads'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { PdfChannel } from '@parley/pdf/render-channel-pdf'
import type { PdfReport } from './pdf-worker'

type Bounds = { threads: number; waiting: number; timeoutMs: number; memoryMb: number }

const usual: Bounds = {
  threads: limits.pdf.serverThreads,
  waiting: limits.pdf.serverWaiting,
  timeoutMs: limits.pdf.serverTimeoutMs,
  memoryMb: limits.pdf.serverMemoryMb,
}
const retryAfterSeconds = 5

/** Draws PDFs, a few at a time and each within bounds of time and memory. Every failure is channel.export-failed. */
export class PdfRenderer {
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(private readonly bounds: Bounds = usual) {}

  async render(channel: PdfChannel): Promise<Uint8Array> {
    await this.turn()
    try {
      return await draw(channel, this.bounds)
    } finally {
      const next = this.waiting.shift()
      // The place goes straight to the next one, so that nobody slips in between.
      if (next) next()
      else this.running--
    }
  }

  private turn(): Promise<void> | undefined {
    if (this.running < this.bounds.threads) {
      this.running++
      return undefined
    }
    if (this.waiting.length >= this.bounds.waiting) throw new AppError('channel.export-failed', { retryAfter: retryAfterSeconds })
    return new Promise((resolve) => this.waiting.push(resolve))
  }
}

function draw(channel: PdfChannel, { timeoutMs, memoryMb }: Bounds): Promise<Uint8Array> {
  const worker = newWorker({ workerData: channel, resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
  let timer: NodeJS.Timeout | undefined
  return new Promise<Uint8Array>((resolve, reject) => {
    const fail = (cause: Error): void => reject(new AppError('channel.export-failed', { cause }))
    timer = setTimeout(() => fail(new Error('drawing took too long')), timeoutMs)
    worker.on('message', (report: PdfReport) => ('pdf' in report ? resolve(report.pdf) : fail(new Error(`drawing failed: ${report.failure}`))))
    worker.on('error', (error) => fail(new Error(`the thread failed: ${error.name}`)))
    worker.on('exit', () => fail(new Error('the thread ended')))
  }).finally(() => {
    clearTimeout(timer)
    void worker.terminate()
  })
}

function newWorker(options: { workerData: PdfChannel; resourceLimits: { maxOldGenerationSizeMb: number } }): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./pdf-worker.js', import.meta.url), options)
  // From the source (tests, npm run dev) a thread needs tsx of its own: Node 20 reads no TypeScript.
  const file = new URL('./pdf-worker.ts', import.meta.url).href
  return new Worker(`import('tsx/esm/api').then(({ tsImport }) => tsImport(${JSON.stringify(file)}, ${JSON.stringify(import.meta.url)}))`, {
    eval: true,
    ...options,
  })
}
