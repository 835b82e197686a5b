import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { generations, sessions, subscriptions, users, vaultKeys } from '../../db/schema'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { type MailReceiver, startMailReceiver } from '../../testing/mail-receiver'
import { aPerson, Client, goodPassword } from '../../testing/person'
import { databaseKind } from '../../testing/test-databases'

const email = 'ana@example.org'
const other = 'Another-Good-8'

/** An app that sends its mails to a real mail server, without waiting minutes between two. */
async function appWithMail(kind: 'pglite' | 'postgresql', env: Record<string, string> = {}, now?: () => number) {
  const mailbox = await startMailReceiver()
  onTestFinished(() => mailbox.close())
  const app = await buildTestApp({
    kind,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Parley <no-reply@parley.example>', RATE_LIMIT_SCALE: '0', ...env },
    ...(now ? { now } : {}),
  })
  return { app, mailbox }
}

const tokenIn = (text: string | undefined, name: string): string => new RegExp(`${name}=([\\w-]{43})`).exec(text ?? '')?.[1] ?? ''

async function resetToken(app: TestApp, mailbox: MailReceiver, to = email): Promise<string> {
  await new Client(app).post('/api/auth/reset-password', { email: to })
  return tokenIn((await mailbox.next(to)).text, 'token')
}

