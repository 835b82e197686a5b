import type { Message, Usage } from '@parley/contract/chat'
import { totalUsage } from '@parley/contract/usage'
import type { AnswerEnd } from './apply-frame'

type AnswerSoFar = { hasText: boolean; used: Usage | undefined }

/** The fields that the end of an answer sets in its message, apart from the text. */
export function finalFields(end: AnswerEnd, { hasText, used }: AnswerSoFar): Partial<Message> {
  const usage = totalUsage(used, end.kind === 'failed' ? end.usage : end.message.usage)
  if (end.kind === 'failed') {
    const isInterrupted = end.code === 'chat.interrupted' || (end.code === 'chat.answer-gone' && hasText)
    const { code, content } = end
    return {
      status: isInterrupted ? 'interrupted' : 'failed',
      error: { code, content },
      ...(usage === undefined ? {} : { usage }),
    }
  }
  const { model, finishReason, durationMs, empty } = end.message
  return {
    status: end.kind,
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(empty ? { empty } : {}),
  }
}
