import { createHash } from 'node:crypto'
import { type AnswerMessage, apologyIn, type CreateChatMessage, type Usage } from '@parley/contract/chat'
import { errorText } from '@parley/contract/errors'
import { type Cost, noMoney, type TokenCount } from '@parley/contract/money'
import { type ChatRequest, type LlmProvider, UpstreamError } from '../../providers/llm'
import type { AgentBrief } from '../agents/agent-chat-service'
import { withinBudget } from './context-budget'
import type { FrameDraft } from './frames'
import type { PaidUsage } from './generation-store'
import { suggestedName } from './suggested-name'
import { systemPrompt } from './system-prompt'

export type AnswerRequest = Pick<CreateChatMessage, 'question' | 'channelId' | 'messageId' | 'lastMessages' | 'userLanguage' | 'suggestName'> & {
  /** The exchange whose answer this is. */
  mId: string
  model: string
  /** The answer ends there. */
  maxTokens?: number | undefined
  /** Who answers; without one, the plain model. */
  agent?: AgentBrief | undefined
}

type Deps = { llm: LlmProvider; now: () => number }

/** What an answer leaves behind for its row. `isEarly`: more was written since the gateway reported it, and that is not in it. */
export type AnswerResult = {
  usage: (TokenCount & { cost: Cost | undefined; isEarly: boolean }) | undefined
  /** What the gateway calls the answer, where it can be asked for its cost afterwards. */
  generationRef?: string | undefined
}

/** What the model is asked. */
export function promptOf({ question, lastMessages, userLanguage, agent }: Asked, at: Date): ChatRequest['messages'] {
  const system = systemPrompt(userLanguage, at, agent)
  return [{ role: 'system', content: system }, ...withinBudget(lastMessages, question, system.length), { role: 'user', content: question }]
}
type Asked = Pick<AnswerRequest, 'question' | 'lastMessages' | 'userLanguage' | 'agent'>

/** One answer, in the order in which the person experiences it. Ends early, without a final frame, when `signal` aborts. */
export async function* writeAnswer(request: AnswerRequest, { llm, now }: Deps, signal: AbortSignal, result: AnswerResult): AsyncGenerator<FrameDraft> {
  const { question, model, userLanguage, maxTokens } = request
  const startedAt = now()
  let text = ''
  let finishReason: string | undefined

  yield { event: 'accepted', model }
  yield { event: 'status', content: 'thinking' }
  try {
    const messages = promptOf(request, new Date(startedAt))
    for await (const event of llm.chat({ model, messages, language: userLanguage ?? 'en-US', maxTokens }, signal)) {
      if (event.type === 'generation') result.generationRef = event.ref
      else if (event.type === 'usage') result.usage = { inputTokens: event.inputTokens, outputTokens: event.outputTokens, cost: event.cost, isEarly: false }
      else if (event.type === 'finish') {
        finishReason = event.reason
        // Whoever ends properly has said all that there is to say.
        if (result.usage) result.usage = { ...result.usage, isEarly: false }
      } else {
        if (result.usage) result.usage = { ...result.usage, isEarly: true }
        text += event.text
        yield { event: 'content', content: event.text }
      }
    }
  } catch (error) {
    if (signal.aborted) return
    yield failure(error, text, userLanguage)
    if (!(error instanceof UpstreamError)) throw error
    return
  }
  if (signal.aborted) return

  const name = request.suggestName ? suggestedName(question) : undefined
  if (name !== undefined) yield { event: 'suggestion-channel-name', channelId: request.channelId, content: name }
  yield { event: 'saving-chat' }
  yield { event: 'end', ...finalMessage(request, text, { finishReason, durationMs: now() - startedAt, usage: result.usage && reported(result.usage) }) }
}

/** Before the first token the gateway's reason is the whole answer; after it, what had arrived stays and is marked. */
function failure(error: unknown, text: string, language: string | undefined): FrameDraft {
  if (text !== '') return { event: 'error', code: 'chat.interrupted', content: errorText('chat.interrupted', language) }
  const code = error instanceof UpstreamError ? error.code : 'upstream.failed'
  return { event: 'error-openrouter', code, content: errorText(code, language) }
}

/** As it is shown and stored where nobody is charged for it: what the gateway asks of the operator is not what the person pays. */
export function reported({ inputTokens, outputTokens }: NonNullable<AnswerResult['usage']>): PaidUsage {
  return { inputTokens, outputTokens, cost: noMoney }
}

type Details = { finishReason?: string | undefined; durationMs?: number; usage?: PaidUsage | undefined }

/** The message that `end` and `stopped` carry, with its digest. An empty or blank answer becomes the apology. */
export function finalMessage(request: Pick<AnswerRequest, 'mId' | 'model' | 'userLanguage'>, text: string, { finishReason, durationMs, usage }: Details) {
  const isEmpty = text.trim() === ''
  const content = isEmpty ? apologyIn(request.userLanguage) : text
  const message: AnswerMessage = {
    mId: request.mId,
    chat_response: { role: 'assistant', content },
    model: request.model,
    ...(isEmpty ? { empty: true } : {}),
    ...(usage === undefined ? {} : { usage: wireUsage(usage) }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
  return { message, length: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

export function wireUsage({ inputTokens, outputTokens, cost }: PaidUsage): Usage {
  return { inputTokens, outputTokens, ...(cost === undefined ? {} : { cost: String(cost) }) }
}