describe.each(databases)('signing up on %s', (kind) => {
  it('makes an account that can sign in at once where no confirmation is asked for [AG-141, AG-114]', async () => {
    const app = await buildTestApp({ kind })
    const client = new Client(app)
    expect(await client.signUp(email)).toMatchObject({ status: 201, body: { success: true, confirmation_required: false } })
    expect(await client.login(email)).toMatchObject({ user: { email, has_password: true } })
  })

  it('refuses an address that is taken, whatever its case, spaces or width [AG-143]', async () => {
    const app = await buildTestApp({ kind })
    const client = new Client(app)
    await client.signUp(email)
    for (const same of [email, ' ANA@Example.ORG ', 'ａｎａ@example.org', 'an\u200ba@example.org'])
      expect(await client.signUp(same)).toMatchObject({
        status: 409,
        body: { code: 'auth.email-taken', message: 'This email is already registered. Try logging in instead.' },
      })
    expect(await app.db.select({ email: users.email }).from(users)).toEqual([{ email }])
  })

  it('refuses wallet addresses and what looks like one', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    const lookAlikes = [
      '0xabc@erc20',
      'x@solana',
      'x@SUI',
      'x+1@solana',
      ' x@sui ',
      'x@ｓｕｉ',
      'x@so\u200blana',
      'x@solana.com',
      `0x${'a'.repeat(64)}@mail.com`,
      `${'9'.repeat(32)}@mail.com`,
    ]
    for (const address of lookAlikes) expect(await new Client(app).signUp(address)).toMatchObject({ status: 400, body: { code: 'auth.email-reserved' } })
    expect(await app.db.select().from(users)).toEqual([])
  })

  it('refuses what is no address and weak passwords, and says why [AG-133, AG-135]', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    for (const bad of ['nobody', 'a b@example.org', 'a@b', '@example.org'])
      expect(await new Client(app).signUp(bad)).toMatchObject({ status: 400, body: { code: 'auth.email-invalid' } })
    for (const weak of ['Short-1', 'no-uppercase-1', 'NO-LOWERCASE-1', 'No-Number-Here', 'NoSpecial123'])
      expect(await new Client(app).signUp(email, weak)).toMatchObject({ status: 400, body: { code: 'auth.password-weak' } })
    expect(await app.db.select().from(users)).toEqual([])
  })

  it('of one address fifty times at once makes one account', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    const answers = await Promise.all(Array.from({ length: 50 }, () => new Client(app).signUp(email)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await app.db.select().from(users)).toHaveLength(1)
  })

  it('asks for a confirmation where mails are sent: no sign-in before it, one use of the link', async () => {
    const { app, mailbox } = await appWithMail(kind)
    const client = new Client(app)
    expect((await client.signUp(email)).body).toMatchObject({ confirmation_required: true })
    const mail = await mailbox.next(email)
    expect(mail.text).toContain(`/app#confirmEmail=`)
    const token = tokenIn(mail.text, 'confirmEmail')
    expect(await client.post('/api/auth/login', { email, password: goodPassword })).toMatchObject({ status: 403, body: { code: 'auth.email-unconfirmed' } })
    expect(client.admit(await client.post('/api/auth/confirm-email', { token }))).toMatchObject({ user: { email, email_confirmed: true } })
    expect(await client.post('/api/auth/confirm-email', { token })).toMatchObject({ status: 400, body: { code: 'auth.link-invalid' } })
    await new Client(app).login(email)
  })

  it('sends the link again, and the owner of the mailbox gets the account with the password of their own sign-up', async () => {
    const { app, mailbox } = await appWithMail(kind)
    await new Client(app).signUp(email, 'Squatters-Pass-1')
    await mailbox.next(email)
    const client = new Client(app)
    expect((await client.signUp(email, goodPassword)).status).toBe(201)
    const token = tokenIn((await mailbox.next(email)).text, 'confirmEmail')
    client.admit(await client.post('/api/auth/confirm-email', { token }))
    expect((await new Client(app).post('/api/auth/login', { email, password: 'Squatters-Pass-1' })).status).toBe(401)
    await new Client(app).login(email, goodPassword)
  })

  it('answers the same for known and unknown addresses where the operator wants it', async () => {
    const { app, mailbox } = await appWithMail(kind, { AUTH_UNIFORM_ERRORS: 'true', REQUIRE_EMAIL_CONFIRMATION: 'true' })
    const first = await new Client(app).signUp(email)
    const client = new Client(app)
    client.admit(await client.post('/api/auth/confirm-email', { token: tokenIn((await mailbox.next(email)).text, 'confirmEmail') }))
    const second = await new Client(app).signUp(email)
    expect(second).toMatchObject({ status: first.status, body: first.body })
    await mailbox.next(email)
    const unknown = await new Client(app).post('/api/auth/login', { email: 'nobody@example.org', password: goodPassword })
    const wrong = await new Client(app).post('/api/auth/login', { email, password: 'Wrong-Horse-7' })
    expect(wrong).toMatchObject({ status: unknown.status, body: unknown.body })
  })
})

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
    expect(await login(email, 'Wrong-Horse-7', 'pt-BR')).toMatchObject({ body: { message: expect.stringContaining('Senha incorreta') } })
    expect(await login(email, 'Wrong-Horse-7', 'es-ES')).toMatchObject({ body: { message: expect.stringContaining('Contraseña incorrecta') } })
  })

  const wrongFrom = (app: TestApp, ip: string, n: number) =>
    new Client(app).post('/api/auth/login', { email, password: `Wrong-Horse-${n}` }, { 'x-forwarded-for': ip })

  it('stops guessing one account from one address, also with the right password then, and says when to come back [AG-123]', async () => {
    const app = await buildTestApp({ kind, env: { TRUST_PROXY: '127.0.0.1' } })
    await new Client(app).signUp(email)
    const from = { 'x-forwarded-for': '203.0.113.7' }
    for (let n = 0; n < limits.auth.failedLoginsPerPlace; n++) expect(await wrongFrom(app, '203.0.113.7', n)).toMatchObject({ status: 401 })
    const last = await new Client(app).post('/api/auth/login', { email, password: goodPassword }, from)
    expect(last).toMatchObject({ status: 429, body: { message: 'Too many attempts. Please wait a few minutes.' } })
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('keeps nobody out because strangers try: not from another address, and never in a browser that has signed in before', async () => {
    const app = await buildTestApp({ kind, env: { TRUST_PROXY: '127.0.0.1' } })
    const home = await aPerson(app, email)
    for (let n = 0; n <= limits.auth.failedLoginsPerPlace; n++) await wrongFrom(app, '203.0.113.7', n)
    await new Client(app)
      .post('/api/auth/login', { email, password: goodPassword }, { 'x-forwarded-for': '198.51.100.1' })
      .then(({ status }) => expect(status).toBe(200))
    // Guesses from everywhere: the global bound stops them, and whoever was never here before.
    const statuses = []
    for (let n = 0; n <= limits.auth.failedLoginsPerAccount; n++) statuses.push((await wrongFrom(app, `203.0.114.${n}`, n)).status)
    expect(statuses.at(-2)).toBe(401)
    expect(statuses.at(-1)).toBe(429)
    expect((await new Client(app).post('/api/auth/login', { email, password: goodPassword }, { 'x-forwarded-for': '198.51.100.2' })).status).toBe(429)
    await home.login(email)
  })

  it('counts failures only: whoever knows the password may sign in as often as they like', async () => {
    const app = await buildTestApp({ kind })
    await new Client(app).signUp(email)
    for (let n = 0; n < limits.auth.failedLoginsPerPlace + 3; n++) await new Client(app).login(email)
  })

  it('stops one address that tries many accounts, and a forged proxy header does not help it', async () => {
    const app = await buildTestApp({ kind })
    const statuses = []
    for (let n = 0; n <= limits.auth.loginsPerMinutePerAddress; n++) {
      const from = { 'x-forwarded-for': `203.0.113.${n}` }
      statuses.push((await new Client(app).post('/api/auth/login', { email: `a${n}@example.org`, password: goodPassword }, from)).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.filter((status) => status === 404)).toHaveLength(limits.auth.loginsPerMinutePerAddress)
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
    const period = { productName: 'Monthly', currentPeriodStart: new Date(Date.now() - 86_400_000), currentPeriodEnd: new Date(Date.now() + 86_400_000) }
    await app.db.insert(subscriptions).values({ userId: ana.answer.user.id, ...period })
    expect((await ana.send('GET', '/api/user')).body).toMatchObject({ app_metadata: { subscription: { product_name: 'Monthly' } } })
    await app.db.update(subscriptions).set({ currentPeriodEnd: new Date(Date.now() - 1) })
    expect((await ana.send('GET', '/api/user')).body).not.toHaveProperty('app_metadata.subscription')
  })
})

describe.each(databases)('a forgotten password on %s', (kind) => {
  it('is answered the same whether there is an account or not, and mails both links [AG-148, AG-153]', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    await aPerson(app, email)
    const unknown = await new Client(app).post('/api/auth/reset-password', { email: 'nobody@example.org' })
    const known = await new Client(app).post('/api/auth/reset-password', { email, redirectTo: '/settings?tab=security&recoverPassword=true' })
    expect(known).toMatchObject({ status: 200, body: unknown.body })
    const { text } = await mailbox.next(email)
    expect(text).toMatch(/\/settings\?tab=security&recoverPassword=true#recovery=[\w-]{43}/)
    expect(text).toMatch(/\/reset-password#token=[\w-]{43}/)
  })

  it('leads nowhere but to this server', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    const { host } = new URL(app.url)
    for (const redirectTo of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'https:evil.example',
      `http://${host}@evil.example/`,
      'javascript:alert(1)',
    ])
      expect(await new Client(app).post('/api/auth/reset-password', { email, redirectTo })).toMatchObject({
        status: 400,
        body: { code: 'auth.redirect-not-allowed' },
      })
  })

  it('is replaced by a one-time password, which ends every session and is good once [ST-223]', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    const ana = await aPerson(app, email)
    const token = await resetToken(app, mailbox)
    expect(await new Client(app).post('/api/auth/confirm-reset-password', { token })).toMatchObject({ status: 200, body: { success: true } })
    const password = /\b(?:[A-Z2-9]{5}-){3}[A-Z2-9]{5}\b/.exec((await mailbox.next(email)).text ?? '')?.[0] ?? ''
    expect((await ana.send('GET', '/api/user')).status).toBe(401)
    expect((await new Client(app).post('/api/auth/login', { email, password: goodPassword })).status).toBe(401)
    expect(await new Client(app).login(email, password)).toMatchObject({ recovered: true })
    expect((await new Client(app).post('/api/auth/login', { email, password })).status).toBe(401)
  })

  it('is replaced by a chosen one; the link is good once, for 30 minutes, and only the newest [ST-224]', async () => {
    let ahead = 0
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' }, () => Date.now() + ahead)
    await aPerson(app, email)
    const confirm = (token: string, more = {}) => new Client(app).post('/api/auth/confirm-reset-password', { token, newPassword: other, ...more })
    const older = await resetToken(app, mailbox)
    const newer = await resetToken(app, mailbox)
    const refused = { status: 400, body: { code: 'auth.reset-token-invalid', message: 'Invalid reset token' } }
    expect(await confirm(older)).toMatchObject(refused)
    expect(await confirm(newer, { newPassword: 'weak' })).toMatchObject({ status: 400, body: { code: 'auth.password-weak' } })
    const both = await Promise.all([confirm(newer), confirm(newer)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await confirm('')).toMatchObject(refused)
    await new Client(app).login(email, other)
    const late = await resetToken(app, mailbox)
    ahead = limits.auth.resetMinutes * 60_000 + 1
    expect(await confirm(late)).toMatchObject(refused)
  })

  it('of one account does not touch another one', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    const ana = await aPerson(app, email)
    const eve = await aPerson(app, 'eve@example.org')
    const token = await resetToken(app, mailbox, 'eve@example.org')
    await new Client(app).post('/api/auth/confirm-reset-password', { token, newPassword: other })
    expect((await ana.send('GET', '/api/user')).status).toBe(200)
    expect((await eve.send('GET', '/api/user')).status).toBe(401)
    await new Client(app).login(email)
  })

  it('leads to the settings signed in, where a new one is set without the old one', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    await aPerson(app, email)
    const token = await resetToken(app, mailbox)
    const client = new Client(app)
    const { body } = await client.post('/api/auth/confirm-reset-password', { token, recover: true })
    client.tokens = (body as { session: NonNullable<Client['tokens']> }).session
    expect((await client.post('/api/auth/change-password', { newPassword: other })).status).toBe(204)
    await new Client(app).login(email, other)
  })
})

