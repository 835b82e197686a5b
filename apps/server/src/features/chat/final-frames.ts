import type { AnswerParts } from '@parley/contract/answer-parts'
import { errorText } from '@parley/contract/errors'
import type { AnswerOutput } from '../credits/public/answer-price'
import type { ExchangeEnd } from '../messages/public/exchange-end'
import { finalMessage, wireUsage } from './final-message'
import type { FinalDraft } from './frames'
import type { AnswerUsage } from './generation-store'
import type { AnswerTask } from './perform'

/** Why an answer ends early. lost: another node has taken it over, so this one must not write any more. */
export type AbortReason = 'stopped' | 'draining' | 'lost'

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The final frame of an answer that ended without one, because it was aborted or failed. */
export function abortedFrame(
  reason: AbortReason | undefined,
  task: Pick<AnswerTask, 'mId' | 'model' | 'userLanguage'>,
  { text, ...details }: AnswerParts & { text: string; durationMs: number },
): FinalDraft {
  if (reason !== 'stopped')
    return { event: 'error', code: 'chat.interrupted', content: errorText('chat.interrupted', task.userLanguage) }
  const { message, length, sha256 } = finalMessage(task, text, { finishReason: 'stopped', ...details })
  if (text.trim() !== '') return { event: 'stopped', message, length, sha256 }
  // Stopped before the first word: the message stays empty, without the apology for an empty answer.
  const blank = finalMessage(task, 'x', { finishReason: 'stopped', ...details }).message
  return {
    event: 'stopped',
    message: { ...blank, chat_response: { role: 'assistant', content: '' } },
    length: 0,
    sha256: emptySha256,
  }
}

/** What a cloud channel stores of the end: the same as the web app stores for a local channel. */
export function exchangeEndOf(
  final: FinalDraft,
  text: string,
): Pick<ExchangeEnd, 'text' | 'isEmpty' | 'error' | 'finishReason'> {
  if ('code' in final)
    return { text, isEmpty: false, error: { code: final.code, content: final.content }, finishReason: undefined }
  const { chat_response, empty, finishReason } = final.message
  return { text: chat_response.content, isEmpty: empty ?? false, error: undefined, finishReason }
}

/**
 * What is charged of the output: thinking alone costs the person something only where they stopped it, or where the
 * answer was interrupted; one that failed or ended without a text is free.
 */
export function chargedOutput(final: FinalDraft, output: AnswerOutput): AnswerOutput {
  const isFree = (final.event === 'end' || final.event === 'error-openrouter') && output.text.trim() === ''
  return isFree ? { ...output, reasoning: undefined } : output
}

/** Adds the usage, whose cost is known only after the answer's end. */
export function withUsage(final: FinalDraft, usage: AnswerUsage | undefined): FinalDraft {
  if (!usage || final.event === 'error-openrouter') return final
  return final.event === 'error'
    ? { ...final, usage: wireUsage(usage) }
    : { ...final, message: { ...final.message, usage: wireUsage(usage) } }
}

export function outcomeOf(final: FinalDraft): ExchangeEnd['status'] {
  if (final.event === 'end') return 'completed'
  if (final.event === 'stopped') return 'stopped'
  return final.code === 'chat.interrupted' ? 'interrupted' : 'failed'
}
