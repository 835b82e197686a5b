import type { Answer, MessageStatus, Usage } from '@parley/contract/chat'
import { storedNano } from '@parley/contract/money'
import type { messages } from '../../db/schema/messages'
import { toStoredAnswerParts } from './public/stored-parts'
import { storedOrNull, toStored } from './public/stored-text'

type MessageColumns = typeof messages.$inferSelect

/** The columns of an answer, apart from its status. */
export function answerColumns(given: Answer) {
  const { chat_response, empty, error, model, assistantId, usage, finishReason, durationMs } = given
  return {
    answer: toStored(chat_response.content),
    answerParts: toStoredAnswerParts(given),
    baseParts: null,
    isEmpty: empty ?? false,
    errorCode: storedOrNull(error?.code),
    errorContent: storedOrNull(error?.content),
    model: storedOrNull(model),
    assistantId: storedOrNull(assistantId),
    ...usageColumns(usage),
    finishReason: storedOrNull(finishReason),
    durationMs: durationMs ?? null,
  }
}

/** Of an answer that nobody writes any more. */
export function finalStatus(status: MessageStatus): 'completed' | 'stopped' | 'interrupted' | 'failed' {
  return status === 'queued' || status === 'sent' || status === 'streaming' ? 'interrupted' : status
}

/** An imported file may have a cost that is no whole number; it is stored as none. */
export function usageColumns(usage: Usage | undefined): Pick<MessageColumns, 'inputTokens' | 'outputTokens' | 'cost'> {
  if (!usage) return { inputTokens: null, outputTokens: null, cost: null }
  const { inputTokens, outputTokens, cost } = usage
  return { inputTokens, outputTokens, cost: cost !== undefined && /^\d{1,18}$/.test(cost) ? storedNano(cost) : null }
}