describe.each(databases)('changing the password on %s', (kind) => {
  it('needs a fresh sign-in or the current one, ends every other session and is told by mail [ST-021]', async () => {
    let ahead = 0
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' }, () => Date.now() + ahead)
    const ana = await aPerson(app, email)
    const elsewhere = new Client(app)
    await elsewhere.login(email)
    ahead = limits.auth.freshMs + 1
    const change = (body: unknown) => ana.post('/api/auth/change-password', body)
    expect(await change({ newPassword: other })).toMatchObject({ status: 401, body: { code: 'auth.reauthenticate' } })
    expect(await change({ newPassword: other, currentPassword: 'Wrong-Horse-7' })).toMatchObject({ status: 401, body: { code: 'auth.wrong-password' } })
    expect(await change({ newPassword: 'weak', currentPassword: goodPassword })).toMatchObject({ status: 400, body: { code: 'auth.password-weak' } })
    expect((await change({ newPassword: other, currentPassword: goodPassword })).status).toBe(204)
    expect((await ana.send('GET', '/api/user')).status).toBe(200)
    expect((await elsewhere.send('GET', '/api/user')).status).toBe(401)
    expect((await mailbox.next(email)).subject).not.toBe('')
    await new Client(app).login(email, other)
  })

  it('ends the links that were mailed before it', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    const ana = await aPerson(app, email)
    const token = await resetToken(app, mailbox)
    expect((await ana.post('/api/auth/change-password', { newPassword: other })).status).toBe(204)
    for (const way of [{ newPassword: 'Later-Horse-7' }, { recover: true }, {}]) {
      expect(await new Client(app).post('/api/auth/confirm-reset-password', { token, ...way })).toMatchObject({
        status: 400,
        body: { code: 'auth.reset-token-invalid' },
      })
    }
    await new Client(app).login(email, other)
  })
})

