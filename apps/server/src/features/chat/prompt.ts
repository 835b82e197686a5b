import { type ContextExchange, contextTokens, fitContext, type ModelWindow, messagesOf } from '@parley/contract/context'
import { fitBeside } from '@parley/contract/context-summary'
import { serverLimits } from '@parley/contract/limits/server'
import type { FilePart } from '@parley/contract/parts'
import { nothingFound, readParts, roomForSources, type SentSource } from '@parley/contract/sent-sources'
import { estimateTokensOf } from '@parley/contract/token-estimate'
import type { ChatRequest, RequestPicture } from '../../providers/llm'
import type { AgentBrief } from '../agents/public/agent-briefs'
import { type PromptSize, sizeOfPrompt } from '../credits/public/answer-price'
import { type FoundSources, halvedSources } from './question-sources'
import { sourceText } from './source-prompt'
import { type AnswerSettings, systemPrompt } from './system-prompt'

/** The messages that the model receives. One object is made for an answer: what is held is computed from it, too. */
export type Prompt = {
  readonly messages: ChatRequest['messages']
  readonly size: PromptSize
  /** What of the sources is in it: what the answer may cite, and what is told of it. */
  readonly sources: readonly SentSource[]
  /** Without what is quoted before it. */
  readonly question: string
  readonly read: readonly FilePart[]
  /**
   * With half as much of the conversation and of the sources, for a model that finds it too long; undefined where there
   * is nothing of either in it.
   */
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
  /** What the question is answered from beside the conversation. `mark`: of the lines around what is quoted. */
  found: FoundSources
  mark: string
}

type Around = Pick<
  PromptInput<ContextExchange>,
  'question' | 'userLanguage' | 'agent' | 'settings' | 'window' | 'maxTokens'
>

/**
 * The tokens that sources may take of a prompt: of the window a third, and never what agent, question and answer need.
 */
export function sourceRoom(around: Around, at: Date): number {
  const { question, window, maxTokens } = around
  const agentTokens = estimateTokensOf([systemOf(around, at, true)])
  return Math.min(roomForSources(window.tokens, maxTokens), contextTokens(window, { agentTokens, question, maxTokens }))
}

/** `sent`: what of the path goes along. `promptWith`: the prompt with what a search of the web has found beside. */
export function promptOf<E extends ContextExchange>(
  { path, summary, found, mark, ...around }: PromptInput<E>,
  at: Date,
): { prompt: Prompt; sent: E[]; promptWith: (web: readonly SentSource[]) => Prompt } {
  const { question, window, maxTokens } = around
  const system = systemOf(around, at, found.sources.length > 0)
  const fixed = sizeOfPrompt([system, quotationOf(found, mark)]).likelyTokens
  const tokens = contextTokens(window, { agentTokens: fixed, question, maxTokens })
  const fitted = fitBeside(path, summary, { tokens, exchanges: serverLimits.context.maxExchanges })
  const { sent } = fitted
  const before = fitted.summary ? [{ ...fitted.summary, isPinned: true }] : []
  const said = [...before, ...sent]
  return {
    prompt: promptWith(said, found, { system, question, mark }),
    sent,
    promptWith: (web) => {
      const all = { ...found, sources: [...found.sources, ...web] }
      const { role, content } = systemOf(around, at, all.sources.length > 0)
      const isFailed = web.length === 0
      const told = { role, content: isFailed ? `${content}\n${failedSearch}` : content }
      return promptWith(said, all, { system: told, question, mark, isSearchFailed: isFailed })
    },
  }
}

const failedSearch =
  'The user has asked for a search of the web. It found nothing that could be read: say so where the answer would need it, and do not write as if you had searched.'

const systemOf = ({ userLanguage, agent, settings }: Around, at: Date, hasSources: boolean) => ({
  role: 'system' as const,
  content: systemPrompt(userLanguage, at, { agent, settings, hasSources }),
})

type Quotation = { content: string; pictures?: RequestPicture[] }

function quotationOf({ sources, pictures }: FoundSources, mark: string): Quotation {
  const shown = pictures.map(({ mediaType, data }) => ({ mediaType, data }))
  return { content: sourceText(sources, pictures, mark), ...(shown.length === 0 ? {} : { pictures: shown }) }
}

function promptWith(
  sent: readonly ContextExchange[],
  found: FoundSources,
  around: { system: { role: 'system'; content: string }; question: string; mark: string; isSearchFailed?: boolean },
): Prompt {
  const { system, question, mark, isSearchFailed = false } = around
  const context = messagesOf(sent)
  const { content, ...pictures } = quotationOf(found, mark)
  // In the message of the question: not every model takes two of a person one after the other.
  const asked = { role: 'user' as const, content: content === '' ? question : `${content}\n\n${question}`, ...pictures }
  const messages = [system, ...context, asked]
  return {
    messages,
    size: sizeOfPrompt(messages),
    sources: found.sources,
    question,
    read: [
      ...readParts([...found.sources, ...(found.unread ?? [])], found.pictures),
      ...(isSearchFailed ? [nothingFound] : []),
    ],
    shorter: () => {
      const halved = halvedSources(found)
      if (sent.length === 0 && !halved) return undefined
      const tokens = Math.floor(estimateTokensOf(context) / 2)
      return promptWith(fitContext(sent, { tokens }).sent, halved ?? found, around)
    },
  }
}
