import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { errorText } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { users } from '../../db/schema/users'
import { Secrets } from '../../secrets'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'
import { createAccessTokens } from './access-tokens'

const email = 'ana@example.org'

describe.each(databases)('a session on %s', (kind) => {
  it('begins with an access token of 15 minutes, a refresh token and the person [AG-114, ST-076, CH-075]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    expect(ana.answer).toMatchObject({
      token_type: 'bearer',
      expires_in: 900,
      user: { email, app_metadata: { kind: 'email' } },
    })
    expect((await ana.send('GET', '/api/user')).body).toMatchObject({ id: ana.answer.user.id, email })
  })

  it('has the profile of the person, and speaks the language that is asked for [ST-197]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    expect(await ana.send('GET', '/api/user?lang=pt-BR')).toMatchObject({
      status: 200,
      body: { id: ana.answer.user.id, email, language: 'en-US' },
    })
    const refused = await new Client(app).send('GET', '/api/user?lang=pt-BR')
    expect(refused).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated', message: errorText('unauthenticated', 'pt-BR') },
    })
    expect(errorText('unauthenticated', 'pt-BR')).not.toBe(errorText('unauthenticated'))
  })

  it('gives a new pair for a refresh token, and the old access token stays good to its end [ST-231]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    const first = ana.tokens
    const { status, body } = await ana.refresh()
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 900 })
    expect(body).not.toMatchObject({ refresh_token: first?.refresh_token })
    expect((await ana.send('GET', '/api/user')).status).toBe(200)
  })

  it('gives tabs that race with one token the same child, and the family lives on', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    const ana = await aPerson(app, email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ana.refresh()))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const children = new Set(answers.map(({ body }) => (body as { refresh_token: string }).refresh_token))
    expect(children.size).toBe(1)
    expect((await ana.refresh([...children][0])).status).toBe(200)
  })

  it('ends with all its tokens when an old refresh token comes back', async () => {
    let ahead = 0
    const app = await buildTestApp({ kind, now: () => Date.now() + ahead })
    const ana = await aPerson(app, email)
    const stolen = ana.tokens?.refresh_token
    const { body } = await ana.refresh()
    const newest = (body as { refresh_token: string }).refresh_token
    ahead = serverLimits.auth.refreshLeewayMs + 1
    expect(await ana.refresh(stolen)).toMatchObject({ status: 401, body: { code: 'auth.session-expired' } })
    expect((await ana.refresh(newest)).status).toBe(401)
    expect((await ana.send('GET', '/api/user')).status).toBe(401)
  })

  it('does not end for a made-up token that names it', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    const [id = ''] = ana.tokens?.refresh_token.split('.') ?? []
    const forged = `${id}.1.${Buffer.alloc(32, 7).toString('base64url')}`
    expect((await ana.refresh(forged)).status).toBe(401)
    expect((await ana.refresh()).status).toBe(200)
  })

  it('of a browser cannot be refreshed without its cookie, one of a program can', async () => {
    const app = await buildTestApp({ kind })
    const browser = await aPerson(app, email)
    const thief = new Client(app, null)
    expect((await thief.refresh(browser.tokens?.refresh_token)).status).toBe(401)
    expect((await browser.refresh()).status).toBe(200)
    const program = new Client(app, null)
    await program.login(email)
    expect((await new Client(app, null).refresh(program.tokens?.refresh_token)).status).toBe(200)
  })

  it('keeps its cookie from scripts and from other sites', async () => {
    const app = await buildTestApp({ kind })
    const client = new Client(app)
    await client.signUp(email)
    const { headers } = await client.post('/api/auth/login', { email, password: 'Correct-Horse-7' })
    const cookies = headers.getSetCookie().sort()
    expect(cookies).toHaveLength(2)
    for (const [index, name] of ['browser', 'session'].entries())
      expect(cookies[index]).toMatch(
        new RegExp(`^parley\\.${name}=[\\w-]{43};.*Path=/api/auth.*HttpOnly.*SameSite=Strict`),
      )
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('ends at logout: neither token is good afterwards, and logging out twice is no error', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    const token = ana.tokens?.refresh_token
    expect((await ana.post('/api/auth/logout', { refresh_token: token })).status).toBe(204)
    expect((await ana.send('GET', '/api/user')).status).toBe(401)
    expect((await ana.refresh(token)).status).toBe(401)
    expect((await ana.post('/api/auth/logout', { refresh_token: token }, { authorization: '' })).status).toBe(204)
  })

  it('ends after 30 days without a refresh', async () => {
    let ahead = 0
    const app = await buildTestApp({ kind, now: () => Date.now() + ahead })
    const ana = await aPerson(app, email)
    ahead = serverLimits.auth.refreshTokenDays * 86_400_000 + 1
    expect((await ana.refresh()).status).toBe(401)
  })

  it('is of no use while its account is blocked', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    await app.db.update(users).set({ blockedAt: new Date() }).where(eq(users.email, email))
    expect((await ana.send('GET', '/api/user')).status).toBe(401)
    expect((await ana.refresh()).status).toBe(401)
    expect(await new Client(app).post('/api/auth/login', { email, password: 'Correct-Horse-7' })).toMatchObject({
      status: 403,
      body: { code: 'auth.blocked', message: 'Account access restricted. Please contact support.' },
    })
  })
})

