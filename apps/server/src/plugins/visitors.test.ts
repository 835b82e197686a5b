import { route } from '@parley/contract/route'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { testHttp } from '../testing/test-http'
import { handle } from './handle'

const Who = z.object({ subject: z.string() })
const who = route({ method: 'GET', path: '/api/who', response: Who, summary: 'Who' })
const subjectOf = async (response: Response) => z.parse(Who, await response.json())

function mount(http: FastifyInstance): void {
  handle(http, who, { permission: 'visitor' }, ({ subject }) => ({ subject }))
}

describe('anonymous cookie', () => {
  it('is set once, not readable by scripts, and keeps a visitor the same', async () => {
    const http = await testHttp({ mount })
    const first = await http.call('/api/who')
    const cookie = first.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^parley\.anon=[\w-]+\.[\w-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    const { subject } = await subjectOf(first)
    expect(subject).toMatch(/^anon:[\w-]{22}$/)

    const again = await http.call('/api/who', { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(again.headers.get('set-cookie')).toBeNull()
    expect(await again.json()).toEqual({ subject })
  })

  it('travels over HTTPS only where the public address is HTTPS', async () => {
    const http = await testHttp({ mount, env: { PUBLIC_URL: 'https://chat.example.org' } })
    expect((await http.call('/api/who')).headers.get('set-cookie')).toContain('; Secure')
  })

  it('cannot be forged', async () => {
    const http = await testHttp({ mount })
    const cookie = ((await http.call('/api/who')).headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const [id = '', signature = ''] = cookie.replace('parley.anon=', '').split('.')
    for (const forged of [
      `x${id.slice(1)}.${signature}`,
      `${id}.`,
      id,
      `${id}.${signature}.${signature}`,
      `${id}.${signature.toUpperCase()}`,
      '.',
      '%00.%00',
    ]) {
      const response = await http.call('/api/who', { headers: { cookie: `parley.anon=${forged}` } })
      expect([forged, response.headers.get('set-cookie') !== null]).toEqual([forged, true])
      expect((await subjectOf(response)).subject).not.toBe(`anon:${id}`)
    }
  })
})
