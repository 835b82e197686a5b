import { setTimeout as delay } from 'node:timers/promises'
import type { Effort } from '@parley/contract/chat-settings'
import { serverLimits } from '@parley/contract/limits/server'
import type { Service } from '../egress'
import { type ChatRequest, type LlmEvent, UpstreamError } from '../llm'
import { type GatewayChunk, readChunk } from './gateway-chunk'
import { sseData } from './sse'
import { type Piece, ThinkTags } from './think-tags'
import { failureOf, isWorthRetrying, retryAfterMs } from './upstream-failure'
import { Watchdog } from './watchdog'

type Times = { firstTokenMs: number; betweenTokensMs: number; totalMs: number }

type Options = {
  service: Service
  /** OpenRouter reports the cost when it is asked to; others refuse fields that they do not know. */
  asksForCost: boolean
  /** A server of this machine may write its model's thinking into the answer, between tags. */
  kind?: 'gateway' | 'local' | undefined
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

function early(
  { status, message }: { status: number | undefined; message: string },
  afterMs?: number,
): Passing | UpstreamError {
  const failure = failureOf(status, message)
  return status !== undefined && isWorthRetrying(status) ? new Passing(failure, afterMs) : failure
}

/**
 * Streams an answer from an OpenAI-compatible gateway. Retries before the first token only: after it, a second run
 * would repeat text and cost twice.
 */
export async function* streamChat(
  request: ChatRequest,
  signal: AbortSignal,
  options: Options,
): AsyncGenerator<LlmEvent> {
  const random = options.random ?? Math.random
  let asked = request
  for (let attempt = 0; ; attempt++) {
    try {
      yield* streamOnce(asked, signal, options)
      return
    } catch (error) {
      if (signal.aborted) return
      if (isRefused(error) && (asked.effort ?? asked.temperature) !== undefined) {
        asked = { ...request, effort: undefined, temperature: undefined }
        continue
      }
      if (!(error instanceof Passing)) throw error
      const wait = error.afterMs ?? random() * 500 * 2 ** attempt
      if (attempt >= serverLimits.upstream.retriesBeforeFirstToken || wait > serverLimits.upstream.maxRetryAfterMs)
        throw error.failure
      await delay(wait, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
    }
  }
}

/** A list of models names what each takes, and not the values that some refuse: not all can be kept from thinking. */
const isRefused = (error: unknown): boolean => error instanceof UpstreamError && error.code === 'upstream.refused'

async function* streamOnce(
  request: ChatRequest,
  signal: AbortSignal,
  { service, asksForCost, kind, times = serverLimits.upstream }: Options,
): AsyncGenerator<LlmEvent> {
  const watchdog = new Watchdog(times.totalMs)
  watchdog.feed(times.firstTokenMs)
  const tags = kind === 'local' ? new ThinkTags() : undefined
  /** Something of the answer, text or thinking, has been given on. */
  let hasOutput = false
  try {
    const response = await service('chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        model: request.model,
        messages: request.messages.map(wireMessage),
        stream: true,
        stream_options: { include_usage: true },
        ...(request.maxTokens === undefined ? {} : { max_tokens: request.maxTokens }),
        ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
        ...(request.effort === undefined ? {} : { reasoning: reasoningOf(request.effort) }),
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
    let usage: GatewayChunk['usage']
    let generationRef: string | undefined
    for await (const batch of sseData(response.body)) {
      const read = readBatch(batch)
      finishReason = read.finishReason ?? finishReason
      isDone = read.isDone
      usage = read.usage ?? usage
      generationRef ??= read.generationRef
      const pieces = tags ? read.pieces.flatMap((piece) => tags.read(piece)) : read.pieces
      // Not before there is output: an attempt that is made again leaves nothing behind. In the order in which they
      // came: the later output is not in it.
      if (pieces.length > 0) {
        if (usage && !read.isUsageLast) {
          yield { type: 'usage', ...usage }
          usage = undefined
        }
        if (!hasOutput && generationRef !== undefined) yield { type: 'generation', ref: generationRef }
        hasOutput = true
        yield* pieces
      }
      if (usage && hasOutput) {
        yield { type: 'usage', ...usage }
        usage = undefined
      }
      // After what came before it in the same batch.
      const isWhole = finishReason !== undefined
      if (read.brokenBy instanceof SyntaxError && !isWhole) throw read.brokenBy
      if (read.brokenBy && !(read.brokenBy instanceof SyntaxError))
        throw hasOutput ? new UpstreamError('upstream.failed', { detail: 'error in mid-stream' }) : early(read.brokenBy)
      watchdog.feed(hasOutput ? times.betweenTokensMs : times.firstTokenMs)
      if (isDone) break
    }
    // A connection that was cut looks like an end; only these two say that it is one.
    if (!isDone && finishReason === undefined) {
      const failure = new UpstreamError('upstream.failed', { detail: 'the stream ended without a finish' })
      throw hasOutput ? failure : new Passing(failure, undefined)
    }
    yield* tags?.end() ?? []
    if (usage) yield { type: 'usage', ...usage }
    yield { type: 'finish', reason: finishReason ?? 'stop' }
  } catch (error) {
    if (error instanceof Passing || error instanceof UpstreamError || signal.aborted) throw error
    if (watchdog.signal.aborted)
      throw new UpstreamError('upstream.timeout', { cause: error, detail: 'no sign of life' })
    if (error instanceof SyntaxError) throw new UpstreamError('upstream.failed', { detail: 'a chunk is not JSON' })
    const failure = new UpstreamError(hasOutput ? 'upstream.failed' : 'upstream.unreachable', {
      cause: error,
      detail: 'the connection broke',
    })
    throw hasOutput ? failure : new Passing(failure, undefined)
  } finally {
    watchdog.stop()
  }
}

/** A message of text alone is a string: not every server takes a list of parts. */
function wireMessage(message: ChatRequest['messages'][number]) {
  const { role, content } = message
  if (!('pictures' in message) || !message.pictures?.length) return { role, content }
  const pictures = message.pictures.map(({ mediaType, data }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${data}` },
  }))
  return { role, content: [{ type: 'text', text: content }, ...pictures] }
}

const reasoningOf = (effort: Effort) => (effort === 'none' ? { enabled: false } : { effort })

type Batch = Pick<GatewayChunk, 'generationRef' | 'finishReason' | 'usage'> & {
  /** Text and thinking in the order in which they came, no two of a kind one after the other. */
  pieces: Piece[]
  isDone: boolean
  /** No output came after the usage. */
  isUsageLast: boolean
  /** What stands behind it is not read. */
  brokenBy: NonNullable<GatewayChunk['error']> | SyntaxError | undefined
}

/** All that chunks say which arrived together, up to the end, or the one that says that something is wrong, or is. */
function readBatch(batch: readonly string[]): Batch {
  const read: Batch = {
    ...{ generationRef: undefined, pieces: [], finishReason: undefined, usage: undefined },
    ...{ isDone: false, isUsageLast: false, brokenBy: undefined },
  }
  for (const data of batch) {
    if (data === '[DONE]') return { ...read, isDone: true }
    const chunk = chunkOrFailure(data)
    if (chunk instanceof SyntaxError) return { ...read, brokenBy: chunk }
    if (chunk.error) return { ...read, brokenBy: chunk.error }
    read.generationRef ??= chunk.generationRef
    read.finishReason = chunk.finishReason ?? read.finishReason
    if (chunk.text !== '' || chunk.reasoning !== '') read.isUsageLast = false
    add(read.pieces, { type: 'reasoning', text: chunk.reasoning })
    add(read.pieces, { type: 'text', text: chunk.text })
    if (chunk.usage) {
      read.usage = chunk.usage
      read.isUsageLast = true
    }
  }
  return read
}

function add(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1)
  if (piece.text === '') return
  if (last?.type === piece.type) last.text += piece.text
  else pieces.push(piece)
}

function chunkOrFailure(data: string): GatewayChunk | SyntaxError {
  try {
    return readChunk(data)
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}
