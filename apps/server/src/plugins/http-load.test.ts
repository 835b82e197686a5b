import { connect } from 'node:net'
import { serverLimits } from '@parley/contract/limits/server'
import { route } from '@parley/contract/route'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { testHttp } from '../testing/test-http'
import { registerBodyTime } from './body-time'
import { registerErrors } from './errors'
import { handle } from './handle'
import { registerLoadShedding } from './load-shedding'
import { registerMetrics } from './metrics'

const long = { words: 'word '.repeat(1_000) }
const List = z.object({ words: z.string() })
const listAt = (path: string) => route({ method: 'GET', path, response: List, summary: 'Long' })

async function listening(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

describe('answers', () => {
  it('are compressed where they are JSON and long, and never events, files or secrets', async () => {
    const { call } = await testHttp({
      mount: (http) => {
        for (const path of ['/api/list', '/api/auth/tokens'])
          handle(http, listAt(path), { permission: 'anyone' }, () => long)
        handle(http, listAt('/api/short'), { permission: 'anyone' }, () => ({ words: 'one' }))
        for (const type of ['text/event-stream', 'application/pdf'])
          http.get(`/api/${type.slice(-3)}`, (_, reply) => reply.type(type).send('x'.repeat(5_000)))
      },
    })
    const encodingOf = async (path: string) => {
      const response = await call(path, { headers: { 'accept-encoding': 'gzip, br' } })
      await response.arrayBuffer()
      return [response.status, response.headers.get('content-encoding')]
    }
    for (const path of ['/api/short', '/api/eam', '/api/pdf', '/api/auth/tokens'])
      expect(await encodingOf(path), path).toEqual([200, null])
    expect((await encodingOf('/api/list'))[1]).toMatch(/^(br|gzip)$/)
    const plain = await call('/api/list', { headers: { 'accept-encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), await plain.json()]).toEqual([null, long])
    expect(await (await call('/api/list')).json()).toEqual(long)
  })
})

describe('a process that cannot keep up', () => {
  it('refuses requests with a time to come back, but answers who watches it and what payment providers tell', async () => {
    const app = Fastify()
    registerErrors(app)
    registerMetrics(app, { token: undefined })
    registerLoadShedding(app, { heapBytes: 1, sampleMs: 5 })
    for (const path of ['/api/thing', '/api/health/live', '/api/billing/webhooks/stripe'])
      app.get(path, () => ({ fine: true }))
    const url = await listening(app)
    await expect.poll(async () => (await fetch(`${url}/api/thing`)).status).toBe(503)
    const refused = await fetch(`${url}/api/thing`)
    expect(refused.headers.get('retry-after')).toBe(String(serverLimits.http.shedRetrySeconds))
    expect(await refused.json()).toMatchObject({ success: false, code: 'unavailable', status: 503 })
    for (const path of ['/api/health/live', '/api/billing/webhooks/stripe', '/metrics'])
      expect((await fetch(`${url}${path}`)).status, path).toBe(200)
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/http_requests_shed_total [1-9]/)
  })
})

describe('a process whose event loop is late', () => {
  it.each([
    ['longer than', 200],
    ['shorter than', 1_000],
  ])('refuses requests, and takes them again as soon as it is in time: each turn %s a sample', async (_, sampleMs) => {
    const app = Fastify()
    registerErrors(app)
    registerMetrics(app, { token: undefined })
    registerLoadShedding(app, { eventLoopDelayMs: 150, sampleMs })
    app.get('/api/thing', () => ({ fine: true }))
    const url = await listening(app)
    // Read to its end, so that the next request takes the same connection: a new one needs several turns of the loop.
    const status = async (): Promise<number> => {
      const response = await fetch(`${url}/api/thing`)
      await response.arrayBuffer()
      return response.status
    }
    await expect.poll(status).toBe(200)
    const hog = setInterval(() => {
      const until = performance.now() + 400
      while (performance.now() < until);
    }, 1)
    onTestFinished(() => clearInterval(hog))
    await expect.poll(status).toBe(503)
    expect([await status(), await status(), await status()], 'as long as it is late').toEqual([503, 503, 503])
    clearInterval(hog)
    await expect.poll(status).toBe(200)
  })
})

describe('a body that takes long to arrive', () => {
  it('is waited for where a route takes large ones, and cut off elsewhere', async () => {
    const app = Fastify()
    const late: string[] = []
    const onLate = ({ url, raw }: { url: string; raw: { socket: { destroy(): void } } }): void => {
      late.push(url)
      raw.socket.destroy()
    }
    registerBodyTime(app, onLate, { usualMs: 20, largeMs: 60_000 })
    app.post('/small', () => ({}))
    app.post('/large', { bodyLimit: 2 * serverLimits.http.bodyBytes }, ({ body }) => body)
    const { port } = new URL(await listening(app))
    const slowly = (path: string) => {
      const socket = connect(Number(port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined)
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{"a`,
      )
      const said: Buffer[] = []
      socket.on('data', (bytes: Buffer) => said.push(bytes))
      const over = new Promise<string>((resolve) => socket.on('close', () => resolve(Buffer.concat(said).toString())))
      return { socket, over }
    }
    const [large, small] = [slowly('/large'), slowly('/small')]
    expect(await small.over).toBe('')
    expect(late).toEqual(['/small'])
    large.socket.write('":1}')
    expect(await large.over).toContain('{"a":1}')
  })
})
