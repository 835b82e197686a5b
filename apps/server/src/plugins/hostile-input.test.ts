import { uploadImagePath } from '@parley/contract/agents'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { buildTestApp, type TestApp } from '../testing/build-test-app'
import { aPerson, type Client } from '../testing/person'
import { databaseKind } from '../testing/test-databases'

const callsOfRoute = 12

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  minimum?: number
}
type Operation = {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

const id = '01a205b8-0370-7875-a271-4543792f2439'
/** What no schema may let through to where it breaks something. */
const hostile = ['a\0b@example.org', 'half \ud800', '9'.repeat(4_000), 1e308, -1, 2 ** 53, null, { $gt: '' }]

/** A value that the schema is likely to take, so that what is hostile stands alone in it. */
function plausible(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return plausible(choice)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, plausible(inner)]))
  if (type === 'array') return schema.items ? [plausible(schema.items)] : []
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  if (schema.format === 'date-time') return new Date(0).toISOString()
  return schema.format === 'uuid' || schema.pattern?.includes('[0-9a-f') ? id : 'Some-text-1'
}

/** The value with each of its leaves made hostile in turn. */
function* spoilt(value: unknown): Generator<unknown> {
  for (const bad of hostile) yield bad
  if (Array.isArray(value))
    for (const [index, inner] of value.entries()) for (const bad of spoilt(inner)) yield value.with(index, bad)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) for (const bad of spoilt(inner)) yield { ...value, [name]: bad }
}

async function operations(app: TestApp): Promise<{ method: string; path: string; operation: Operation }[]> {
  const { paths } = z.parse(Document, await (await app.call('/api/docs/json')).json())
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as Operation,
    })),
  )
}

/** What a server without a provider answers, whatever it is asked. */
const notConfigured = new Set(['auth.google-not-configured', 'payments.not-configured', 'payments.method-unavailable'])

async function expectNoFault(person: Client, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await person.send(method, path, body).catch((error: unknown) => {
    // A stream of events is no JSON.
    if (error instanceof SyntaxError) return { status: 200, body: undefined }
    throw error
  })
  const code =
    typeof answer.body === 'object' && answer.body !== null && 'code' in answer.body ? String(answer.body.code) : ''
  if (answer.status >= 500 && !notConfigured.has(code))
    expect.fail(`${method} ${path} answers ${answer.status} ${code} to ${JSON.stringify(body)?.slice(0, 300)}`)
}

describe('no input is answered with a fault of the server', () => {
  it('on any route, in any parameter, query or part of a body', async () => {
    const app = await buildTestApp({ kind: databaseKind, env: { RATE_LIMIT_SCALE: '0' } })
    const person = await aPerson(app, 'ana@example.org')
    const all = await operations(app)
    expect(all.length).toBeGreaterThan(60)
    for (const { method, path, operation } of all) {
      const given = operation.parameters ?? []
      const filled = (name?: string, bad?: unknown): string => {
        const at = (parameter: string, schema: Schema): string =>
          encodeURIComponent(wellFormed(parameter === name ? bad : plausible(schema)))
        const route = given
          .filter((each) => each.in === 'path')
          .reduce((url, { name: each, schema }) => url.replace(`{${each}}`, at(each, schema)), path)
        const query = given
          .filter((each) => each.in === 'query')
          .map(({ name: each, schema }) => `${each}=${at(each, schema)}`)
        return query.length > 0 ? `${route}?${query.join('&')}` : route
      }
      const schema = operation.requestBody?.content['application/json']?.schema
      const body = schema && plausible(schema)
      const calls = given.flatMap(({ name }) => hostile.map((bad) => ({ url: filled(name, bad), sent: body })))
      if (body !== undefined) for (const bad of spoilt(body)) calls.push({ url: filled(), sent: bad })
      calls.push({ url: filled(), sent: body })
      // Evenly over all of them: each value meets most leaves of some route.
      const step = Math.ceil(calls.length / callsOfRoute)
      const chosen = calls.filter((_, index) => index % step === 0)
      const inTurn = async (): Promise<void> => {
        for (let call = chosen.pop(); call; call = chosen.pop())
          await expectNoFault(person, method, call.url, call.sent)
      }
      await Promise.all(Array.from({ length: 8 }, inTurn))
    }
  }, 120_000)

  it('in a body that is nested deeper than any program reads', async () => {
    const app = await buildTestApp({ kind: databaseKind, env: { RATE_LIMIT_SCALE: '0' } })
    const person = await aPerson(app, 'ana@example.org')
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${person.tokens?.access_token}` }
    for (const { method, path, operation } of await operations(app))
      if (operation.requestBody) {
        const answer = await app.call(path, { method, headers, body: '['.repeat(100_000) + ']'.repeat(100_000) })
        expect(answer.status, path).toBeLessThan(500)
      }
  })

  it('in a form with a picture, however it is broken', async () => {
    const app = await buildTestApp({ kind: databaseKind, env: { RATE_LIMIT_SCALE: '0' } })
    const person = await aPerson(app, 'ana@example.org')
    const part =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    const forms: [type: string, body: string][] = [
      ['multipart/form-data; boundary=x', ''],
      ['multipart/form-data; boundary=x', '--x'],
      ['multipart/form-data; boundary=x', '--x--\r\n'],
      ['multipart/form-data; boundary=x', part],
      ['multipart/form-data; boundary=x', `${part}no picture`],
      ['multipart/form-data; boundary=x', `${part}no picture\r\n--x--\r\n`],
      ['multipart/form-data; boundary=x', `--x\r\n\r\n\r\n--x--\r\n`],
      ['multipart/form-data; boundary=x', `${part.replace('a.png', 'a\0.png')}x\r\n--x--\r\n`],
      ['multipart/form-data; boundary=x', `${part}${'x'.repeat(3 * 1024 * 1024)}`],
      ['multipart/form-data', `${part}x\r\n--x--\r\n`],
      ['multipart/form-data; boundary=', `${part}x\r\n--x--\r\n`],
      [`multipart/form-data; boundary=${'y'.repeat(300)}`, 'nothing'],
      ['multipart/mixed; boundary=x', `${part}x\r\n--x--\r\n`],
    ]
    for (const [type, body] of forms) {
      const headers = { 'content-type': type, authorization: `Bearer ${person.tokens?.access_token}` }
      const { status } = await app.call(uploadImagePath, { method: 'POST', headers, body })
      expect([400, 413, 415, 406], `${type}: ${body.slice(0, 120)}`).toContain(status)
    }
  })
})

/** As the text of an address: halves of a character cannot stand there. */
const wellFormed = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\p{Cs}/gu, '\ufffd')
