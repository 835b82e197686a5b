import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { braveKey, type SearchStandIn, startBrave, startSearxng, startServer } from '../../testing/search-stand-ins'
import { createEgress } from '../egress'
import { createBrave } from './brave'
import { SearchFailedError, type SearchProvider } from './search-provider'
import { createSearxng } from './searxng'

const egress = createEgress()
const never = new AbortController().signal
const page = { url: 'https://example.org/a', title: 'A', content: 'About it' }
const ask = (engine: SearchProvider, { query = 'rents 2026', language = 'pt-BR', signal = never } = {}) =>
  engine.search({ query, language, signal })

type Started = { standIn: SearchStandIn; engine: SearchProvider }
const engines: [string, (timeoutMs?: number) => Promise<Started>][] = [
  [
    'SearXNG',
    async (timeoutMs) => {
      const standIn = await startSearxng(onTestFinished)
      return { standIn, engine: createSearxng({ egress, baseUrl: standIn.url, ...(timeoutMs && { timeoutMs }) }) }
    },
  ],
  [
    'Brave',
    async (timeoutMs) => {
      const standIn = await startBrave(onTestFinished)
      const engine = createBrave({ egress, apiKey: braveKey, baseUrl: standIn.url, ...(timeoutMs && { timeoutMs }) })
      return { standIn, engine }
    },
  ],
]

describe.each(engines)('%s', (_name, start) => {
  it('finds pages of the web in its order, and leaves out what is no address', async () => {
    const { standIn, engine } = await start()
    const others = ['javascript:alert(1)', 'file:///etc/passwd', 'nothing'].map((url) => ({ url, title: 'No' }))
    standIn.results = [page, ...others, { url: 'http://b.example/', title: ' ' }]
    expect(await ask(engine)).toEqual([
      { url: page.url, title: 'A' },
      { url: 'http://b.example/', title: 'b.example' },
    ])
    expect(standIn.last.get('q')).toBe('rents 2026')
    standIn.results = []
    expect(await ask(engine, { language: 'fil-PH' })).toEqual([])
  })

  it('fails where the engine refuses, redirects, answers no JSON, another shape, too much, or not at all', async () => {
    const { standIn, engine } = await start()
    const elsewhere: string[] = []
    const other = await startServer((request, response) => {
      elsewhere.push(request.url ?? '')
      response.end('{}')
    }, onTestFinished)
    const huge = Buffer.alloc(serverLimits.sources.search.answerBytes + 1, 0x20)
    const faults: NonNullable<SearchStandIn['fault']>[] = [
      (_request, response) => response.writeHead(429).end('{}'),
      (_request, response) => response.writeHead(302, { location: other.url }).end(),
      (_request, response) => response.end('<html>'),
      (_request, response) => response.end('{"results":7,"web":7}'),
      (_request, response) => response.end('[]'),
      (_request, response) => response.end(huge),
      (request) => request.socket.destroy(),
    ]
    for (const fault of faults) {
      standIn.fault = fault
      await expect(ask(engine)).rejects.toBeInstanceOf(SearchFailedError)
    }
    expect(elsewhere).toEqual([])
  })

  it('fails where the engine takes too long, also in the middle of its answer', async () => {
    const { standIn, engine } = await start(40)
    standIn.fault = () => undefined
    await expect(ask(engine)).rejects.toBeInstanceOf(SearchFailedError)
    standIn.fault = (_request, response) => void response.write('{"results":[')
    await expect(ask(engine)).rejects.toBeInstanceOf(SearchFailedError)
  })

  it('is not waited for once the question is stopped', async () => {
    const { standIn, engine } = await start()
    const stop = new AbortController()
    standIn.fault = () => stop.abort(new Error('stopped'))
    await expect(ask(engine, { signal: stop.signal })).rejects.not.toBeInstanceOf(SearchFailedError)
  })
})

it('Brave gets as many words as it takes, and a language that it knows', async () => {
  const standIn = await startBrave(onTestFinished)
  standIn.results = [page]
  const engine = createBrave({ egress, apiKey: braveKey, baseUrl: standIn.url })
  expect(await ask(engine, { query: 'a '.repeat(80), language: 'xx' })).toHaveLength(1)
  expect(standIn.last.get('q')?.split(' ')).toHaveLength(50)
  await ask(engine, { language: 'pt-BR' })
  expect(standIn.last.get('search_lang')).toBe('pt-br')
})
