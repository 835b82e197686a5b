import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { type FullLanguage, fullLanguageOf } from '@parley/contract/languages'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { product } from '@parley/contract/product'
import type { PdfChannel } from '@parley/pdf/render-channel-pdf'
import type { Db } from '../../db/client'
import type { PdfRenderer } from '../../providers/pdf/pdf-renderer'
import { messagesForReader } from '../messages/public/messages-for-reader'
import { newestOfPath, readPath } from '../messages/public/shown-messages'
import { type AccessRequest, type ChannelAccess, requireAccess } from './public/channel-access'
import { findVisibleChannel } from './public/visible-channel-store'

type Deps = { db: Db; pdf: PdfRenderer; now: () => number }
/** Without `messageIds` the whole channel is exported. `signal` aborts when the client has disconnected. */
type ExportOptions = { messageIds: readonly string[] | undefined; language: string | undefined; signal: AbortSignal }

const labels: Record<FullLanguage, PdfChannel['labels'] & { gone: string }> = {
  'en-US': { exported: 'Exported', cut: 'Shortened: the rest is in the chat.', gone: 'Deleted account' },
  'pt-BR': { exported: 'Exportado em', cut: 'Resumido: o restante está na conversa.', gone: 'Conta excluída' },
  'es-ES': { exported: 'Exportado el', cut: 'Abreviado: el resto está en el chat.', gone: 'Cuenta eliminada' },
}

/** Renders cloud channels as PDFs from the server's own rows. */
export class ExportService {
  constructor(private readonly deps: Deps) {}

  /**
   * Throws channel.not-found, channel.no-messages, channel.no-valid-messages, channel.exporting,
   * channel.export-queue-full, channel.export-too-large, channel.export-failed.
   */
  async pdf(request: AccessRequest, { signal, ...options }: ExportOptions): Promise<Uint8Array> {
    const { db, pdf } = this.deps
    const access = await requireAccess(db, request)
    const channel = await findVisibleChannel(db, request)
    if (!channel) throw new AppError('channel.not-found')
    return pdf.render(() => this.content(access, channel.channelName, options), { userId: request.actorId, signal })
  }

  private async content(
    access: ChannelAccess,
    title: string,
    { messageIds, language: requestedLanguage }: Omit<ExportOptions, 'signal'>,
  ): Promise<PdfChannel> {
    const { now } = this.deps
    const all = await this.read(access)
    const isSelected =
      messageIds === undefined || messageIds.length === 0 ? () => true : ({ mId }: Message) => messageIds.includes(mId)
    const messages = all.filter(isSelected)
    if (messages.length === 0) throw new AppError('channel.no-messages')
    const valid = messages.filter(
      ({ chat_request, chat_response }) => chat_request.trim() !== '' || chat_response.content.trim() !== '',
    )
    if (valid.length === 0) throw new AppError('channel.no-valid-messages')
    const language = fullLanguageOf(requestedLanguage)
    const { gone, ...texts } = labels[language]
    return {
      title,
      exportedAt: new Date(now()).toISOString(),
      language,
      labels: texts,
      exchanges: valid.map((message) => ({
        question: message.chat_request,
        answer: message.chat_response.content,
        askedAt: dateOr(message.datetime, now()),
        agentName: product.name,
        model: message.model,
        ...(message.author ? { authorName: message.author.name || gone } : {}),
      })),
    }
  }

  /** What the reader sees, oldest first. */
  private async read(access: ChannelAccess): Promise<Message[]> {
    const { db } = this.deps
    const path = await readPath(db, access)
    const pages: Message[][] = []
    let [count, length] = [0, 0]
    for (let before: number | undefined; ; ) {
      const rows = await newestOfPath(db, access, path, { limit: limits.cloud.maxMessagePage, before })
      const page = await messagesForReader(db, access, rows.toReversed(), path)
      pages.unshift(page)
      count += page.length
      length += page.reduce(
        (sum, { chat_request, chat_response }) => sum + chat_request.length + chat_response.content.length,
        0,
      )
      if (count > limits.pdf.maxServerMessages || length > serverLimits.pdf.maxServerLength)
        throw new AppError('channel.export-too-large')
      before = rows.at(-1)?.position
      if (rows.length < limits.cloud.maxMessagePage) return pages.flat()
    }
  }
}

/** An imported message keeps its date as it was written, so it may not be a date at all. */
function dateOr(datetime: string, fallback: number): string {
  const date = new Date(datetime)
  return (Number.isNaN(date.getTime()) ? new Date(fallback) : date).toISOString()
}
