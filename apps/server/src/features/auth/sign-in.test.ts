import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { subscriptions } from '../../db/schema/users'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { aPerson, Client, goodPassword } from '../../testing/person'

const email = 'ana@example.org'

describe.each(databases)('signing in on %s', (kind) => {
  it('tells an unknown address from a wrong password, in the language of the person [AG-121, AG-122]', async () => {
    const app = await buildTestApp({ kind })
    await new Client(app).signUp(email)
    const login = (address: string, password: string, language: string) =>
      new Client(app).post('/api/auth/login', { email: address, password }, { 'accept-language': language })
    expect(await login('nobody@example.org', goodPassword, 'en-US')).toMatchObject({
      status: 404,
      body: { message: 'No account found with this email address. Please check your email or create a new account.' },
    })
    expect(await login(email, 'Wrong-Horse-7', 'en-US')).toMatchObject({
      status: 401,
      body: { message: 'Incorrect password. Please try again or use Forgot Password to reset it.' },
    })
    expect(await login(email, 'Wrong-Horse-7', 'pt-BR')).toMatchObject({
      body: { message: expect.stringContaining('Senha incorreta') },
    })
    expect(await login(email, 'Wrong-Horse-7', 'es-ES')).toMatchObject({
      body: { message: expect.stringContaining('Contraseña incorrecta') },
    })
  })

  const wrongFrom = (app: TestApp, ip: string, n: number) =>
    new Client(app).post('/api/auth/login', { email, password: `Wrong-Horse-${n}` }, { 'x-forwarded-for': ip })

  it('stops guessing one account from one address, also with the right password then, and says when to come back [AG-123]', async () => {
    const app = await buildTestApp({ kind, env: { TRUST_PROXY: '127.0.0.1' } })
    await new Client(app).signUp(email)
    const from = { 'x-forwarded-for': '203.0.113.7' }
    for (let n = 0; n < serverLimits.auth.failedLoginsPerPlace; n++)
      expect(await wrongFrom(app, '203.0.113.7', n)).toMatchObject({ status: 401 })
    const last = await new Client(app).post('/api/auth/login', { email, password: goodPassword }, from)
    expect(last).toMatchObject({ status: 429, body: { message: 'Too many attempts. Please wait a few minutes.' } })
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('keeps nobody out because strangers try: not from another address, and never in a browser that has signed in before', async () => {
    const app = await buildTestApp({ kind, env: { TRUST_PROXY: '127.0.0.1' } })
    const home = await aPerson(app, email)
    for (let n = 0; n <= serverLimits.auth.failedLoginsPerPlace; n++) await wrongFrom(app, '203.0.113.7', n)
    await new Client(app)
      .post('/api/auth/login', { email, password: goodPassword }, { 'x-forwarded-for': '198.51.100.1' })
      .then(({ status }) => expect(status).toBe(200))
    // Guesses from everywhere: the global bound stops them, and whoever was never here before.
    const statuses = []
    for (let n = 0; n <= serverLimits.auth.failedLoginsPerAccount; n++)
      statuses.push((await wrongFrom(app, `203.0.114.${n}`, n)).status)
    expect(statuses.at(-2)).toBe(401)
    expect(statuses.at(-1)).toBe(429)
    expect(
      (
        await new Client(app).post(
          '/api/auth/login',
          { email, password: goodPassword },
          { 'x-forwarded-for': '198.51.100.2' },
        )
      ).status,
    ).toBe(429)
    await home.login(email)
  })

  it('counts failures only: whoever knows the password may sign in as often as they like', async () => {
    const app = await buildTestApp({ kind })
    await new Client(app).signUp(email)
    for (let n = 0; n < serverLimits.auth.failedLoginsPerPlace + 3; n++) await new Client(app).login(email)
  })

  it('stops one address that tries many accounts, and a forged proxy header does not help it', async () => {
    const app = await buildTestApp({ kind })
    const statuses = []
    for (let n = 0; n <= serverLimits.auth.loginsPerMinutePerAddress; n++) {
      const from = { 'x-forwarded-for': `203.0.113.${n}` }
      statuses.push(
        (await new Client(app).post('/api/auth/login', { email: `a${n}@example.org`, password: goodPassword }, from))
          .status,
      )
    }
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.filter((status) => status === 404)).toHaveLength(serverLimits.auth.loginsPerMinutePerAddress)
  })

  it('gives each device its own key for what the account sealed there, the same at every sign-in and nowhere else', async () => {
    const app = await buildTestApp({ kind })
    const [laptop, phone] = [uuidv7(), uuidv7()]
    const ana = await aPerson(app, email)
    const first = await ana.login(email, goodPassword, { deviceId: laptop })
    expect(first.vault_key).toMatch(/^[\w-]{43}$/)
    expect((await new Client(app).login(email, goodPassword, { deviceId: laptop })).vault_key).toBe(first.vault_key)
    expect((await new Client(app).login(email, goodPassword, { deviceId: phone })).vault_key).not.toBe(first.vault_key)
    const eve = new Client(app)
    await eve.signUp('eve@example.org')
    expect((await eve.login('eve@example.org', goodPassword, { deviceId: laptop })).vault_key).not.toBe(first.vault_key)
    expect(JSON.stringify((await ana.send('GET', '/api/user')).body)).not.toContain(first.vault_key)
    expect(JSON.stringify((await ana.refresh()).body)).not.toContain(first.vault_key)
  })

  it('gives nobody a role: there is none, and no call for one [CH-078]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    expect(JSON.stringify((await ana.send('GET', '/api/user')).body)).not.toMatch(/role|admin/i)
    expect(await (await app.call('/api/docs/json')).text()).not.toMatch(/"\/[^"]*(admin|role)/i)
  })

  it('knows a subscriber until the period ends [CH-068, CH-005]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    const period = {
      productName: 'Monthly',
      currentPeriodStart: new Date(Date.now() - 86_400_000),
      currentPeriodEnd: new Date(Date.now() + 86_400_000),
    }
    await app.db.insert(subscriptions).values({ userId: ana.answer.user.id, ...period })
    expect((await ana.send('GET', '/api/user')).body).toMatchObject({
      app_metadata: { subscription: { product_name: 'Monthly' } },
    })
    await app.db.update(subscriptions).set({ currentPeriodEnd: new Date(Date.now() - 1) })
    expect((await ana.send('GET', '/api/user')).body).not.toHaveProperty('app_metadata.subscription')
  })
})
