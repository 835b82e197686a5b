// A model gateway for tests: the OpenAI and OpenRouter protocol over a real socket, with scripted answers, failures, delays and broken streams.
// A question may choose a scenario by a word such as #slow or #cut: gateway-scenarios.ts lists them.
// By hand: tsx apps/server/src/testing/gateway-stand-in.ts --port 4010, then LLM_BASE_URL=http://127.0.0.1:4010/v1.
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { markdownText, scenarioOf } from './gateway-scenarios'

type Usage = { prompt_tokens: number; completion_tokens: number; cost?: number | string | null }

export type Script = {
  /** The answer. The question's echo unless said. */
  text?: string
  /** As fast as the socket takes it unless said. */
  tokensPerSecond?: number
  /** After so many characters it says nothing more unless `release` was called since it was asked: what is to happen in the middle of an answer happens there. */
  holdAfter?: number
  /** Before the first byte. */
  delayMs?: number
  /** An HTTP failure instead of an answer. */
  status?: number
  retryAfter?: string
  /** What the failure says. */
  message?: string
  /** The failure's status is in the body only; the answer is 200. */
  hidesStatus?: boolean
  /** After so many characters the stream goes wrong: an error object, half a chunk, a cut connection, or an end without finish. */
  breakAfter?: number
  breakBy?: 'error' | 'half' | 'cut' | 'end'
  /** Everything arrives together. */
  inOnePiece?: boolean
  /** After so many characters it reports this already, as some gateways do. */
  early?: { after: number; usage: Usage }
  /** OpenRouter sends comments while the model thinks. */
  comments?: boolean
  /** Bytes that are no UTF-8 in the middle of the text. */
  badUtf8?: boolean
  usage?: Usage
  /** It says nothing of what the answer took. */
  omitsUsage?: boolean
  /** What GET /generation tells of the answer afterwards, once it was asked in vain as often as said. */
  generation?: { total_cost: number; tokens_prompt: number; tokens_completion: number; missing?: number }
  /** Ends with a finish reason but without [DONE]. */
  omitsDone?: boolean
}

const Body = z.object({
  model: z.string(),
  stream: z.optional(z.boolean()),
  max_tokens: z.optional(z.number()),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
})

export type GatewayRequest = { path: string; authorization: string | undefined; body: z.infer<typeof Body>; aborted: boolean }

const ImageBody = z.object({ model: z.string(), prompt: z.string(), n: z.number(), response_format: z.optional(z.string()) })

export type GatewayStandIn = {
  /** With the version in it: what LLM_BASE_URL wants. */
  url: string
  /** The next question is answered so; several calls are used in turn. Without one, the question is echoed. */
  next(script: Script): void
  /** Every question is answered so when no `next` is left. */
  always(script: Script): void
  /** Lets held answers go on, also one that has not come to its hold yet. */
  release(): void
  requests: GatewayRequest[]
  /** Called whenever whoever asked breaks off an answer. */
  onAbort: (() => void) | undefined
  /** What the image model gives, each time all of it; without any it fails. */
  images: Buffer[]
  /** What the image model was asked. */
  imageRequests: { model: string; prompt: string; n: number }[]
  /** Which answers it was asked for afterwards. */
  generationRequests: string[]
  /** What it lists from now on. */
  models: readonly object[]
  /** Forgets what was scripted and asked, and breaks off the answers under way. */
  reset(): void
  /** The list is asked for in vain until `releaseModels`. */
  holdModels(): void
  releaseModels(): void
  close(): Promise<void>
}

export const standInModels = [
  { id: 'meta-llama/llama-3.1-8b-instruct', name: 'Llama 3.1 8B', context_length: 131_072, pricing: { prompt: '0.00000002', completion: '0.00000003' } },
  { id: 'stand-in/large', name: 'Large', context_length: 8_192, pricing: { prompt: '0.000001', completion: '0.000002' } },
  { id: 'stand-in/gratis:free', name: 'Gratis', context_length: 8_192, pricing: { prompt: '0', completion: '0' } },
]

