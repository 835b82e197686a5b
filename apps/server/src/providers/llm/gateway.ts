import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@parley/contract/limits'
import type { Service } from '../egress'
import { type ChatRequest, type LlmEvent, UpstreamError } from '../llm'
import { readChunk } from './gateway-chunk'
import { sseData } from './sse'
import { failureOf, isWorthRetrying, retryAfterMs } from './upstream-failure'
import { Watchdog } from './watchdog'

type Times = { firstTokenMs: number; betweenTokensMs: number; totalMs: number }

type Options = {
  service: Service
  /** OpenRouter reports the cost when it is asked to; others refuse fields that they do not know. */
  asksForCost: boolean
  times?: Times | undefined
  random?: () => number
}

/** A failure before the first token that may pass: tried again while the person waits. */
class Passing extends Error {
  constructor(
    readonly failure: UpstreamError,
    readonly afterMs: number | undefined,
  ) {
    super(failure.message)
  }
}

function early({ status, message }: { status: number | undefined; message: string }, afterMs?: number): Passing | UpstreamError {
  const failure = failureOf(status, message)
  return status !== undefined && isWorthRetrying(status) ? new Passing(failure, afterMs) : failure
}

/** Streams an answer from an OpenAI-compatible gateway. Retries before the first token only: after it, a second run would repeat text and cost twice. */
export async function* streamChat(request: ChatRequest, signal: AbortSignal, options: Options): AsyncGenerator<LlmEvent> {
  const random = options.random ?? Math.random
  for (let attempt = 0; ; attempt++) {
    try {
      yield* streamOnce(request, signal, options)
      return
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Passing)) throw error
      const wait = error.afterMs ?? random() * 500 * 2 ** attempt
      if (attempt >= limits.upstream.retriesBeforeFirstToken || wait > limits.upstream.maxRetryAfterMs) throw error.failure
      await delay(wait, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
    }
  }
}

async function* streamOnce(request: ChatRequest, signal: AbortSignal, { service, asksForCost, times = limits.upstream }: Options): AsyncGenerator<LlmEvent> {
  const watchdog = new Watchdog(times.totalMs)
  watchdog.feed(times.firstTokenMs)
  let hasText = false
  try {
    const response = await service('chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        model: request.model,
        messages: request.messages,
        stream: true,
        stream_options: { include_usage: true },
        ...(request.maxTokens === undefined ? {} : { max_tokens: request.maxTokens }),
        ...(asksForCost ? { usage: { include: true } } : {}),
      }),
      signal: AbortSignal.any([signal, watchdog.signal]),
    })
    if (!response.isOk) {
      const message = (await response.text()).slice(0, 2_000)
      throw early({ status: response.status, message }, retryAfterMs(response.header('retry-after'), Date.now()))
    }
    // Some gateways answer 200 and put the error where the stream should be.
    if (response.header('content-type')?.includes('application/json')) {
      const { error } = readChunk(await response.text())
      throw early(error ?? { status: undefined, message: '' })
    }

    let finishReason: string | undefined
    let isDone = false
    for await (const batch of sseData(response.body)) {
      let text = ''
      for (const data of batch) {
        if (data === '[DONE]') {
          isDone = true
          continue
        }
        const chunk = readChunk(data)
        if (chunk.error) throw hasText || text !== '' ? new UpstreamError('upstream.failed', { detail: 'error in mid-stream' }) : early(chunk.error)
        text += chunk.text
        finishReason = chunk.finishReason ?? finishReason
        if (chunk.usage) yield { type: 'usage', ...chunk.usage }
      }
      if (text !== '') {
        hasText = true
        yield { type: 'text', text }
      }
      watchdog.feed(hasText ? times.betweenTokensMs : times.firstTokenMs)
      if (isDone) break
    }
    // A connection that was cut looks like an end; only these two say that it is one.
    if (!isDone && finishReason === undefined) {
      const failure = new UpstreamError('upstream.failed', { detail: 'the stream ended without a finish' })
      throw hasText ? failure : new Passing(failure, undefined)
    }
    yield { type: 'finish', reason: finishReason ?? 'stop' }
  } catch (error) {
    if (error instanceof Passing || error instanceof UpstreamError || signal.aborted) throw error
    if (watchdog.signal.aborted) throw new UpstreamError('upstream.timeout', { cause: error, detail: 'no sign of life' })
    if (error instanceof SyntaxError) throw new UpstreamError('upstream.failed', { detail: 'a chunk is not JSON' })
    const failure = new UpstreamError(hasText ? 'upstream.failed' : 'upstream.unreachable', { cause: error, detail: 'the connection broke' })
    throw hasText ? failure : new Passing(failure, undefined)
  } finally {
    watchdog.stop()
  }
}
