import { type ContextExchange, contextTokens, fitContext, type ModelWindow, messagesOf } from '@parley/contract/context'
import { fitBeside } from '@parley/contract/context-summary'
import { serverLimits } from '@parley/contract/limits/server'
import { estimateTokensOf } from '@parley/contract/token-estimate'
import type { ChatRequest } from '../../providers/llm'
import type { AgentBrief } from '../agents/public/agent-briefs'
import { type PromptSize, sizeOfPrompt } from '../credits/public/answer-price'
import { type AnswerSettings, systemPrompt } from './system-prompt'

/** The messages that the model receives. One object is made for an answer: what is held is computed from it, too. */
export type Prompt = {
  readonly messages: ChatRequest['messages']
  readonly size: PromptSize
  /** With half as much of the conversation, for a model that finds it too long; undefined where there is none in it. */
  shorter(): Prompt | undefined
}

type PromptInput<E extends ContextExchange> = {
  question: string
  /** What was said before, oldest first. */
  path: readonly E[]
  /** Stands for what was said before the path. */
  summary: string | undefined
  userLanguage: string | undefined
  agent: AgentBrief | undefined
  settings: AnswerSettings
  window: ModelWindow
  /** Of the whole prompt, where somebody's money bounds it further than the window. The question itself always fits. */
  maxTokens: number | undefined
}

/** `sent`: what of the path goes along. */
export function promptOf<E extends ContextExchange>(
  { question, path, summary, userLanguage, agent, settings, window, maxTokens }: PromptInput<E>,
  at: Date,
): { prompt: Prompt; sent: E[] } {
  const system = { role: 'system' as const, content: systemPrompt(userLanguage, at, { agent, settings }) }
  const asked = { role: 'user' as const, content: question }
  const tokens = contextTokens(window, { agentTokens: estimateTokensOf([system]), question, maxTokens })
  const fitted = fitBeside(path, summary, { tokens, exchanges: serverLimits.context.maxExchanges })
  const { sent } = fitted
  const before = fitted.summary ? [{ ...fitted.summary, isPinned: true }] : []
  return { prompt: promptWith([...before, ...sent], { system, asked }), sent }
}

function promptWith(
  sent: readonly ContextExchange[],
  around: { system: { role: 'system'; content: string }; asked: { role: 'user'; content: string } },
): Prompt {
  const context = messagesOf(sent)
  const messages = [around.system, ...context, around.asked]
  return {
    messages,
    size: sizeOfPrompt(messages),
    shorter: () => {
      if (sent.length === 0) return undefined
      const tokens = Math.floor(estimateTokensOf(context) / 2)
      return promptWith(fitContext(sent, { tokens }).sent, around)
    },
  }
}
