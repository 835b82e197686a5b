import { SocketTicket } from '@parley/contract/session'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { socketTickets } from '../../db/schema/tickets'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { redeemTicket } from './public/socket-tickets'
import { issueTicket, sweepTickets } from './ticket-service'

const post = (origin?: string): RequestInit => ({ method: 'POST', ...(origin ? { headers: { origin } } : {}) })

const ticketOf = async (response: Response) => z.parse(SocketTicket, await response.json())

describe.each(databases)('socket tickets on %s', (kind) => {
  it('open the socket once, for the visitor who asked [ST-082]', async () => {
    const app = await buildTestApp({ kind })
    const response = await app.call('/api/ws/ticket', post())
    expect(response.status).toBe(200)
    expect(response.headers.get('set-cookie')).toContain('HttpOnly')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { token, expires_in } = await ticketOf(response)
    expect(expires_in).toBe(30)
    expect(token).toMatch(/^[\w-]{43}$/)

    const now = Date.now()
    const redeemed = await Promise.all(Array.from({ length: 5 }, () => redeemTicket(app.db, token, now)))
    expect(redeemed.flatMap((holder) => (holder ? [holder.subject] : []))).toEqual([
      expect.stringMatching(/^anon:[\w-]{22}$/),
    ])
    expect(await redeemTicket(app.db, 'made-up', now)).toBeUndefined()
  })

  it('are bound to the cookie of the visitor', async () => {
    const app = await buildTestApp({ kind })
    const first = await app.call('/api/ws/ticket', post())
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const again = await app.call('/api/ws/ticket', { method: 'POST', headers: { cookie } })
    const other = await app.call('/api/ws/ticket', post())
    const subjects = []
    for (const response of [first, again, other])
      subjects.push((await redeemTicket(app.db, (await ticketOf(response)).token, Date.now()))?.subject)
    expect(subjects[0]).toBe(subjects[1])
    expect(subjects[0]).not.toBe(subjects[2])
  })

  it('expire after 30 seconds and are swept away', async () => {
    const { db } = await buildTestApp({ kind })
    const { token } = await issueTicket(db, { subject: 'anon:slow', sessionId: undefined }, 1_000_000)
    expect(await redeemTicket(db, token, 1_030_000)).toBeUndefined()
    await issueTicket(db, { subject: 'anon:fresh', sessionId: undefined }, 1_020_000)
    await sweepTickets(db, 1_030_000)
    expect(await db.select({ subject: socketTickets.subject }).from(socketTickets)).toEqual([{ subject: 'anon:fresh' }])
  })

  it('are stored as a hash only', async () => {
    const { db } = await buildTestApp({ kind })
    const { token } = await issueTicket(db, { subject: 'anon:a', sessionId: undefined }, Date.now())
    expect(await db.select().from(socketTickets).where(eq(socketTickets.tokenHash, token))).toEqual([])
  })
})

describe('the origin of who asks for a ticket', () => {
  it('is this server, under any name of this machine while PUBLIC_URL is not set', async () => {
    const app = await buildTestApp()
    const { port } = new URL(app.url)
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`])
      expect((await app.call('/api/ws/ticket', post(origin))).status).toBe(200)
    for (const origin of ['https://evil.example', 'http://localhost:1', `https://localhost:${port}`, 'null']) {
      const response = await app.call('/api/ws/ticket', post(origin))
      expect(await response.json()).toMatchObject({ success: false, code: 'forbidden', status: 403 })
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  it('is PUBLIC_URL alone where it is set', async () => {
    const app = await buildTestApp({ env: { PUBLIC_URL: 'https://chat.example.org' } })
    expect((await app.call('/api/ws/ticket', post('https://chat.example.org'))).status).toBe(200)
    expect((await app.call('/api/ws/ticket', post(app.url))).status).toBe(403)
  })
})
