// Renders the PDF in a worker, so that a long chat does not freeze the page.
import { type PdfChannel, renderChannelPdf } from '@parley/pdf/render-channel-pdf'
import { fetchAsset } from '../http/asset'
import { browserFonts } from './browser-fonts'

export type PdfReply = { pdf: Uint8Array } | { failure: string }

addEventListener('message', ({ data }: MessageEvent<PdfChannel>) => {
  const reply = (message: PdfReply): void => postMessage(message)
  renderChannelPdf(data, browserFonts(fetchAsset)).then(
    (pdf) => reply({ pdf }),
    (error: unknown) => reply({ failure: error instanceof Error ? error.message : String(error) }),
  )
})