export async function startGatewayStandIn(port = 0): Promise<GatewayStandIn> {
  const scripts: Script[] = []
  let fallback: Script | undefined
  const requests: GatewayRequest[] = []
  const images: Buffer[] = []
  const imageRequests: GatewayStandIn['imageRequests'] = []
  const generationRequests: string[] = []
  const generations: NonNullable<Script['generation']>[] = []
  const releases = new EventEmitter()
  let models: readonly object[] = standInModels
  let modelsHeld: Promise<void> | undefined
  let releaseModels = (): void => undefined

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (request.method === 'GET' && path.endsWith('/models')) await modelsHeld
    if (request.method === 'GET' && path.endsWith('/models')) return sendJson(response, 200, { data: models })
    if (request.method === 'GET' && path.includes('/generation?id=')) return answerGeneration(path, response)
    if (request.method === 'POST' && path.endsWith('/images/generations')) {
      answerImages(await readBody(request), response)
      return
    }
    if (request.method !== 'POST' || !path.endsWith('/chat/completions')) return sendJson(response, 404, { error: { message: 'no such path' } })
    const parsed = z.safeParse(Body, JSON.parse(await readBody(request)))
    if (!parsed.success) return sendJson(response, 400, { error: { message: 'bad request', code: 400 } })
    const record: GatewayRequest = { path, authorization: request.headers.authorization, body: parsed.data, aborted: false }
    const question = parsed.data.messages.at(-1)?.content ?? ''
    const attempt = requests.filter(({ body }) => body.messages.at(-1)?.content === question).length
    requests.push(record)
    const script = scripts.shift() ?? scenarioOf(question, attempt) ?? fallback ?? { text: `You said: ${question}` }
    const released = script.holdAfter === undefined ? Promise.resolve() : once(releases, 'release')
    response.on('close', () => {
      if (response.writableEnded) return
      record.aborted = true
      standIn.onAbort?.()
    })
    if (script.delayMs) await delay(script.delayMs)
    if (script.status !== undefined) {
      if (script.retryAfter !== undefined) response.setHeader('retry-after', script.retryAfter)
      const error = { message: script.message ?? `scripted ${script.status}`, code: script.status }
      return sendJson(response, script.hidesStatus ? 200 : script.status, { error })
    }
    const ref = script.generation ? `gen-${generations.push(script.generation)}` : 'chatcmpl-1'
    await stream(response, { ref, model: parsed.data.model }, script, released)
  }

  function answerGeneration(path: string, response: ServerResponse): void {
    const ref = path.split('?id=')[1] ?? ''
    const { missing = 0, ...data } = generations[Number(ref.slice('gen-'.length)) - 1] ?? { missing: Number.POSITIVE_INFINITY }
    generationRequests.push(ref)
    if (generationRequests.filter((asked) => asked === ref).length <= missing) sendJson(response, 404, { error: { message: 'not found', code: 404 } })
    else sendJson(response, 200, { data: { id: ref, ...data } })
  }

  function answerImages(body: string, response: ServerResponse): void {
    const { response_format: format, ...asked } = z.parse(ImageBody, JSON.parse(body))
    imageRequests.push(asked)
    // Newer models know no such field.
    const isRefused = format !== undefined && asked.model.endsWith('-new')
    if (images.length === 0) sendJson(response, 500, { error: { message: 'no picture' } })
    else if (isRefused) sendJson(response, 400, { error: { message: 'Unknown parameter: response_format' } })
    else sendJson(response, 200, { data: images.map((image) => ({ b64_json: image.toString('base64') })) })
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stand-in does not listen')
  const standIn: GatewayStandIn = {
    url: `http://127.0.0.1:${address.port}/v1`,
    next: (script) => void scripts.push(script),
    always: (script) => {
      fallback = script
    },
    release: () => void releases.emit('release'),
    requests,
    onAbort: undefined,
    images,
    imageRequests,
    generationRequests,
    holdModels: () => {
      modelsHeld = new Promise((resolve) => (releaseModels = resolve))
    },
    releaseModels: () => releaseModels(),
    get models() {
      return models
    },
    set models(listed) {
      models = listed
    },
    reset() {
      server.closeAllConnections()
      releases.emit('release')
      for (const list of [scripts, requests, images, imageRequests, generations, generationRequests]) list.length = 0
      fallback = undefined
      models = standInModels
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}

async function stream(response: ServerResponse, { ref, model }: { ref: string; model: string }, script: Script, released: Promise<unknown>): Promise<void> {
  const text = script.text ?? ''
  const chunk = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: ref, object: 'chat.completion.chunk', model, choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`
  const usageChunk = (usage: Usage): string => `data: ${JSON.stringify({ id: ref, object: 'chat.completion.chunk', model, choices: [], usage })}\n\n`
  if (script.inOnePiece) response.cork()
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  if (script.comments) response.write(': OPENROUTER PROCESSING\n\n')
  response.write(chunk({ role: 'assistant', content: '' }))

  const started = performance.now()
  let sentTokens = 0
  let sentCharacters = 0
  let { holdAfter = Number.POSITIVE_INFINITY, early } = script
  const reportEarly = (): void => {
    if (!early || sentCharacters < early.after) return
    response.write(usageChunk(early.usage))
    early = undefined
  }
  reportEarly()
  if (script.breakAfter === 0) return breakOff(response, script.breakBy ?? 'cut')
  for (const token of tokensOf(text)) {
    if (response.destroyed) return
    if (script.breakAfter !== undefined && sentCharacters >= script.breakAfter) return breakOff(response, script.breakBy ?? 'cut')
    if (sentCharacters >= holdAfter) {
      holdAfter = Number.POSITIVE_INFINITY
      await released
    }
    if (script.badUtf8 && sentTokens === 3)
      response.write(Buffer.concat([Buffer.from('data: {"choices":[{"delta":{"content":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}}]}\n\n')]))
    const hasRoom = response.write(chunk({ content: token }))
    sentTokens++
    sentCharacters += token.length
    reportEarly()
    if (script.comments && sentTokens % 5 === 0) response.write(': OPENROUTER PROCESSING\n\n')
    if (script.tokensPerSecond) {
      const ahead = (sentTokens / script.tokensPerSecond) * 1000 - (performance.now() - started)
      if (ahead > 4) await delay(ahead)
    } else if (!hasRoom && !script.inOnePiece) {
      await new Promise<void>((resolve) => {
        const goOn = (): void => {
          response.off('drain', goOn).off('close', goOn)
          resolve()
        }
        response.on('drain', goOn).on('close', goOn)
      })
    }
  }
  if (script.breakAfter !== undefined) return breakOff(response, script.breakBy ?? 'cut')
  response.write(chunk({}, { finish_reason: 'stop' }))
  const usage = script.usage ?? { prompt_tokens: 12, completion_tokens: sentTokens }
  if (!script.omitsUsage) response.write(usageChunk(usage))
  response.end(script.omitsDone ? '' : 'data: [DONE]\n\n')
}

/** Words with the space before them; what has no spaces comes in pieces. Joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(/\s*\S{1,24}|\s+/g) ?? []
}

function breakOff(response: ServerResponse, by: NonNullable<Script['breakBy']>): void {
  if (by === 'error') response.write(`data: ${JSON.stringify({ error: { code: 502, message: 'Provider returned error' }, choices: [] })}\n\n`)
  if (by === 'half') response.write('data: {"choices": [{"delta": {"con\n\n')
  if (by === 'cut') response.destroy()
  else response.end()
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--port')
  const standIn = await startGatewayStandIn(at < 0 ? 4010 : Number(process.argv[at + 1]))
  standIn.always({ text: markdownText, tokensPerSecond: 40, usage: { prompt_tokens: 20, completion_tokens: 120, cost: 0.0000047 } })
  process.stdout.write(`LLM_BASE_URL=${standIn.url}\n`)
}
