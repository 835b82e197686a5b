import { type Cost, parseCost } from '@parley/contract/money'
import type { WebCitation } from '../llm'
import { readCitations } from './web-citations'

/**
 * What one chunk of a chat completion says; everything else in it is left alone. Read by hand: this is the hottest path
 * of the server.
 */
export type GatewayChunk = {
  /** What the gateway calls the answer, where it can be asked for it by this name. */
  generationRef: string | undefined
  text: string
  /** What the model thinks. */
  reasoning: string
  citations: readonly WebCitation[]
  finishReason: string | undefined
  usage: { inputTokens: number; outputTokens: number; cost: Cost | undefined } | undefined
  error: { status: number | undefined; message: string } | undefined
}

/** OpenRouter's names; what other gateways call their answers cannot be looked up. */
const askable = /^gen-[\w-]{1,100}$/

const noCitations: readonly WebCitation[] = []

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Throws SyntaxError when it is not JSON. */
export function readChunk(data: string): GatewayChunk {
  const json: unknown = JSON.parse(data)
  const chunk = isObject(json) ? json : {}
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
  const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : undefined
  return {
    generationRef: typeof chunk.id === 'string' && askable.test(chunk.id) ? chunk.id : undefined,
    text: typeof delta?.content === 'string' ? delta.content : '',
    reasoning: delta ? readReasoning(delta) : '',
    citations: delta ? readCitations(delta.annotations) : noCitations,
    finishReason: isObject(choice) && typeof choice.finish_reason === 'string' ? choice.finish_reason : undefined,
    usage: readUsage(chunk.usage),
    error: readError(chunk.error),
  }
}

/**
 * OpenRouter says the same thinking as `reasoning` and in `reasoning_details`; DeepSeek and most servers that one runs
 * oneself call it `reasoning_content`. So one of them is read.
 */
function readReasoning({ reasoning, reasoning_content: content, reasoning_details: details }: Json): string {
  if (typeof reasoning === 'string' && reasoning !== '') return reasoning
  if (typeof content === 'string' && content !== '') return content
  return Array.isArray(details) ? details.map(readDetail).join('') : ''
}

/** A text or a summary; what is encrypted says nothing. */
function readDetail(detail: unknown): string {
  if (!isObject(detail)) return ''
  const { text, summary } = detail
  return typeof text === 'string' ? text : typeof summary === 'string' ? summary : ''
}

function readUsage(usage: unknown): GatewayChunk['usage'] {
  if (!isObject(usage)) return undefined
  const counts = [usage.prompt_tokens, usage.completion_tokens].map(tokenCount)
  // Where one of them is nonsense the other is not believed either: nobody is charged for half of what was used.
  const [inputTokens = 0, outputTokens = 0] = counts.includes(undefined) ? [] : counts
  return { inputTokens, outputTokens, cost: parseCost(usage.cost) }
}

/** As many as a column holds; no answer has as many. */
const mostTokens = 2 ** 31 - 1

/** 0 where nothing is said; undefined for what is no number of tokens. */
function tokenCount(value: unknown): number | undefined {
  if (value === undefined || value === null) return 0
  return typeof value === 'number' && value >= 0 && value <= mostTokens ? Math.round(value) : undefined
}

function readError(error: unknown): GatewayChunk['error'] {
  if (!isObject(error)) return undefined
  const status =
    typeof error.code === 'number' ? error.code : typeof error.status === 'number' ? error.status : undefined
  return { status, message: typeof error.message === 'string' ? error.message : '' }
}

/** What GET /generation says of an answer that is over: OpenRouter's protocol. Undefined while it tells no cost. */
export function readGeneration(body: string): { inputTokens: number; outputTokens: number; cost: Cost } | undefined {
  const json: unknown = JSON.parse(body)
  const data: Json = isObject(json) && isObject(json.data) ? json.data : {}
  const usage = readUsage({
    prompt_tokens: data.native_tokens_prompt ?? data.tokens_prompt,
    completion_tokens: data.native_tokens_completion ?? data.tokens_completion,
    cost: data.total_cost,
  })
  return usage?.cost === undefined ? undefined : { ...usage, cost: usage.cost }
}
