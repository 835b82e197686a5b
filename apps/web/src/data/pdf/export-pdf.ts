import type { Message } from '@parley/contract/chat'
import { channelRoutes, exportFileName } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { product } from '@parley/contract/product'
import { pdfFileName } from '@parley/contract/transfer'
import type { PdfChannel } from '@parley/pdf/render-channel-pdf'
import { questionText } from '../../lib/message-sources'
import { trustedScriptUrl } from '../../lib/trusted-url'
import { apiFile } from '../api/api'
import { findChannel, findHome } from '../channels/homes'
import type { PdfReply } from './pdf-worker'
import workerUrl from './pdf-worker?worker&url'

/** `gone`: shown instead of the name of a deleted account. */
type Labels = PdfChannel['labels'] & { gone: string }

/**
 * Exports a channel as a PDF: one of this device is rendered in the browser, one of the cloud by the server, which has
 * its messages. Throws AppError.
 */
export async function exportChannelPdf(
  channelId: string,
  { gone, ...labels }: Labels,
): Promise<{ fileName: string; blob: Blob }> {
  const channel = await findChannel(channelId)
  if (!channel) throw new AppError('channel.not-found')
  const messages = await allMessages(channelId)
  if (messages.length === 0) throw new AppError('channel.no-messages')
  if (!channel.isLocalChannel) {
    const body = { channelId, messages: messages.map(({ mId }) => mId) }
    return {
      fileName: exportFileName(channelId),
      blob: await apiFile(channelRoutes.export, { body }, 'application/pdf'),
    }
  }
  const valid = messages.filter(
    ({ chat_request, chat_response }) => chat_request.trim() !== '' || chat_response.content.trim() !== '',
  )
  if (valid.length === 0) throw new AppError('channel.no-valid-messages')
  const now = new Date()
  const pdf = await draw({
    title: channel.channelName,
    exportedAt: now.toISOString(),
    language: document.documentElement.lang || 'en-US',
    labels,
    exchanges: valid.map((message) => ({
      question: questionText(message),
      answer: message.chat_response.content,
      askedAt: message.datetime,
      agentName: product.name,
      ...(message.author ? { authorName: message.author.name || gone } : {}),
      model: message.model,
    })),
  })
  return {
    fileName: pdfFileName(channel.channelName, now),
    blob: new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }),
  }
}

async function allMessages(channelId: string): Promise<Message[]> {
  const pages: Message[][] = []
  for (let before: string | undefined; ; ) {
    const page = await (await findHome(channelId)).messages(channelId, {
      limit: 200,
      ...(before === undefined ? {} : { before }),
    })
    pages.unshift(page.messages)
    before = page.cursor
    if (before === undefined) return pages.flat()
  }
}

function draw(channel: PdfChannel): Promise<Uint8Array> {
  const worker = new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), { type: 'module' })
  return new Promise<Uint8Array>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<PdfReply>) =>
      'pdf' in data ? resolve(data.pdf) : reject(new AppError('unknown', { cause: new Error(data.failure) }))
    worker.onerror = (event) => reject(new AppError('unknown', { cause: new Error(event.message) }))
    worker.postMessage(channel)
  }).finally(() => worker.terminate())
}
