import { createHash } from 'node:crypto'
import { apologyIn } from '@parley/contract/apology'
import type { AnswerMessage, Reasoning, Usage } from '@parley/contract/chat'
import { noMoney, type TokenCount } from '@parley/contract/money'
import type { AnswerUsage } from './generation-store'

type EndDetails = {
  finishReason?: string | undefined
  durationMs?: number
  usage?: AnswerUsage | undefined
  reasoning?: Reasoning | undefined
}

/** The message that `end` and `stopped` carry, with its digest. An empty or blank answer becomes the apology. */
export function finalMessage(
  answer: { mId: string; model: string; userLanguage?: string | undefined },
  text: string,
  { finishReason, durationMs, usage, reasoning }: EndDetails,
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
