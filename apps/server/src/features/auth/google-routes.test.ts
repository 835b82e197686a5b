import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { users } from '../../db/schema/users'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { startMailReceiver } from '../../testing/mail-receiver'
import { type OpenIdIssuer, startOpenIdIssuer } from '../../testing/openid-issuer'
import { Client, goodPassword } from '../../testing/person'

const Start = z.object({ url: z.string(), state: z.string() })

async function appWithGoogle(kind: 'pglite' | 'postgresql', env: Record<string, string> = {}) {
  const issuer = await startOpenIdIssuer()
  onTestFinished(() => issuer.close())
  const app = await buildTestApp({
    kind,
    env: { GOOGLE_CLIENT_ID: issuer.clientId, GOOGLE_ISSUER: issuer.url, RATE_LIMIT_SCALE: '0', ...env },
  })
  const start = async () => z.parse(Start, (await new Client(app).post('/api/auth/google/start', undefined)).body)
  const nonce = async (): Promise<string> => new URL((await start()).url).searchParams.get('nonce') ?? ''
  const login = (token: string) => new Client(app).post('/api/auth/google/login', { token })
  return { app, issuer, start, nonce, login }
}

const ana = { sub: 'google-1', email: 'Ana@Gmail.com', name: 'Ana Souza', picture: 'https://example.org/ana.png' }

describe.each(databases)('signing in with Google on %s', (kind) => {
  it('begins at the provider’s page with a state and a nonce [AG-155]', async () => {
    const { issuer, start, app } = await appWithGoogle(kind)
    const { url, state } = await start()
    const { origin, pathname, searchParams } = new URL(url)
    expect(origin + pathname).toBe(`${issuer.url}/authorize`)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: issuer.clientId,
      response_type: 'id_token',
      scope: 'openid email profile',
      prompt: 'select_account',
      state,
      redirect_uri: expect.stringMatching(/\/google-callback\.html$/),
    })
    expect((await app.call('/api/config')).status).toBe(200)
  })

  it('makes an account known by its sub: another address later is the same account [AG-158]', async () => {
    const { app, issuer, nonce, login } = await appWithGoogle(kind)
    expect(await login(await issuer.token({ ...ana, nonce: await nonce() }))).toMatchObject({
      status: 200,
      body: {
        user: { email: 'ana@gmail.com', name: 'Ana Souza', email_confirmed: true, app_metadata: { kind: 'google' } },
      },
    })
    expect((await login(await issuer.token({ ...ana, email: 'new@gmail.com', nonce: await nonce() }))).status).toBe(200)
    expect(await app.db.select().from(users)).toHaveLength(1)
  })

  it('is refused for every token that is not good now, for this server [AG-159]', async () => {
    const { app, issuer, nonce, login } = await appWithGoogle(kind)
    const good = async (): Promise<Record<string, string>> => ({ ...ana, nonce: await nonce() })
    const bad: Record<string, (claims: Record<string, string>) => Promise<string>> = {
      'another audience': (claims) => issuer.token({ ...claims, aud: 'somebody-else' }),
      'another issuer': (claims) => issuer.token({ ...claims, iss: 'https://evil.example' }),
      expired: (claims) => issuer.token(claims, { expiresInS: -60 }),
      unsigned: (claims) => issuer.token(claims, { key: 'none' }),
      'a foreign key': (claims) => issuer.token(claims, { key: 'foreign' }),
      'a nonce of nobody': (claims) => issuer.token({ ...claims, nonce: 'made-up' }),
      'no nonce': ({ nonce: _nonce, ...claims }) => issuer.token(claims),
      'an address that is not proved': (claims) => issuer.token({ ...claims, email_verified: false }),
      nonsense: async () => 'not.a.token',
    }
    for (const [name, make] of Object.entries(bad))
      expect(await login(await make(await good())), name).toMatchObject({
        status: 401,
        body: { code: 'auth.google', message: 'Error authenticating with Google' },
      })
    expect(await app.db.select().from(users)).toEqual([])
  })

  it('takes each token once', async () => {
    const { issuer, nonce, login } = await appWithGoogle(kind)
    const token = await issuer.token({ ...ana, nonce: await nonce() })
    const answers = await Promise.all(Array.from({ length: 10 }, () => login(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('does not hand an account over for its address alone, unless nobody ever proved it', async () => {
    const mailbox = await startMailReceiver()
    onTestFinished(() => mailbox.close())
    const { app, issuer, nonce, login } = await appWithGoogle(kind, { SMTP_URL: mailbox.url })
    const withGoogle = async (sub: string, email: string) =>
      login(await issuer.token({ sub, email, nonce: await nonce() }))
    const client = new Client(app)
    await client.signUp('owner@example.org')
    const token = /confirmEmail=([\w-]{43})/.exec((await mailbox.next('owner@example.org')).text ?? '')?.[1]
    await client.post('/api/auth/confirm-email', { token })
    expect(await withGoogle('g-2', 'owner@example.org')).toMatchObject({
      status: 409,
      body: { code: 'auth.email-taken' },
    })
    await client.signUp('squatted@example.org')
    expect(await withGoogle('g-3', 'squatted@example.org')).toMatchObject({ status: 200 })
    expect(
      (await new Client(app).post('/api/auth/login', { email: 'squatted@example.org', password: goodPassword })).status,
    ).toBe(401)
  })
})

describe('the keys of the provider', () => {
  it('may change: an unknown one is looked up', async () => {
    let ahead = 0
    const issuer: OpenIdIssuer = await startOpenIdIssuer()
    onTestFinished(() => issuer.close())
    const app = await buildTestApp({
      env: { GOOGLE_CLIENT_ID: issuer.clientId, GOOGLE_ISSUER: issuer.url },
      now: () => Date.now() + ahead,
    })
    const signIn = async () => {
      const { url } = z.parse(Start, (await new Client(app).post('/api/auth/google/start', undefined)).body)
      const nonce = new URL(url).searchParams.get('nonce') ?? ''
      return (await new Client(app).post('/api/auth/google/login', { token: await issuer.token({ ...ana, nonce }) }))
        .status
    }
    expect(await signIn()).toBe(200)
    await issuer.rotateKeys()
    expect(await signIn()).toBe(401)
    ahead = 61_000
    expect(await signIn()).toBe(200)
  })

  it('a server without a client id says so', async () => {
    const app = await buildTestApp()
    expect(await new Client(app).post('/api/auth/google/start', undefined)).toMatchObject({
      status: 503,
      body: { code: 'auth.google-not-configured', message: 'This server has no Google sign-in configured.' },
    })
  })
})
