import { createHash } from 'node:crypto'
import type { AnswerParts } from '@parley/contract/answer-parts'
import { apologyIn } from '@parley/contract/apology'
import type { AnswerMessage, Usage } from '@parley/contract/chat'
import { noMoney, type TokenCount } from '@parley/contract/money'
import type { AnswerUsage } from './generation-store'

type EndDetails = AnswerParts & {
  finishReason?: string | undefined
  durationMs?: number
  usage?: AnswerUsage | undefined
}

/** The message that `end` and `stopped` carry, with its digest. An empty or blank answer becomes the apology. */
export function finalMessage(
  answer: { mId: string; model: string; userLanguage?: string | undefined },
  text: string,
  { finishReason, durationMs, usage, reasoning, read = [], sources = [] }: EndDetails,
) {
  const isEmpty = text.trim() === ''
  const content = isEmpty ? apologyIn(answer.userLanguage) : text
  const message: AnswerMessage = {
    mId: answer.mId,
    chat_response: { role: 'assistant', content },
    model: answer.model,
    ...(isEmpty ? { empty: true } : {}),
    ...(usage === undefined ? {} : { usage: wireUsage(usage) }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(read.length === 0 ? {} : { read: [...read] }),
    ...(sources.length === 0 ? {} : { sources }),
  }
  return { message, length: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

/** The usage of an answer that is not charged: without the cost that the gateway charges the operator. */
export function unchargedUsage({ inputTokens, outputTokens }: TokenCount): AnswerUsage {
  return { inputTokens, outputTokens, cost: noMoney }
}

export function wireUsage({ inputTokens, outputTokens, cost }: AnswerUsage): Usage {
  return { inputTokens, outputTokens, ...(cost === undefined ? {} : { cost: String(cost) }) }
}
