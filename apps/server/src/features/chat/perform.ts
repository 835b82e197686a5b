import type { Reasoning } from '@parley/contract/chat'
import type { RequestSettings } from '@parley/contract/chat-settings'
import { errorText } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Cost, TokenCount } from '@parley/contract/money'
import type { FilePart, SourcePart } from '@parley/contract/parts'
import { citationsOf, type SentSource } from '@parley/contract/sent-sources'
import { type LlmProvider, UpstreamError } from '../../providers/llm'
import type { AnswerBudget } from '../credits/public/answer-budget'
import { type CallUsage, tokensOf } from '../credits/public/answer-price'
import type { WebSearch } from '../search/public/web-search'
import { CitationFinder } from './citation-finder'
import { finalMessage, unchargedUsage } from './final-message'
import { type FrameDraft, withThinking } from './frames'
import type { Prompt } from './prompt'
import { resultsWithin, type SearchTask, searchRound, webPart } from './search-round'

/** What the model is asked for. `mId` is the message that the answer belongs to. */
export type AnswerTask = {
  messageId: string
  mId: string
  channelId: string
  model: string
  userLanguage: string | undefined
  /** Suggested for a channel that has no name yet. */
  channelName: string | undefined
  prompt: Prompt
  /** What the model takes of what is set for the chat. */
  settings: Pick<RequestSettings, 'effort' | 'temperature'>
  budget: AnswerBudget
  /** The search of the web that comes first. */
  search?: SearchTask | undefined
}

type Deps = { llm: LlmProvider; webSearch?: Pick<WebSearch, 'sources'> | undefined; now: () => number }

/** Filled while the answer is written. `isEarly`: text has arrived since the gateway reported the usage. */
export type AnswerResult = {
  usage: (TokenCount & { cost: Cost | undefined; isEarly: boolean }) | undefined
  /** The gateway's id of the answer, where the gateway can be asked for its cost later. */
  generationRef?: string | undefined
  /** What the model was given of the sources. */
  sent?: readonly SentSource[]
  /** What the gateway has found in the web. */
  webSources?: readonly SourcePart[]
  /** As `AnswerOutput` tells them. */
  earlier?: CallUsage
  addedTokens?: number
  searched?: 'engine' | 'gateway'
}

/** What a call of the model wrote, and why it stopped. */
type Reply = {
  text: string
  reasoning: Reasoning | undefined
  finishReason: string | undefined
  /** What it was given of the sources, as the answer keeps it. */
  read: readonly FilePart[]
}

/**
 * The fourth phase of an answer: yields its frames in the order in which the person sees them, all but the final one of
 * an answer that was aborted. No transaction is open meanwhile.
 */
export async function* perform(
  task: AnswerTask,
  { llm, webSearch, now }: Deps,
  signal: AbortSignal,
  result: AnswerResult,
): AsyncGenerator<FrameDraft> {
  const { channelId, channelName, model, userLanguage, search } = task
  const startedAt = now()
  const reply: Reply = { text: '', reasoning: undefined, finishReason: undefined, read: [] }

  yield { event: 'accepted', model }
  if (!search) yield* readFrames(task.prompt, reply, result)
  yield { event: 'status', content: 'thinking' }
  try {
    let { prompt } = task
    if (search?.by === 'engine' && webSearch) {
      prompt = yield* searchRound(task, search, { llm, webSearch, now, signal, result })
      if (signal.aborted) return
    }
    if (search) yield* readFrames(prompt, reply, result)
    // A round. What calls tools adds rounds: each with a prompt of its own, and within what is left of the budget.
    yield* askFitting(task, prompt, { llm, now, signal, result, reply })
  } catch (error) {
    if (signal.aborted) return
    yield failureFrame(error, reply.text, userLanguage)
    if (!(error instanceof UpstreamError)) throw error
    return
  }
  if (signal.aborted) return

  if (channelName !== undefined) yield { event: 'suggestion-channel-name', channelId, content: channelName }
  yield { event: 'saving-chat' }
  yield {
    event: 'end',
    ...finalMessage(task, reply.text, {
      finishReason: reply.finishReason,
      durationMs: now() - startedAt,
      usage: result.usage && unchargedUsage(result.usage),
      reasoning: reply.reasoning,
      read: [...reply.read],
      sources: sourcesOf(reply.text, result),
    }),
  }
}

/** What the text cites of what was sent, and what the gateway has found by itself. */
export const sourcesOf = (text: string, { sent = [], webSources = [] }: AnswerResult): SourcePart[] => [
  ...citationsOf(text, sent),
  ...webSources,
]

type Call = Deps & { signal: AbortSignal; result: AnswerResult; reply: Reply }

/**
 * As `askModel`, again with less of the conversation where the gateway says that the prompt is too long: how many
 * tokens a text is differs from model to model. The hold pays for it, because it is smaller than the first one.
 */
