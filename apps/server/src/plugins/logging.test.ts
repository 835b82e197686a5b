import { route } from '@parley/contract/route'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { testHttp } from '../testing/test-http'
import { handle } from './handle'
import { createLogger, describeError } from './logging'

const echo = route({
  method: 'POST',
  path: '/api/echo/:id',
  params: z.object({ id: z.string() }),
  body: z.object({ text: z.string() }),
  response: z.object({ text: z.string() }),
  summary: 'Echo',
})

describe('logs', () => {
  it('name route, status and time, and hold no query, id, body, header, cookie or address', async () => {
    const http = await testHttp({
      env: { TRUST_PROXY: '127.0.0.1' },
      mount: (app) => {
        handle(app, echo, { permission: 'visitor' }, ({ body, request }) => {
          request.log.info({ req: request, headers: request.headers, token: 'secret-token', body }, 'careless')
          return body
        })
      },
    })
    const headers = {
      'content-type': 'application/json',
      cookie: 'parley.anon=secret-cookie.x',
      authorization: 'Bearer secret-bearer',
      'x-forwarded-for': '203.0.113.77',
      'user-agent': 'secret-agent',
    }
    const ok = await http.call('/api/echo/secret-id?token=secret-query', {
      method: 'POST',
      body: '{"text":"secret-text"}',
      headers,
    })
    await http.call('/api/echo/secret-id?token=secret-query', {
      method: 'POST',
      body: '{"text":7,"x":"secret-text"',
      headers,
    })
    await http.call('/secret-path?secret-query', { headers })
    expect(ok.status).toBe(200)

    const logs = http.logs()
    expect(logs).toContain('"route":"/api/echo/:id","status":200')
    expect(logs).toContain('"route":"/api/echo/:id","status":400')
    expect(logs).toContain('careless')
    expect(logs).not.toMatch(/secret/)
    expect(logs).not.toContain('203.0.113.77')
    expect(logs).not.toContain((ok.headers.get('set-cookie') ?? '').split(/[=.]/)[2])
  })

  it('cut out of an error what the database or a parser quotes', () => {
    const driver = Object.assign(new Error('invalid input syntax for type uuid: "secret-value"'), {
      severity: 'ERROR',
      code: '22P02',
      detail: 'secret-detail',
    })
    const text = JSON.stringify(
      describeError(new Error('Failed query: select $1\nparams: secret-parameter', { cause: driver })),
    )
    expect(text).toContain('select $1')
    expect(text).toContain('22P02')
    expect(text).not.toContain('secret')
    expect(JSON.stringify(describeError(new SyntaxError('Unexpected token in "secret"')))).not.toContain('secret')
  })

  it('keep to LOG_LEVEL', () => {
    const lines: string[] = []
    const log = createLogger({ level: 'warn', destination: { write: (line) => lines.push(line) } })
    log.info('quiet')
    log.warn('loud')
    expect(lines).toHaveLength(1)
  })
})
