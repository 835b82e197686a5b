import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it } from 'vitest'
import { appWithMail, resetToken } from '../../testing/app-with-mail'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson, Client, goodPassword } from '../../testing/person'

const email = 'ana@example.org'
const other = 'Another-Good-8'

describe.each(databases)('a forgotten password on %s', (kind) => {
  it('is answered the same whether there is an account or not, and mails both links [AG-148, AG-153]', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    await aPerson(app, email)
    const unknown = await new Client(app).post('/api/auth/reset-password', { email: 'nobody@example.org' })
    const known = await new Client(app).post('/api/auth/reset-password', {
      email,
      redirectTo: '/settings?tab=security&recoverPassword=true',
    })
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
    const token = await resetToken(app, mailbox, email)
    expect(await new Client(app).post('/api/auth/confirm-reset-password', { token })).toMatchObject({
      status: 200,
      body: { success: true },
    })
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
    const confirm = (token: string, more = {}) =>
      new Client(app).post('/api/auth/confirm-reset-password', { token, newPassword: other, ...more })
    const older = await resetToken(app, mailbox, email)
    const newer = await resetToken(app, mailbox, email)
    const refused = { status: 400, body: { code: 'auth.reset-token-invalid', message: 'Invalid reset token' } }
    expect(await confirm(older)).toMatchObject(refused)
    expect(await confirm(newer, { newPassword: 'weak' })).toMatchObject({
      status: 400,
      body: { code: 'auth.password-weak' },
    })
    const both = await Promise.all([confirm(newer), confirm(newer)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await confirm('')).toMatchObject(refused)
    await new Client(app).login(email, other)
    const late = await resetToken(app, mailbox, email)
    ahead = serverLimits.auth.resetMinutes * 60_000 + 1
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
    const token = await resetToken(app, mailbox, email)
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
    ahead = serverLimits.auth.freshMs + 1
    const change = (body: unknown) => ana.post('/api/auth/change-password', body)
    expect(await change({ newPassword: other })).toMatchObject({ status: 401, body: { code: 'auth.reauthenticate' } })
    expect(await change({ newPassword: other, currentPassword: 'Wrong-Horse-7' })).toMatchObject({
      status: 401,
      body: { code: 'auth.wrong-password' },
    })
    expect(await change({ newPassword: 'weak', currentPassword: goodPassword })).toMatchObject({
      status: 400,
      body: { code: 'auth.password-weak' },
    })
    expect((await change({ newPassword: other, currentPassword: goodPassword })).status).toBe(204)
    expect((await ana.send('GET', '/api/user')).status).toBe(200)
    expect((await elsewhere.send('GET', '/api/user')).status).toBe(401)
    expect((await mailbox.next(email)).subject).not.toBe('')
    await new Client(app).login(email, other)
  })

  it('ends the links that were mailed before it', async () => {
    const { app, mailbox } = await appWithMail(kind, { REQUIRE_EMAIL_CONFIRMATION: 'false' })
    const ana = await aPerson(app, email)
    const token = await resetToken(app, mailbox, email)
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