async function* askFitting(task: AnswerTask, whole: Prompt, call: Call): AsyncGenerator<FrameDraft> {
  let prompt = whole
  for (let shortenings = 0; ; shortenings++) {
    try {
      return yield* askModel(task, prompt, call)
    } catch (error) {
      const isTooLong = error instanceof UpstreamError && error.code === 'upstream.too-long'
      const isNothing = call.reply.text === '' && !call.reply.reasoning
      const shorter =
        isTooLong && isNothing && shortenings < serverLimits.context.maxShortenings ? prompt.shorter() : undefined
      if (!shorter) throw error
      prompt = shorter
      yield* readFrames(prompt, call.reply, call.result)
    }
  }
}

/** Tells what the model is given of the sources, as far as it was not told so before. */
function* readFrames({ sources, read }: Prompt, reply: Reply, result: AnswerResult): Generator<FrameDraft> {
  const told = new Set(reply.read.map((part) => JSON.stringify(part)))
  reply.read = read
  result.sent = sources
  for (const part of read) if (!told.has(JSON.stringify(part))) yield { event: 'file', part }
}

/** Calls the model once, if the budget pays for it. Throws BudgetSpentError before the call, UpstreamError. */
async function* askModel(
  { model, userLanguage, settings: { effort, temperature }, budget, search }: AnswerTask,
  { messages, size, sources, question }: Prompt,
  { llm, now, signal, result, reply }: Call,
): AsyncGenerator<FrameDraft> {
  const stopwatch = new ThinkingTime(now)
  const citations = new CitationFinder(sources)
  const maxTokens = budget.lengthOfCall(size)
  const webResults = search?.by === 'gateway' ? resultsWithin(search.roomTokens) : undefined
  const quoted = sources.length === 0 ? undefined : { question, sources }
  const language = userLanguage ?? 'en-US'
  const request = { model, messages, language, maxTokens, effort, temperature, webResults, quoted }
  for await (const event of llm.chat(request, signal)) {
    switch (event.type) {
      case 'generation':
        result.generationRef = event.ref
        break
      case 'usage':
        result.usage = {
          inputTokens: event.inputTokens,
          outputTokens: event.outputTokens,
          cost: event.cost,
          isEarly: false,
        }
        break
      case 'citation': {
        if (!search) break
        result.searched = 'gateway'
        const known = result.webSources ?? []
        const part = webPart(event.citation, known, search.firstNumber)
        if (!part) break
        result.webSources = [...known, part]
        yield { event: 'source', part }
        break
      }
      case 'finish':
        reply.finishReason = event.reason
        // The usage of an answer that ended normally is complete.
        if (result.usage) result.usage = { ...result.usage, isEarly: false }
        break
      case 'text':
        if (result.usage) result.usage = { ...result.usage, isEarly: true }
        reply.text += event.text
        stopwatch.pause()
        for (const part of citations.add(event.text)) yield { event: 'source', part }
        yield { event: 'content', content: event.text }
        break
      case 'reasoning': {
        if (result.usage) result.usage = { ...result.usage, isEarly: true }
        const content = stopwatch.isPaused && reply.reasoning ? `\n\n${event.text}` : event.text
        // A model that does not think may still say so with a blank line.
        const added = reply.reasoning ? content : content.trimStart()
        if (added === '') break
        const draft = { event: 'reasoning' as const, content: added, ms: stopwatch.read() }
        reply.reasoning = withThinking(reply.reasoning, draft)
        yield draft
      }
    }
  }
  budget.spend(tokensOf({ inputTokens: size.likelyTokens }, { ...reply, usage: result.usage }))
}

/**
 * How long the model has thought: from the question, or from the text before, to the thinking that came last. So it is
 * right for a gateway that tells all of it at once, too.
 */
class ThinkingTime {
  isPaused = false
  private totalMs = 0
  private since: number

  constructor(private readonly now: () => number) {
    this.since = now()
  }

  /** Text has come: until thinking comes again, only the time after it counts. */
  pause(): void {
    this.isPaused = true
    this.since = this.now()
  }

  /** The whole time, for thinking that has come now. */
  read(): number {
    const at = this.now()
    this.totalMs += Math.max(0, Math.round(at - this.since))
    this.since = at
    this.isPaused = false
    return this.totalMs
  }
}

/** Before the first token the gateway's error replaces the answer; after it the text stays and is marked. */
function failureFrame(error: unknown, text: string, language: string | undefined): FrameDraft {
  if (text !== '') return { event: 'error', code: 'chat.interrupted', content: errorText('chat.interrupted', language) }
  const code = error instanceof UpstreamError ? error.code : 'upstream.failed'
  return { event: 'error-openrouter', code, content: errorText(code, language) }
}