describe('an access token', () => {
  const secret = 'a secret of the tests that is long enough'
  const claims = { userId: uuidv7(), sessionId: uuidv7() }

  it('is refused when it is expired, altered, unsigned, or signed by another key', async () => {
    let now = Date.now()
    const tokens = createAccessTokens(new Secrets([secret]), () => now)
    const early = await tokens.sign(claims)
    // Known or not, it ends with its second.
    now += 899_000
    expect(await tokens.verify(early)).toEqual(claims)
    expect(await tokens.verify(early)).toEqual(claims)
    now += 1000
    expect(await tokens.verify(early)).toBeUndefined()
    expect(await createAccessTokens(new Secrets([secret]), () => now).verify(early)).toBeUndefined()
    const good = await tokens.sign(claims)
    expect(await tokens.verify(good)).toEqual(claims)
    const [header, payload, signature] = good.split('.')
    const altered = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()), sub: uuidv7() }),
    ).toString('base64url')
    expect(await tokens.verify(`${header}.${altered}.${signature}`)).toBeUndefined()
    const body = { sid: claims.sessionId, typ: 'access' }
    const unsigned = new UnsecuredJWT(body)
      .setIssuer('parley')
      .setAudience('parley')
      .setSubject(claims.userId)
      .setExpirationTime('5m')
      .encode()
    expect(await tokens.verify(unsigned)).toBeUndefined()
    const { privateKey } = generateKeyPairSync('ed25519')
    const { kid } = JSON.parse(Buffer.from(header ?? '', 'base64url').toString())
    const foreign = await new SignJWT(body)
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setIssuer('parley')
      .setAudience('parley')
      .setSubject(claims.userId)
      .setExpirationTime('5m')
      .sign(createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })))
    expect(await tokens.verify(foreign)).toBeUndefined()
    expect(await tokens.verify('')).toBeUndefined()
  })

  it('of an older secret stays good while that secret is kept, and not afterwards', async () => {
    const old = await createAccessTokens(new Secrets([secret]), Date.now).sign(claims)
    const newer = 'another secret of the tests, long enough'
    expect(await createAccessTokens(new Secrets([newer, secret]), Date.now).verify(old)).toEqual(claims)
    expect(await createAccessTokens(new Secrets([newer]), Date.now).verify(old)).toBeUndefined()
  })

  it('that is not good is refused, and does not pass for an anonymous person', async () => {
    const app = await buildTestApp()
    for (const authorization of ['Bearer nonsense', 'Basic YTpi', 'Bearer'])
      expect((await app.call('/api/ws/ticket', { method: 'POST', headers: { authorization } })).status).toBe(401)
  })
})
