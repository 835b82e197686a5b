import { serverLimits } from '@parley/contract/limits/server'
import { route } from '@parley/contract/route'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type TestHttp, testHttp } from '../testing/test-http'
import { addressHasher } from './address'
import { handle } from './handle'

const knock = route({ method: 'POST', path: '/api/knock', response: z.object({ open: z.boolean() }), summary: 'Knock' })
const other = route({ method: 'GET', path: '/api/other', response: z.object({ open: z.boolean() }), summary: 'Other' })

function mount(http: FastifyInstance): void {
  handle(http, knock, { permission: 'anyone', perMinute: 4 }, () => ({ open: true }))
  handle(http, other, { permission: 'anyone', perMinute: 4 }, () => ({ open: true }))
}

async function statuses(
  http: TestHttp,
  times: number,
  headers: (n: number) => Record<string, string> = () => ({}),
): Promise<number[]> {
  const found: number[] = []
  for (let n = 0; n < times; n++)
    found.push((await http.call('/api/knock', { method: 'POST', headers: headers(n) })).status)
  return found
}

describe('rate limit', () => {
  it('refuses with the time to wait, per route', async () => {
    const http = await testHttp({ mount })
    expect(await statuses(http, 5)).toEqual([200, 200, 200, 200, 429])
    const refused = await http.call('/api/knock', { method: 'POST' })
    expect(await refused.json()).toEqual({
      success: false,
      code: 'rate-limited',
      message: 'Too many attempts. Please wait a few minutes.',
      status: 429,
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await http.call('/api/other')).status).toBe(200)
  })

  it('does not punish an office: who is signed in is counted by themselves, and all of one address only far above', async () => {
    const http = await testHttp({ mount })
    for (const person of ['ana', 'bob'])
      expect(await statuses(http, 5, () => ({ authorization: `Bearer ${person}` }))).toEqual([200, 200, 200, 200, 429])
    expect(await statuses(http, 1)).toEqual([200])
    const many = await statuses(http, 4 * serverLimits.http.peoplePerAddress, (n) => ({
      authorization: `Bearer person-${n}`,
    }))
    expect(many.at(-1)).toBe(429)
  })

  it('cannot be dodged by a forged address', async () => {
    const http = await testHttp({ mount })
    expect(await statuses(http, 5, (n) => ({ 'x-forwarded-for': `203.0.113.${n}` }))).toEqual([200, 200, 200, 200, 429])
  })

  it('counts the address that a trusted proxy names', async () => {
    const http = await testHttp({ mount, env: { TRUST_PROXY: '127.0.0.1' } })
    expect(await statuses(http, 6, (n) => ({ 'x-forwarded-for': `203.0.113.${n}` }))).toEqual([
      200, 200, 200, 200, 200, 200,
    ])
    // What stands left of the proxy's own entry was written by the client.
    expect(await statuses(http, 5, (n) => ({ 'x-forwarded-for': `198.51.100.${n}, 203.0.113.99` }))).toEqual([
      200, 200, 200, 200, 429,
    ])
  })

  it('is scaled and switched off by RATE_LIMIT_SCALE', async () => {
    const half = await testHttp({ mount, env: { RATE_LIMIT_SCALE: '0.5' } })
    expect(await statuses(half, 3)).toEqual([200, 200, 429])
    const off = await testHttp({ mount, env: { RATE_LIMIT_SCALE: '0' } })
    expect(new Set(await statuses(off, 20))).toEqual(new Set([200]))
  })
})

describe('address hash', () => {
  const hash = addressHasher(Buffer.alloc(32, 7))
  const day = 86_400_000

  it('is the same for spellings of one address and for one IPv6 network', () => {
    expect(hash('::ffff:192.0.2.1', 0)).toBe(hash('192.0.2.1', 0))
    expect(hash('2001:db8::1', 0)).toBe(hash('2001:DB8:0:0:ffff::2', 0))
    expect(hash('2001:db8:0:1::1', 0)).not.toBe(hash('2001:db8::1', 0))
  })

  it('does not show the address and changes every day', () => {
    expect(hash('192.0.2.1', 0)).not.toContain('192')
    expect(hash('192.0.2.1', 0)).not.toBe(hash('192.0.2.1', day))
  })
})
