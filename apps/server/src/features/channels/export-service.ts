import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { type FullLanguage, fullLanguageOf } from '@parley/contract/languages'
import { limits } from '@parley/contract/limits'
import { product } from '@parley/contract/product'
import type { PdfChannel } from '@parley/pdf/render-channel-pdf'
import type { Db } from '../../db/client'
import type { PdfRenderer } from '../../providers/pdf/pdf-renderer'
import { type Access, type Asker, requireAccess } from './access-service'
import { findSeen } from './channel-store'
import { messagesFor } from './message-authors'
import { newestMessages } from './message-store'

type Deps = { db: Db; pdf: PdfRenderer; now: () => number }
/** `signal` aborts when nobody waits for the PDF any more. */
type Wish = { messageIds: readonly string[] | undefined; language: string | undefined; signal: AbortSignal }

const labels: Record<FullLanguage, PdfChannel['labels'] & { gone: string }> = {
  'en-US': { exported: 'Exported', cut: 'Shortened: the rest is in the chat.', gone: 'Deleted account' },
  'pt-BR': { exported: 'Exportado em', cut: 'Resumido: o restante está na conversa.', gone: 'Conta excluída' },
  'es-ES': { exported: 'Exportado el', cut: 'Abreviado: el resto está en el chat.', gone: 'Cuenta eliminada' },
}

/** Cloud channels as PDFs, with what the server itself has of them. */
export class ExportService {
  constructor(private readonly deps: Deps) {}

  /**
   * Throws channel.not-found, channel.no-messages, channel.no-valid-messages, channel.exporting, channel.export-queue-full, channel.export-too-large,
   * channel.export-failed.
   */
  async pdf(asker: Asker, { signal, ...wish }: Wish): Promise<Uint8Array> {
    const { db, pdf } = this.deps
    const access = await requireAccess(db, asker)
    const channel = await findSeen(db, asker)
    if (!channel) throw new AppError('channel.not-found')
    return pdf.render(() => this.content(access, channel.channelName, wish), { userId: asker.actorId, signal })
  }

  private async content(access: Access, title: string, { messageIds, language: wanted }: Omit<Wish, 'signal'>): Promise<PdfChannel> {
    const { now } = this.deps
    const all = await this.read(access)
    const isWished = messageIds === undefined || messageIds.length === 0 ? () => true : ({ mId }: Message) => messageIds.includes(mId)
    const messages = all.filter(isWished)
    if (messages.length === 0) throw new AppError('channel.no-messages')
    const valid = messages.filter(({ chat_request, chat_response }) => chat_request.trim() !== '' || chat_response.content.trim() !== '')
    if (valid.length === 0) throw new AppError('channel.no-valid-messages')
    const language = fullLanguageOf(wanted)
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

  /** Oldest first. */
  private async read(access: Access): Promise<Message[]> {
    const { db } = this.deps
    const pages: Message[][] = []
    let [count, length] = [0, 0]
    for (let before: number | undefined; ; ) {
      const rows = await newestMessages(db, access, { limit: limits.cloud.maxMessagePage, before })
      const page = await messagesFor(db, access.actorId, rows.toReversed())
      pages.unshift(page)
      count += page.length
      length += page.reduce((sum, { chat_request, chat_response }) => sum + chat_request.length + chat_response.content.length, 0)
      if (count > limits.pdf.maxServerMessages || length > limits.pdf.maxServerLength) throw new AppError('channel.export-too-large')
      before = rows.at(-1)?.position
      if (rows.length < limits.cloud.maxMessagePage) return pages.flat()
    }
  }
}

/** An imported message keeps its date to the letter, whatever it says. */
function dateOr(datetime: string, otherwise: number): string {
  const date = new Date(datetime)
  return (Number.isNaN(date.getTime()) ? new Date(otherwise) : date).toISOString()
}
