import type { ContextMessage } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import type { SourcePart } from '@parley/contract/parts'
import type { SentSource } from '@parley/contract/sent-sources'
import { type LlmProvider, UpstreamError, type WebCitation } from '../../providers/llm'
import { type CallUsage, type PromptSize, sizeOfPrompt, tokensOf } from '../credits/public/answer-price'
import { cleanQuery, queryOf, queryPrompt, type SearchOffer, type WebSearch } from '../search/public/web-search'
import type { FrameDraft } from './frames'
import type { AnswerResult, AnswerTask } from './perform'
import type { Prompt } from './prompt'

/** The search of the web that an answer begins with. */
export type SearchTask = {
  by: SearchOffer['by']
  question: string
  /** The last messages before it. */
  said: readonly ContextMessage[]
  /** What is found may take so many tokens of the prompt. */
  roomTokens: number
  /** Of the first passage that is found. */
  firstNumber: number
  /** The prompt with what was found; with nothing, it says that the search failed. */
  promptWith: (found: readonly SentSource[]) => Prompt
}

type Deps = {
  llm: LlmProvider
  webSearch: Pick<WebSearch, 'sources'>
  now: () => number
  signal: AbortSignal
  result: AnswerResult
}

const { queryContextTokens, queryTokens, gatewayResults, gatewayResultTokens } = serverLimits.sources.search
/** Of the instructions for a query, or of the lines around what was found. */
const aroundTokens = 400
/** As `token-estimate.ts` counts: a text is at most twice as many tokens as it is likely to be. */
const mostOfLikely = 2

/** What a search adds to what the model reads, in all of its calls: it is held for. */
export function sizeOfSearch({ by, said, roomTokens }: Pick<SearchTask, 'by' | 'said' | 'roomTokens'>): PromptSize {
  const found = by === 'gateway' ? resultsWithin(roomTokens) * gatewayResultTokens : roomTokens + aroundTokens
  const asked = by === 'gateway' || said.length === 0 ? 0 : queryContextTokens + aroundTokens + queryTokens
  return { likelyTokens: found + asked, maxTokens: mostOfLikely * (found + asked) }
}

/** How many results a gateway's own search may add. */
export const resultsWithin = (roomTokens: number): number =>
  Math.max(1, Math.min(gatewayResults, Math.floor(roomTokens / gatewayResultTokens)))

/** A round before the answer: writes the query, searches, and returns the prompt of the answer. Never throws. */
export async function* searchRound(
  task: AnswerTask,
  search: SearchTask,
  deps: Deps,
): AsyncGenerator<FrameDraft, Prompt> {
  const { webSearch, signal, result } = deps
  const { question, roomTokens, firstNumber } = search
  yield { event: 'status', content: 'searching' }
  const query = await queryFor(task, search, deps)
  const language = task.userLanguage ?? 'en-US'
  const found = await webSearch.sources({ query, question, roomTokens, firstNumber, language, signal })
  if (signal.aborted) return task.prompt
  if (found.length > 0) result.searched = 'engine'
  const prompt = search.promptWith(found)
  result.addedTokens = Math.max(0, prompt.size.likelyTokens - task.prompt.size.likelyTokens)
  return prompt
}

/** The question itself where it begins a chat, or where the model writes no query. */
async function queryFor(
  { model, userLanguage, budget }: AnswerTask,
  { question, said }: SearchTask,
  { llm, now, signal, result }: Deps,
): Promise<string> {
  const messages = queryPrompt(question, said, new Date(now()))
  if (!messages) return queryOf(question)
  const size = sizeOfPrompt(messages)
  let text = ''
  let usage: CallUsage | undefined
  try {
    const maxTokens = Math.min(queryTokens, budget.lengthOfCall(size) ?? queryTokens)
    const request = { model, messages, language: userLanguage ?? 'en-US', maxTokens }
    for await (const event of llm.chat(request, signal)) {
      if (event.type === 'text') text += event.text
      if (event.type === 'usage') usage = event
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
  }
  if (text !== '' || usage) {
    const written = { text, reasoning: undefined, usage: usage && { ...usage, isEarly: false } }
    const tokens = tokensOf({ inputTokens: size.likelyTokens }, written)
    result.earlier = { ...tokens, cost: usage?.cost }
    budget.spend(tokens)
  }
  return cleanQuery(text) || queryOf(question)
}

/** A page that the gateway's own search names, once for each address; undefined for one that is known. */
export function webPart(
  { url, title, content }: WebCitation,
  known: readonly SourcePart[],
  firstNumber: number,
): SourcePart | undefined {
  if (known.some((part) => part.url === url)) return undefined
  return { type: 'source', n: firstNumber + known.length, title, url, passage: content }
}
