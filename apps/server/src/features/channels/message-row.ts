import type { Answer, Message, Usage } from '@parley/contract/chat'
import { storedNano } from '@parley/contract/money'
import { foldedMessage } from '@parley/contract/search-text'
import type { messages } from '../../db/schema'
import { fromStored, toStored } from './stored-text'

export type MessageRow = Omit<typeof messages.$inferSelect, 'search' | 'folded' | 'previous'>
type NewRow = Omit<typeof messages.$inferInsert, 'ownerId' | 'position' | 'search'>

export function messageOf(row: MessageRow): Message {
  const { mId, channelId, status, assistantId, isEmpty } = row
  return {
    mId,
    channelId,
    chat_request: fromStored(row.question),
    chat_response: { role: 'assistant', content: fromStored(row.answer) },
    datetime: fromStored(row.askedAt),
    status,
    ...(isEmpty ? { empty: true } : {}),
    ...(row.errorCode === null ? {} : { error: { code: fromStored(row.errorCode), content: fromStored(row.errorContent ?? '') } }),
    ...(row.model === null ? {} : { model: fromStored(row.model) }),
    ...(assistantId === null ? {} : { assistantId: fromStored(assistantId) }),
    ...(row.inputTokens === null || row.outputTokens === null
      ? {}
      : { usage: { inputTokens: row.inputTokens, outputTokens: row.outputTokens, ...(row.cost === null ? {} : { cost: String(row.cost) }) } }),
    ...(row.finishReason === null ? {} : { finishReason: fromStored(row.finishReason) }),
    ...(row.durationMs === null ? {} : { durationMs: row.durationMs }),
    ...(row.isForwarded ? { forwarded: true } : {}),
    ...(row.runMessageId === null
      ? {}
      : {
          run: {
            messageId: row.runMessageId,
            seq: row.runSeq ?? 0,
            base: row.runBase ?? 0,
            ...(row.runQuestion === null ? {} : { question: fromStored(row.runQuestion) }),
          },
        }),
  }
}

/** What is no cost, as a file may have it, is none. */
export function storedUsage(usage: Usage | undefined): Pick<MessageRow, 'inputTokens' | 'outputTokens' | 'cost'> {
  if (!usage) return { inputTokens: null, outputTokens: null, cost: null }
  const { inputTokens, outputTokens, cost } = usage
  return { inputTokens, outputTokens, cost: cost !== undefined && /^\d{1,18}$/.test(cost) ? storedNano(cost) : null }
}

/** What an answer is, apart from its status. */
export function answerColumns({ chat_response, empty, error, model, assistantId, usage, finishReason, durationMs }: Answer) {
  return {
    answer: toStored(chat_response.content),
    isEmpty: empty ?? false,
    errorCode: storedOrNull(error?.code),
    errorContent: storedOrNull(error?.content),
    model: storedOrNull(model),
    assistantId: storedOrNull(assistantId),
    ...storedUsage(usage),
    finishReason: storedOrNull(finishReason),
    durationMs: durationMs ?? null,
  }
}

/** A message from elsewhere, with every field as it was. One that was still being written there is written by nobody here. */
export function importedRow(message: Message, channelId: string, now: Date): NewRow {
  const { mId, chat_request, chat_response, datetime, status, run } = message
  const isFinal = status !== 'queued' && status !== 'sent' && status !== 'streaming'
  return {
    channelId,
    mId,
    question: toStored(chat_request),
    ...answerColumns(message),
    status: isFinal ? status : 'interrupted',
    isForwarded: message.forwarded ?? false,
    runMessageId: run?.messageId,
    runSeq: run?.seq,
    runBase: run?.base,
    runQuestion: storedOrNull(run?.question),
    askedAt: toStored(datetime),
    updatedAt: askedBefore(datetime, now),
    folded: foldedMessage(chat_request, chat_response.content),
  }
}

export const storedOrNull = (text: string | null | undefined): string | null => (text === null || text === undefined ? null : toStored(text))

/** When it was asked; now, where that is no moment of the past. */
function askedBefore(datetime: string, now: Date): Date {
  const asked = new Date(datetime)
  return asked.getTime() > 0 && asked < now ? asked : now
}
