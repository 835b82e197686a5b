// Draws one PDF in a thread of its own, so that a long chat never stops the server's event loop.
import { parentPort, workerData } from 'node:worker_threads'
import { nodeFonts } from '@parley/pdf/node-fonts'
import { type PdfChannel, renderChannelPdf } from '@parley/pdf/render-channel-pdf'

/** Nothing of the failure is told: its message may quote the chat. */
export type PdfReport = { pdf: Uint8Array } | { failure: string }

const report = (message: PdfReport): void => parentPort?.postMessage(message)

renderChannelPdf(workerData as PdfChannel, nodeFonts).then(
  (pdf) => report({ pdf }),
  (error: unknown) => report({ failure: error instanceof Error ? error.name : typeof error }),
)
