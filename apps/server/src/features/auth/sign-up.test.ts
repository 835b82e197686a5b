import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it } from 'vitest'
import { users } from '../../db/schema/users'
import { appWithMail, tokenIn } from '../../testing/app-with-mail'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { Client, goodPassword } from '../../testing/person'
import { databaseKind } from '../../testing/test-databases'

const email = 'ana@example.org'

describe.each(databases)('signing up on %s', (kind) => {
  it('makes an account that can sign in at once where no confirmation is asked for [AG-141, AG-114]', async () => {
    const app = await buildTestApp({ kind })
    const client = new Client(app)
    expect(await client.signUp(email)).toMatchObject({
      status: 201,
      body: { success: true, confirmation_required: false },
    })
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
    for (const address of lookAlikes)
      expect(await new Client(app).signUp(address)).toMatchObject({
        status: 400,
        body: { code: 'auth.email-reserved' },
      })
    expect(await app.db.select().from(users)).toEqual([])
  })

  it('refuses what is no address and weak passwords, and says why [AG-133, AG-135]', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    for (const bad of ['nobody', 'a b@example.org', 'a@b', '@example.org'])
      expect(await new Client(app).signUp(bad)).toMatchObject({ status: 400, body: { code: 'auth.email-invalid' } })
    for (const weak of ['Short-1', 'no-uppercase-1', 'NO-LOWERCASE-1', 'No-Number-Here', 'NoSpecial123'])
      expect(await new Client(app).signUp(email, weak)).toMatchObject({
        status: 400,
        body: { code: 'auth.password-weak' },
      })
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
    expect(await client.post('/api/auth/login', { email, password: goodPassword })).toMatchObject({
      status: 403,
      body: { code: 'auth.email-unconfirmed' },
    })
    expect(client.admit(await client.post('/api/auth/confirm-email', { token }))).toMatchObject({
      user: { email, email_confirmed: true },
    })
    expect(await client.post('/api/auth/confirm-email', { token })).toMatchObject({
      status: 400,
      body: { code: 'auth.link-invalid' },
    })
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
    const { app, mailbox } = await appWithMail(kind, {
      AUTH_UNIFORM_ERRORS: 'true',
      REQUIRE_EMAIL_CONFIRMATION: 'true',
    })
    const first = await new Client(app).signUp(email)
    const client = new Client(app)
    client.admit(
      await client.post('/api/auth/confirm-email', {
        token: tokenIn((await mailbox.next(email)).text, 'confirmEmail'),
      }),
    )
    const second = await new Client(app).signUp(email)
    expect(second).toMatchObject({ status: first.status, body: first.body })
    await mailbox.next(email)
    const unknown = await new Client(app).post('/api/auth/login', {
      email: 'nobody@example.org',
      password: goodPassword,
    })
    const wrong = await new Client(app).post('/api/auth/login', { email, password: 'Wrong-Horse-7' })
    expect(wrong).toMatchObject({ status: unknown.status, body: unknown.body })
  })
})

describe('sign-ups', () => {
  it('are bounded by the hour for one place and for one mailbox, whether there is an account or not', async () => {
    const app = await buildTestApp({ kind: databaseKind, env: { TRUST_PROXY: '127.0.0.1' } })
    const from = (ip: string, address: string) =>
      new Client(app).post('/api/auth/signup', { email: address, password: 'weak' }, { 'x-forwarded-for': ip })
    const good = (ip: string, address: string) =>
      new Client(app).post('/api/auth/signup', { email: address, password: goodPassword }, { 'x-forwarded-for': ip })
    expect((await from('203.0.113.1', email)).status).toBe(400)
    const statuses = []
    for (let n = 0; n <= serverLimits.auth.signupsPerHourPerAccount; n++)
      statuses.push((await good(`203.0.113.${n}`, email)).status)
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
