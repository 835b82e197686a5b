// A model gateway for tests: the OpenAI and OpenRouter protocol over a real socket, with scripted answers, failures,
// delays and broken streams. A question may choose a scenario by a word such as #slow or #cut: gateway-scenarios.ts
// lists them. By hand: tsx apps/server/src/testing/gateway-stand-in.ts --port 4010, then
// LLM_BASE_URL=http://127.0.0.1:4010/v1.
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { markdownText, scenarioOf } from './gateway-scenarios'
import type { GatewayScript } from './gateway-script'
import { streamAnswer } from './gateway-stream'

const ContentPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({ url: z.string().check(z.startsWith('data:image/')) }),
  }),
])
/** `pictures`: their addresses, where the content is a list of parts. */
type StandInMessage = { role: 'system' | 'user' | 'assistant'; content: string; pictures?: string[] }

const Body = z.object({
  model: z.string(),
  stream: z.optional(z.boolean()),
  max_tokens: z.optional(z.number()),
  temperature: z.optional(z.number()),
  plugins: z.optional(z.array(z.object({ id: z.string(), max_results: z.optional(z.int()) }))),
  reasoning: z.optional(z.object({ effort: z.optional(z.string()), enabled: z.optional(z.boolean()) })),
  messages: z.array(
    z.pipe(
      z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.union([z.string(), z.array(ContentPart)]) }),
      z.transform(({ role, content }): StandInMessage => {
        if (typeof content === 'string') return { role, content }
        const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
        const pictures = content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))
        return { role, content: text.join('\n'), pictures }
      }),
    ),
  ),
})

export type GatewayRequest = {
  path: string
  authorization: string | undefined
  body: z.infer<typeof Body>
  aborted: boolean
}

const ImageBody = z.object({
  model: z.string(),
  prompt: z.string(),
  n: z.number(),
  response_format: z.optional(z.string()),
})

export type GatewayStandIn = {
  /** The value of LLM_BASE_URL, with the version. */
  url: string
  /** Adds the script of a further question, also as what is made from its request. */
  next(script: GatewayScript | ((request: GatewayRequest) => GatewayScript)): void
  /** The script of all questions that have none of `next`. */
  always(script: GatewayScript): void
  /** Continues all paused answers, and those that have not reached their pause yet. */
  release(): void
  requests: GatewayRequest[]
  /** Called when a client aborts an answer. */
  onAbort: (() => void) | undefined
  /** The pictures of every answer of the image model; without any it fails. */
  images: Buffer[]
  /** The requests to the image model. */
  imageRequests: { model: string; prompt: string; n: number }[]
  /** The ids with which GET /generation was called. */
  generationRequests: string[]
  /** The model list. */
  models: readonly object[]
  /** Clears scripts and requests, and aborts running answers. */
  reset(): void
  /** Delays the model list until `releaseModels`. */
  holdModels(): void
  releaseModels(): void
  close(): Promise<void>
}

export const standInModels = [
  {
    id: 'meta-llama/llama-3.1-8b-instruct',
    name: 'Llama 3.1 8B',
    context_length: 131_072,
    pricing: { prompt: '0.00000002', completion: '0.00000003' },
  },
  {
    id: 'stand-in/large',
    name: 'Large',
    context_length: 8_192,
    pricing: { prompt: '0.000001', completion: '0.000002' },
  },
  { id: 'stand-in/gratis:free', name: 'Gratis', context_length: 8_192, pricing: { prompt: '0', completion: '0' } },
]

export async function startGatewayStandIn(port = 0): Promise<GatewayStandIn> {
  const scripts: Parameters<GatewayStandIn['next']>[0][] = []
  let fallback: GatewayScript | undefined
  const requests: GatewayRequest[] = []
  const images: Buffer[] = []
  const imageRequests: GatewayStandIn['imageRequests'] = []
  const generationRequests: string[] = []
  const generations: NonNullable<GatewayScript['generation']>[] = []
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
    if (request.method !== 'POST' || !path.endsWith('/chat/completions'))
      return sendJson(response, 404, { error: { message: 'no such path' } })
    const parsed = z.safeParse(Body, JSON.parse(await readBody(request)))
    if (!parsed.success) return sendJson(response, 400, { error: { message: 'bad request', code: 400 } })
    const record: GatewayRequest = {
      path,
      authorization: request.headers.authorization,
      body: parsed.data,
      aborted: false,
    }
    const question = parsed.data.messages.at(-1)?.content ?? ''
    const attempt = requests.filter(({ body }) => body.messages.at(-1)?.content === question).length
    requests.push(record)
    const next = scripts.shift()
    const told = typeof next === 'function' ? next(record) : next
    const script = told ?? scenarioOf(question, attempt) ?? fallback ?? { text: `You said: ${question}` }
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
    await streamAnswer(response, { ref, model: parsed.data.model }, script, released)
  }

  function answerGeneration(path: string, response: ServerResponse): void {
    const ref = path.split('?id=')[1] ?? ''
    const { missing = 0, ...data } = generations[Number(ref.slice('gen-'.length)) - 1] ?? {
      missing: Number.POSITIVE_INFINITY,
    }
    generationRequests.push(ref)
    if (generationRequests.filter((requested) => requested === ref).length <= missing)
      sendJson(response, 404, { error: { message: 'not found', code: 404 } })
    else sendJson(response, 200, { data: { id: ref, ...data } })
  }

  function answerImages(body: string, response: ServerResponse): void {
    const { response_format: format, ...image } = z.parse(ImageBody, JSON.parse(body))
    imageRequests.push(image)
    // Newer image models do not know this field.
    const isRefused = format !== undefined && image.model.endsWith('-new')
    if (images.length === 0) sendJson(response, 500, { error: { message: 'no picture' } })
    else if (isRefused) sendJson(response, 400, { error: { message: 'Unknown parameter: response_format' } })
    else sendJson(response, 200, { data: images.map((bytes) => ({ b64_json: bytes.toString('base64') })) })
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
  standIn.always({
    text: markdownText,
    tokensPerSecond: 40,
    usage: { prompt_tokens: 20, completion_tokens: 120, cost: 0.0000047 },
  })
  process.stdout.write(`LLM_BASE_URL=${standIn.url}\n`)
}