describe.each(databases)('an account on %s', (kind) => {
  it('changes its name and its language [ST-024, ST-026]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    expect((await ana.post('/api/auth/update-profile', { name: '  Ana Souza ' })).body).toMatchObject({ name: 'Ana Souza' })
    expect((await ana.post('/api/auth/update-profile', { name: '   ' })).status).toBe(400)
    expect((await ana.post('/api/auth/update-language', { language: 'pt-BR' })).body).toMatchObject({ language: 'pt-BR', name: 'Ana Souza' })
    expect((await ana.post('/api/auth/update-language', { language: 'xx-XX' })).status).toBe(400)
  })

  it('is deleted by its owner alone, with everything of it [ST-198]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    await ana.login(email, goodPassword, { deviceId: uuidv7() })
    const eve = await aPerson(app, 'eve@example.org')
    const { id } = ana.answer.user
    expect(await eve.send('DELETE', '/api/user/account', { userId: id })).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect((await new Client(app).send('DELETE', '/api/user/account', { userId: id })).status).toBe(401)
    expect((await ana.send('GET', '/api/user')).status).toBe(200)
    expect((await ana.send('DELETE', '/api/user/account', { userId: id })).status).toBe(204)
    expect((await ana.send('GET', '/api/user')).status).toBe(401)
    for (const table of [sessions, vaultKeys]) expect(await app.db.select().from(table).where(eq(table.userId, id))).toEqual([])
    expect(
      await app.db
        .select()
        .from(generations)
        .where(eq(generations.subject, `user:${id}`)),
    ).toEqual([])
    expect(await app.db.select({ email: users.email }).from(users)).toEqual([{ email: 'eve@example.org' }])
  })

  it('leaves no password, token or address in the logs', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    const ana = await aPerson(app, email)
    await ana.refresh()
    const token = await resetToken(app, mailbox)
    await new Client(app).post('/api/auth/confirm-reset-password', { token, newPassword: other })
    await new Client(app).post('/api/auth/login', { email, password: 'Wrong-Horse-7' })
    const secrets = [email, goodPassword, other, 'Wrong-Horse-7', token, ana.answer.refresh_token, ana.answer.access_token, ana.answer.user.id]
    for (const secret of secrets) expect(app.logs().includes(secret), secret).toBe(false)
  })
})

