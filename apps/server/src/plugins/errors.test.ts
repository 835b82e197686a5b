import { connect } from 'node:net'
import { ErrorBody } from '@parley/contract/error-body'
import { errorCatalogue } from '@parley/contract/error-catalogue'
import { AppError, isErrorCode } from '@parley/contract/errors'
import { route } from '@parley/contract/route'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { testHttp } from '../testing/test-http'
import { handle } from './handle'

const routes = {
  rename: route({
    method: 'PUT',
    path: '/api/thing/:id',
    params: z.object({ id: z.string().check(z.maxLength(5)) }),
    query: z.object({ size: z.optional(z.coerce.number().check(z.int())) }),
    body: z.object({ name: z.string().check(z.minLength(2)), tags: z.optional(z.array(z.string())) }),
    response: z.object({ id: z.string(), name: z.string(), size: z.optional(z.number()) }),
    summary: 'Rename a thing',
  }),
  fail: route({
    method: 'GET',
    path: '/api/fail/:how',
    params: z.object({ how: z.string() }),
    response: z.object({ fine: z.boolean() }),
    summary: 'Fail',
  }),
}

function mount(http: FastifyInstance): void {
  handle(http, routes.rename, { permission: 'anyone' }, ({ params, query, body }) => ({
    ...query,
    ...body,
    id: params.id,
  }))
  handle(http, routes.fail, { permission: 'anyone' }, ({ params }) => {
    if (params.how === 'locked') throw new AppError('channel.locked-delete')
    if (isErrorCode(params.how) && params.how.startsWith('credits.')) throw new AppError(params.how)
    if (params.how === 'client-code') throw new AppError('network')
    if (params.how === 'wrong-answer') return JSON.parse('{"fine":"certainly not"}')
    throw new Error('the reason that stays inside')
  })
}

const put = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'PUT',
  body,
  headers: { 'content-type': 'application/json', ...headers },
})

describe('errors of the HTTP API', () => {
  it('answers success as the resource itself and ignores unknown fields', async () => {
    const http = await testHttp({ mount })
    const response = await http.call('/api/thing/a1?size=3&other=1', put('{"name":"Tea","unknown":1}'))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ id: 'a1', name: 'Tea', size: 3 })
  })

  it('names the wrong fields of body, query and path', async () => {
    const http = await testHttp({ mount })
    const wrongBody = await http.call('/api/thing/a1', put('{"name":"T","tags":[1]}'))
    expect(wrongBody.status).toBe(400)
    expect(await wrongBody.json()).toMatchObject({
      success: false,
      code: 'validation',
      status: 400,
      issues: [{ path: 'name' }, { path: 'tags.0' }],
    })
    expect((await http.call('/api/thing/a1?size=x', put('{"name":"Tea"}'))).status).toBe(400)
    expect((await http.call('/api/thing/far-too-long', put('{"name":"Tea"}'))).status).toBe(400)
  })

  it('refuses malformed JSON, a poisoned prototype, a foreign type and a huge body, and goes on', async () => {
    const http = await testHttp({ mount })
    const answers = [
      await http.call('/api/thing/a1', put('{"name":')),
      await http.call('/api/thing/a1', put('{"name":"Tea","__proto__":{"admin":true}}')),
      await http.call('/api/thing/a1', put('{"name":"Tea","constructor":{"prototype":{"admin":true}}}')),
      await http.call('/api/thing/a1', { method: 'PUT', body: '<a/>', headers: { 'content-type': 'application/xml' } }),
      await http.call('/api/thing/a1', put(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }))),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 415, 413])
    for (const answer of answers)
      expect(await answer.json()).toMatchObject({
        success: false,
        code: answer.status === 413 ? 'body.too-large' : 'validation',
      })
    expect((await http.call('/api/thing/a1', put('{"name":"Tea"}'))).status).toBe(200)
  })

  it('speaks the language of the person, with pt-PT as pt-BR and en-US for the unknown [CH-008] [CH-009]', async () => {
    const http = await testHttp({ mount })
    const message = async (path: string, language?: string) =>
      z.parse(
        ErrorBody,
        await (await http.call(path, language ? { headers: { 'accept-language': language } } : {})).json(),
      ).message
    expect(await message('/api/fail/locked')).toBe('This channel is locked and cannot be deleted')
    expect(await message('/api/fail/locked', 'de-DE,pt-PT;q=0.9,en;q=0.8')).toBe(
      'Este canal está bloqueado e não pode ser excluído',
    )
    expect(await message('/api/fail/locked', 'en;q=0.5, es;q=0.7')).toBe(
      'Este canal está bloqueado y no se puede eliminar',
    )
    expect(await message('/api/fail/locked?lang=es-MX', 'pt-BR')).toBe(
      'Este canal está bloqueado y no se puede eliminar',
    )
    expect(await message('/api/fail/locked', 'xx;;;q=,')).toBe('This channel is locked and cannot be deleted')
  })

  it('hides the reason of a mistake of ours and logs it [ST-236]', async () => {
    const http = await testHttp({ mount })
    for (const how of ['crash', 'wrong-answer', 'client-code']) {
      const response = await http.call(`/api/fail/${how}`)
      expect(response.status).toBe(500)
      expect(await response.json()).toEqual({
        success: false,
        code: 'server-error',
        message: 'Server error. Please try again later.',
        status: 500,
      })
    }
    expect(http.logs()).toContain('the reason that stays inside')
    expect(http.logs()).not.toContain('certainly not')
  })

  it('says of every refusal about credits, and of no other, that they are the limit of the plan [ST-070]', async () => {
    const http = await testHttp({ mount })
    const codes = Object.keys(errorCatalogue).filter((code) => code.startsWith('credits.'))
    expect(codes).not.toEqual([])
    for (const code of codes) {
      const answer = await http.call(`/api/fail/${code}`)
      expect([answer.status, await answer.json()]).toMatchObject([
        402,
        { success: false, code, status: 402, planLimit: true, planLimitErrorType: 'credits' },
      ])
    }
    expect(Object.keys((await (await http.call('/api/fail/locked')).json()) as object)).toEqual([
      'success',
      'code',
      'message',
      'status',
    ])
    const described = JSON.stringify(await (await http.call('/api/docs/json')).json())
    for (const field of ['planLimit', 'planLimitErrorType']) expect(described).toContain(`"${field}":`)
  })

  it('answers unknown calls, methods and broken addresses as JSON with message, success, code and status [ST-237]', async () => {
    const http = await testHttp({ mount })
    for (const [path, method, status] of [
      ['/api/nothing', 'GET', 404],
      ['/api', 'GET', 404],
      ['/api/thing/a1', 'DELETE', 404],
      ['/models/nothing', 'GET', 404],
      ['/api/%E0%A4%A', 'GET', 400],
    ] as const) {
      const response = await http.call(path, { method, headers: { accept: 'text/html' } })
      expect([path, response.status]).toEqual([path, status])
      expect(await response.json()).toMatchObject({ success: false, status })
    }
  })

  it('answers what is no HTTP and goes on', async () => {
    const http = await testHttp({ mount })
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(http.url).port), '127.0.0.1', () =>
        socket.write('\u0000\u0001 nonsense\r\n\r\n'),
      )
      let text = ''
      socket.on('data', (data) => {
        text += data.toString()
      })
      socket.on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('"success":false')
    expect((await http.call('/api/fail/locked')).status).toBe(423)
  })
})
