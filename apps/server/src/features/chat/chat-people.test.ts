import { randomUUID } from 'node:crypto'
import { closeCode } from '@parley/contract/chat-protocol'
import { serverLimits } from '@parley/contract/limits/server'
import { SocketTicket } from '@parley/contract/session'
import { eq } from 'drizzle-orm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import { sessions } from '../../db/schema/auth'
import { generations } from '../../db/schema/chat'
import { users } from '../../db/schema/users'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { ChatClient, inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, type ChatApp, redisUrl } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { aPerson, Client, goodPassword } from '../../testing/person'

const email = 'ana@example.org'
const tokenOf = ({ tokens }: { tokens: { access_token: string } | undefined }): string => tokens?.access_token ?? ''

/** As a browser asks: with its origin. */
async function ticketOf(app: ChatApp, person: Client): Promise<{ token: string; cookie: string }> {
  const authorization = person.tokens ? { authorization: `Bearer ${person.tokens.access_token}` } : {}
  const response = await app.call('/api/ws/ticket', { method: 'POST', headers: { origin: app.url, ...authorization } })
  const { token } = z.parse(SocketTicket, await response.json())
  return { token, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

function opens(app: ChatApp, token: string, headers: Record<string, string>): Promise<boolean> {
  const socket = new WebSocket(`${app.wsUrl}/ws/chat?channelId=local&token=${token}`, { headers })
  onTestFinished(() => socket.terminate())
  return new Promise((resolve) => socket.once('open', () => resolve(true)).once('error', () => resolve(false)))
}

describe.each(databases)('a signed-in person on the chat socket, on %s', (kind) => {
  it('asks in their own name, with a ticket or, as a program, with the access token [ST-082]', async () => {
    const app = await buildChatApp({ kind, bus: 'memory' })
    const ana = await aPerson(app, email)
    const client = await new Visitor(tokenOf(ana)).connect(app)
    const id = client.ask('Who am I?')
    await client.untilEvent('end', id)
    const rows = await app.db.select({ subject: generations.subject }).from(generations)
    expect(rows).toEqual([{ subject: `user:${ana.answer.user.id}` }])

    const stolen = await ticketOf(app, ana)
    expect(await opens(app, stolen.token, {}), 'in a program').toBe(false)
    const again = await ticketOf(app, ana)
    const other = await ticketOf(app, new Client(app))
    expect(await opens(app, again.token, { cookie: other.cookie }), 'in another browser').toBe(false)
    const own = await ticketOf(app, ana)
    expect(await opens(app, own.token, { cookie: own.cookie }), 'in the browser that asked').toBe(true)

    const socket = new WebSocket(`${app.wsUrl}/ws/chat?channelId=local`, {
      headers: { authorization: `Bearer ${tokenOf(ana)}` },
    })
    onTestFinished(() => socket.terminate())
    const program = new ChatClient(socket)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    program.send({ event: 'resume', messageId: id, afterSeq: 0 })
    await program.untilEvent('end', id)
  })

  it('cannot see or stop the answer of another person', async () => {
    const app = await buildChatApp({ kind, bus: 'memory' })
    app.gateway.next({ text: words(200), tokensPerSecond: 200 })
    const ana = await aPerson(app, email)
    const eve = await aPerson(app, 'eve@example.org')
    const hers = await new Visitor(tokenOf(ana)).connect(app)
    const id = hers.ask('Mine.')
    await hers.untilText('word5')
    const spy = await new Visitor(tokenOf(eve)).connect(app)
    spy.send({ event: 'resume', messageId: id, afterSeq: 0 })
    spy.send({ event: 'stop-message', messageId: id })
    expect(await spy.untilEvent('error', id)).toMatchObject({ code: 'chat.answer-gone' })
    await hers.untilEvent('end', id)
    expect(textOf(inOrder(hers.frames, id))).toBe(words(200))
  })

  it('stays on a socket for longer than an access token lives', async () => {
    let ahead = 0
    const app = await buildChatApp({ kind, bus: 'memory' }, { now: () => Date.now() + ahead })
    const ana = await aPerson(app, email)
    const client = await new Visitor(tokenOf(ana)).connect(app)
    ahead = 2 * serverLimits.auth.accessTokenSeconds * 1000
    await client.untilEvent('end', client.ask('Still here?'))
  })

  it('is put out at once when the session ends: by logout, by a new password, by deletion', async () => {
    const app = await buildChatApp({ kind, bus: 'memory' }, { env: { RATE_LIMIT_SCALE: '0' } })
    const ana = await aPerson(app, email)
    const out = async (end: (client: Client) => Promise<unknown>): Promise<void> => {
      const elsewhere = new Client(app)
      await elsewhere.login(email)
      const socket = await new Visitor(tokenOf(elsewhere)).connect(app)
      await end(elsewhere)
      expect(await socket.closed).toBe(closeCode.unauthenticated)
    }
    await out((client) => client.post('/api/auth/logout', { refresh_token: client.tokens?.refresh_token }))
    await out(() => ana.post('/api/auth/change-password', { newPassword: goodPassword }))
    const id = ana.answer.user.id
    await out(() => ana.send('DELETE', '/api/user/account', { userId: id }))
    expect(await app.db.select().from(generations)).toEqual([])
  })

  it('is refused at the very next question when the account is blocked, and put out at the next look of the server', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const app = await buildChatApp({ kind, bus: 'memory' })
    const ana = await aPerson(app, email)
    const asking = await new Visitor(tokenOf(ana)).connect(app)
    const silent = await new Visitor(tokenOf(ana)).connect(app)
    await app.db.update(users).set({ blockedAt: new Date() }).where(eq(users.email, email))
    asking.ask('One more?')
    expect(await asking.closed).toBe(closeCode.unauthenticated)
    expect(app.gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toEqual([])
    expect(silent.socket.readyState).toBe(WebSocket.OPEN)
    vi.advanceTimersByTime(serverLimits.auth.revocationCheckMs)
    expect(await silent.closed).toBe(closeCode.unauthenticated)
  })

  it('gets no socket for a ticket of a session that ended meanwhile', async () => {
    const app = await buildChatApp({ kind, bus: 'memory' })
    const ana = await aPerson(app, email)
    const visitor = new Visitor(tokenOf(ana))
    const ticket = await visitor.ticket(app)
    await app.db.update(sessions).set({ revokedAt: new Date() })
    const socket = new WebSocket(`${app.wsUrl}/ws/chat?channelId=local&token=${ticket}`)
    const status = await new Promise((resolve) => {
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.once('open', () => resolve('open'))
      socket.on('error', () => undefined)
    })
    expect(status).toBe(401)
  })
})

describe.skipIf(!redisUrl || !databases.includes('postgresql'))(
  'two nodes (need TEST_DATABASE_URL and TEST_REDIS_URL)',
  () => {
    it('put a person out of the one when the session ends on the other, and know the tokens of each other', async () => {
      const env = { AUTH_SECRET: `a secret of both nodes ${randomUUID()}`, REDIS_URL: redisUrl ?? '' }
      const first = await buildTestApp({ kind: 'postgresql', env })
      const second = await buildTestApp({ kind: 'postgresql', env, keepTables: true })
      const ana = await aPerson(first, email)
      expect((await second.call('/api/user', { headers: { authorization: `Bearer ${tokenOf(ana)}` } })).status).toBe(
        200,
      )
      const socket = await new Visitor(tokenOf(ana)).connect(second)
      await ana.post('/api/auth/logout', { refresh_token: ana.tokens?.refresh_token })
      expect(await socket.closed).toBe(closeCode.unauthenticated)
    })
  },
)