describe.skipIf(databaseKind !== 'postgresql')('whether there is an account', () => {
  it('is not told by the time of an answer: a reset, a repeated link and a uniform sign-up are answered before anybody is looked up', async () => {
    const { app, mailbox } = await appWithMail(databaseKind, { AUTH_UNIFORM_ERRORS: 'true' })
    await aPerson(app, email).catch(() => undefined)
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`lock table users in access exclusive mode`)
      expect((await new Client(app).post('/api/auth/reset-password', { email })).status).toBe(200)
      expect((await new Client(app).post('/api/auth/resend-confirmation', { email })).status).toBe(202)
      expect((await new Client(app).signUp('new@example.org')).status).toBe(201)
    })
    await mailbox.next('new@example.org')
    // Both are sent after the answers, in whichever order.
    const texts = [(await mailbox.next(email)).text, (await mailbox.next(email)).text].join()
    expect(texts).toMatch(/#confirmEmail=/)
    expect(texts).toMatch(/#token=/)
  })
})

describe('sign-ups', () => {
  it('are bounded by the hour for one place and for one mailbox, whether there is an account or not', async () => {
    const app = await buildTestApp({ kind: databaseKind, env: { TRUST_PROXY: '127.0.0.1' } })
    const from = (ip: string, address: string) => new Client(app).post('/api/auth/signup', { email: address, password: 'weak' }, { 'x-forwarded-for': ip })
    const good = (ip: string, address: string) =>
      new Client(app).post('/api/auth/signup', { email: address, password: goodPassword }, { 'x-forwarded-for': ip })
    expect((await from('203.0.113.1', email)).status).toBe(400)
    const statuses = []
    for (let n = 0; n <= limits.auth.signupsPerHourPerAccount; n++) statuses.push((await good(`203.0.113.${n}`, email)).status)
    expect(statuses.slice(1, -1).every((status) => status === 409)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    expect((await good('198.51.100.1', 'else@example.org')).status).toBe(201)
  })
})

it('an address with a dot at its end is the same address', async () => {
  const app = await buildTestApp({ kind: databaseKind })
  await new Client(app).signUp(email)
  expect(await new Client(app).signUp(`${email}.`)).toMatchObject({ status: 409, body: { code: 'auth.email-taken' } })
  await new Client(app).login(`${email}.`)
})

it('a mail that cannot be sent leaves its code in the log, and no address', async () => {
  const { app, mailbox } = await appWithMail(databaseKind, { REQUIRE_EMAIL_CONFIRMATION: 'true' })
  mailbox.refused = email
  await new Client(app).signUp(email)
  await expect.poll(() => app.logs()).toContain('a mail could not be sent')
  expect(app.logs()).toMatch(/"code":"EENVELOPE"/)
  expect(app.logs()).not.toContain(email)
})

describe('mails without a mail server', () => {
  it('lie in the data folder, and the log names the file', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-mail-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const app = await buildTestApp({ env: { DATA_DIR: dataDir } })
    await aPerson(app, email)
    await new Client(app).post('/api/auth/reset-password', { email })
    await expect.poll(() => app.logs()).toContain('.eml')
    const [file = ''] = readdirSync(`${dataDir}/mail`)
    expect(readFileSync(`${dataDir}/mail/${file}`, 'utf8')).toContain('reset-password')
  })
})
