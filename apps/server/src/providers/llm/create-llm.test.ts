import { createServer } from 'node:http'
import { errorText } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGatewayStandIn } from '../../testing/gateway-stand-in'
import { createEgress, type Egress } from '../egress'
import type { LlmProvider } from '../llm'
import { createLlm } from './create-llm'

const make = (more: Partial<Parameters<typeof createLlm>[0]> = {}): Promise<LlmProvider> =>
  createLlm({
    baseUrl: undefined,
    apiKey: undefined,
    defaultModel: undefined,
    egress: createEgress(),
    log: pino({ level: 'silent' }),
    localAddresses: [],
    ...more,
  })

async function say(llm: LlmProvider, language: string, model = llm.defaultModel): Promise<string> {
  let text = ''
  const request = { model, messages: [{ role: 'user' as const, content: 'Hello' }], language }
  for await (const event of llm.chat(request, new AbortController().signal))
    if (event.type === 'text') text += event.text
  return text
}

function withLimits(changed: Partial<Record<keyof typeof serverLimits.upstream, number>>): void {
  const before = { ...serverLimits.upstream }
  Object.assign(serverLimits.upstream, changed)
  onTestFinished(() => void Object.assign(serverLimits.upstream, before))
}

/** A server that knows a list of models only. */
async function listServer(list: () => unknown, status = () => 200): Promise<string> {
  const server = createServer((_, response) =>
    response.writeHead(status(), { 'content-type': 'application/json' }).end(JSON.stringify(list())),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}/v1`
}

describe('without any model', () => {
  it.each([
    ['en-US', 'No model is connected'],
    ['pt-BR', 'Nenhum modelo está conectado'],
    ['es-MX', 'No hay ningún modelo conectado'],
  ])('the built-in text says so in %s, and how to connect one', async (language, words) => {
    const llm = await make()
    expect(llm).toMatchObject({ kind: 'offline', defaultModel: 'parley/offline' })
    expect(await llm.models()).toEqual([expect.objectContaining({ id: 'parley/offline', free: true })])
    const text = await say(llm, language)
    for (const part of [words, 'ollama run', 'LLM_API_KEY=', 'LLM_BASE_URL']) expect(text).toContain(part)
  })
})

describe('a model server on this machine', () => {
  it('is found by itself; its models are free, and the first one answers by default', async () => {
    const standIn = await startGatewayStandIn()
    onTestFinished(() => standIn.close())
    const llm = await make({ localAddresses: ['http://127.0.0.1:9/v1', standIn.url], defaultModel: 'not/there' })
    expect(llm).toMatchObject({ kind: 'local', defaultModel: 'meta-llama/llama-3.1-8b-instruct' })
    expect((await llm.models()).every(({ free }) => free)).toBe(true)
    expect(await say(llm, 'en-US')).toBe('You said: Hello')
    expect(standIn.requests[0]?.authorization).toBeUndefined()
  })
})

describe('the list of models', () => {
  it('has prices, sizes and what is free; entries without an id are left out [ST-052, ST-119]', async () => {
    const url = await listServer(() => ({
      data: [
        {
          id: 'a/paid',
          name: 'Paid',
          description: 'd',
          context_length: 8_192,
          pricing: { prompt: '0.000001', completion: 0.000002 },
          architecture: { modality: 'text' },
        },
        { id: 'b/gift:free' },
        { id: 'c/zero', pricing: { prompt: '0', completion: '0' } },
        { id: 'e/each', pricing: { prompt: '0', completion: '0', request: '0.005', image: '0' } },
        { id: 'f/untold', pricing: { prompt: '', completion: ' ' } },
        { name: 'nobody' },
        { id: 'd/odd', context_length: 'many', pricing: 'cheap', architecture: 7 },
      ],
    }))
    const llm = await make({ baseUrl: url, defaultModel: 'a/paid' })
    expect(llm).toMatchObject({ kind: 'gateway', defaultModel: 'a/paid' })
    expect(await llm.models()).toEqual([
      {
        id: 'a/paid',
        name: 'Paid',
        description: 'd',
        contextTokens: 8_192,
        pricing: { prompt: '0.000001', completion: '0.000002' },
        architecture: { modality: 'text' },
        free: false,
      },
      { id: 'b/gift:free', name: 'b/gift:free', free: true },
      { id: 'c/zero', name: 'c/zero', pricing: { prompt: '0', completion: '0' }, free: true },
      { id: 'e/each', name: 'e/each', pricing: { prompt: '0', completion: '0', request: '0.005' }, free: false },
      { id: 'f/untold', name: 'f/untold', pricing: { prompt: '', completion: ' ' }, free: false },
      { id: 'd/odd', name: 'd/odd', free: false },
    ])
  })

  it('is empty while the gateway fails, and comes when it is back', async () => {
    let status = 500
    const url = await listServer(
      () => ({ data: [{ id: 'late' }] }),
      () => status,
    )
    withLimits({ modelsRetryMs: 0 })
    const llm = await make({ baseUrl: url })
    expect(await llm.models()).toEqual([])
    status = 200
    expect(await llm.models()).toEqual([{ id: 'late', name: 'late', free: false }])
    status = 500
    expect(await llm.models()).toHaveLength(1)
  })

  it('holds up one question, not each, when the gateway does not answer', async () => {
    withLimits({ modelsTimeoutMs: 20 })
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    // Counted where it leaves: on a busy machine its time may be over before it arrives.
    let asked = 0
    const egress = createEgress()
    const counted: Egress = {
      ...egress,
      service: (options) => {
        const ask = egress.service(options)
        return (path, request) => {
          asked++
          return ask(path, request)
        }
      },
    }
    const llm = await make({ baseUrl: `http://127.0.0.1:${address.port}/v1`, egress: counted })
    for (let question = 0; question < 3; question++) expect(await llm.models()).toEqual([])
    expect(asked).toBe(1)
  })
})

describe('the door to the outside', () => {
  it('sends a secret to its own origin only, and follows no redirect', async () => {
    const seen: (string | undefined)[] = []
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const address = other.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const redirecting = createServer((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${address.port}/v1/models` }).end(),
    )
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void redirecting.close())
    const own = redirecting.address()
    if (own === null || typeof own === 'string') throw new Error('no port')

    const service = createEgress().service({
      baseUrl: `http://127.0.0.1:${own.port}/v1`,
      headers: { authorization: 'Bearer secret' },
    })
    const signal = new AbortController().signal
    expect(await service('models', { signal })).toMatchObject({ status: 307, isOk: false })
    await expect(service(`http://127.0.0.1:${address.port}/v1/models`, { signal })).rejects.toThrow('own origin')
    await expect(service(`//127.0.0.1:${address.port}/`, { signal })).resolves.toMatchObject({ isOk: false })
    expect(seen).toEqual([])
  })
})

it('every failure of a gateway has a text in every language', () => {
  for (const language of ['en-US', 'pt-BR', 'es-ES']) expect(errorText('upstream.busy', language)).not.toBe('')
})
