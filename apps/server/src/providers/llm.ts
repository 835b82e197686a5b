import type { ContextMessage } from '@parley/contract/chat'
import type { Effort } from '@parley/contract/chat-settings'
import type { ErrorCode } from '@parley/contract/errors'
import type { Model } from '@parley/contract/models'
import type { Cost } from '@parley/contract/money'
import type { SentSource } from '@parley/contract/sent-sources'

/** In base64. */
export type RequestPicture = { mediaType: string; data: string }

export type ChatRequest = {
  model: string
  /** `pictures`: behind the text; only for a model that sees them. */
  messages: ({ role: 'system'; content: string } | (ContextMessage & { pictures?: readonly RequestPicture[] }))[]
  language: string
  /** The answer ends there. */
  maxTokens?: number | undefined
  /** Only for a model that takes them, as the list of models tells. */
  effort?: Effort | undefined
  temperature?: number | undefined
  /** OpenRouter's `web` plugin searches the web, so many results at most, and adds them to the prompt. */
  webResults?: number | undefined
  /** What the last message quotes before its question, for what answers without a model. No gateway gets it. */
  quoted?: { question: string; sources: readonly SentSource[] } | undefined
}

/** A page of the web that a gateway's own search gave to the model. `content`: what of it, where the gateway tells. */
export type WebCitation = { url: string; title: string; content: string }

export type LlmEvent =
  /** What the gateway calls the answer; before its text. */
  | { type: 'generation'; ref: string }
  | { type: 'text'; text: string }
  /** What the model thinks, where the gateway tells; before the text, or between its pieces. */
  | { type: 'reasoning'; text: string }
  /** What the gateway found in the web, where it was asked to search. The same page may be named again. */
  | { type: 'citation'; citation: WebCitation }
  /** What the gateway reports. */
  | { type: 'usage'; inputTokens: number; outputTokens: number; cost: Cost | undefined }
  /** The proper end. A stream that ends without it has failed. */
  | { type: 'finish'; reason: string }

/** What a gateway reports of an answer after its end. */
export type ReportedUsage = { inputTokens: number; outputTokens: number; cost: Cost }

/** A failure of the upstream with a text that a person understands (`code` is in the catalogue). */
export class UpstreamError extends Error {
  constructor(
    readonly code: Extract<ErrorCode, `upstream.${string}`>,
    options: { cause?: unknown; detail?: string } = {},
  ) {
    super(options.detail ?? code, { cause: options.cause })
    this.name = 'UpstreamError'
  }
}

export interface LlmProvider {
  readonly kind: 'gateway' | 'local' | 'offline'
  readonly defaultModel: string
  /** Cached; the last good list is served while the gateway fails. */
  models(): Promise<Model[]>
  /** Retries before the first token, never after it. Throws UpstreamError; when `signal` aborts it just ends. */
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<LlmEvent>
  /**
   * The usage of an ended answer, by the gateway's id of it. Undefined if the gateway does not know it, or not yet.
   */
  usageOf?(generationRef: string): Promise<ReportedUsage | undefined>
}
