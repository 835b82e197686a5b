import { fieldsBefore, joinedParts, partsAfter, partsBefore } from '@parley/contract/answer-parts'
import type { Message } from '@parley/contract/chat'
import { baseOf } from '@parley/contract/message-adapter'
import { foldedMessage } from '@parley/contract/search-text'
import type { messages } from '../../../db/schema/messages'
import { answerColumns, finalStatus } from '../answer-columns'
import { storedAnswerParts, storedFiles, toStoredAnswerParts, toStoredQuestion } from './stored-parts'
import { fromStored, storedOrNull, toStored } from './stored-text'

export type MessageRow = Omit<typeof messages.$inferSelect, 'search' | 'folded' | 'previous' | 'removedAt'>
/** A message to append: `appendMessages` adds its channel's owner and its position. */
export type NewMessageRow = Omit<typeof messages.$inferInsert, 'ownerId' | 'position' | 'search'>

/** The run whose answer the row has. */
export const shownRunOf = ({ mId, runMessageId }: Pick<MessageRow, 'mId' | 'runMessageId'>): string =>
  runMessageId ?? mId

export function messageOf(row: MessageRow): Message {
  const { mId, channelId, status, assistantId, isEmpty } = row
  const before = storedAnswerParts(row.baseParts)
  const files = storedFiles(row.questionParts)
  return {
    mId,
    channelId,
    chat_request: fromStored(row.question),
    ...(files.length === 0 ? {} : { files }),
    chat_response: { role: 'assistant', content: fromStored(row.answer) },
    datetime: fromStored(row.askedAt),
    status,
    ...(isEmpty ? { empty: true } : {}),
    ...(row.errorCode === null
      ? {}
      : { error: { code: fromStored(row.errorCode), content: fromStored(row.errorContent ?? '') } }),
    ...(row.model === null ? {} : { model: fromStored(row.model) }),
    ...(assistantId === null ? {} : { assistantId: fromStored(assistantId) }),
    ...(row.inputTokens === null || row.outputTokens === null
      ? {}
      : {
          usage: {
            inputTokens: row.inputTokens,
            outputTokens: row.outputTokens,
            ...(row.cost === null ? {} : { cost: String(row.cost) }),
          },
        }),
    ...(row.finishReason === null ? {} : { finishReason: fromStored(row.finishReason) }),
    ...(row.durationMs === null ? {} : { durationMs: row.durationMs }),
    ...joinedParts(before, storedAnswerParts(row.answerParts)),
    ...(row.isForwarded ? { forwarded: true } : {}),
    ...(row.runMessageId === null
      ? {}
      : {
          run: {
            messageId: row.runMessageId,
            seq: row.runSeq ?? 0,
            base: row.runBase ?? 0,
            ...(row.runQuestion === null ? {} : { question: fromStored(row.runQuestion) }),
            ...fieldsBefore(before),
          },
        }),
  }
}

/**
 * The row of an imported message, with every field unchanged. An unfinished answer becomes interrupted: no run on this
 * server writes it.
 */
export function importedRow(message: Message, channelId: string, now: Date): NewMessageRow {
  const { mId, chat_request, files, chat_response, datetime, status, run } = message
  const before = baseOf(message) === 0 ? {} : partsBefore(run ?? {})
  return {
    channelId,
    mId,
    question: toStored(chat_request),
    questionParts: toStoredQuestion(chat_request, files),
    ...answerColumns(message),
    answerParts: toStoredAnswerParts(partsAfter(message, before)),
    baseParts: toStoredAnswerParts(before),
    status: finalStatus(status),
    isForwarded: message.forwarded ?? false,
    runMessageId: run?.messageId,
    runSeq: run?.seq,
    runBase: run?.base,
    runQuestion: storedOrNull(run?.question),
    askedAt: toStored(datetime),
    updatedAt: pastDateOr(datetime, now),
    folded: foldedMessage(chat_request, chat_response.content),
  }
}

function pastDateOr(datetime: string, now: Date): Date {
  const date = new Date(datetime)
  return date.getTime() > 0 && date < now ? date : now
}
