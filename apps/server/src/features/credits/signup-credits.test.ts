import { dollars } from '@parley/contract/money'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ledgerTransactions } from '../../db/schema/credits'
import { readEnv } from '../../env'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { startMailReceiver } from '../../testing/mail-receiver'
import { aPerson, Client } from '../../testing/person'

const credit = '/api/billing/credit/user'

describe.each(databases)('the credits of a sign-up, on %s', (kind) => {
  it('are granted once to an account that needs no confirmation, also when it is deleted and made again', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0', SIGNUP_CREDITS: '2.5' } })
    const ana = await aPerson(app, 'ana@example.org')
    expect((await ana.send('GET', credit)).body).toEqual({ amount: 2.5 })
    await ana.login('ana@example.org')
    expect((await ana.send('GET', credit)).body).toEqual({ amount: 2.5 })
    await ana.send('DELETE', '/api/user/account', { userId: ana.answer.user.id })
    const again = await aPerson(app, 'Ana@Example.org')
    expect((await again.send('GET', credit)).body).toEqual({ amount: 0 })
    const bob = await aPerson(app, 'bob@example.org')
    expect((await bob.send('GET', credit)).body).toEqual({ amount: 2.5 })
  })

  it('are not given for an address that nobody proved, on a server that others reach', async () => {
    const mail = await startMailReceiver()
    onTestFinished(() => mail.close())
    const app = await buildTestApp({
      kind,
      env: { HOST: '0.0.0.0', SMTP_URL: mail.url, REQUIRE_EMAIL_CONFIRMATION: 'false', SIGNUP_CREDITS: '5' },
    })
    const ana = await aPerson(app, 'ana@example.org')
    expect((await ana.send('GET', credit)).body).toEqual({ amount: 0 })
    await ana.post('/api/auth/reset-password', { email: 'ana@example.org' })
    const token = /token=([\w-]{43})/.exec((await mail.next('ana@example.org')).text ?? '')?.[1]
    expect((await ana.post('/api/auth/confirm-reset-password', { token, newPassword: 'Another-Good-8' })).status).toBe(
      200,
    )
    await ana.login('ana@example.org', 'Another-Good-8')
    expect((await ana.send('GET', credit)).body).toEqual({ amount: 5 })
  })

  it('wait for the confirmation of the address', async () => {
    const mail = await startMailReceiver()
    onTestFinished(() => mail.close())
    const app = await buildTestApp({ kind, env: { SMTP_URL: mail.url, SIGNUP_CREDITS: '5' } })
    const ana = new Client(app)
    await ana.signUp('ana@example.org')
    expect(await app.db.select().from(ledgerTransactions)).toEqual([])
    const token = /confirmEmail=([\w-]{43})/.exec((await mail.next('ana@example.org')).text ?? '')?.[1]
    ana.admit(await ana.post('/api/auth/confirm-email', { token }))
    expect((await ana.send('GET', credit)).body).toEqual({ amount: 5 })
  })
})

it('are 5 dollars where nothing is sold by card or Pix, else none, unless SIGNUP_CREDITS says otherwise', () => {
  const amount = (given: Record<string, string>) =>
    readEnv({ ALLOW_PAYMENTS_ON_PGLITE: 'true', ...given }).signupCredits
  const stripe = { STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'whsec' }
  expect(amount({})).toBe(dollars(5))
  expect(amount(stripe)).toBe(dollars(0))
  expect(amount({ MERCADOPAGO_ACCESS_TOKEN: 'a', MERCADOPAGO_WEBHOOK_SECRET: 'b', USD_BRL_RATE: '5.2' })).toBe(
    dollars(0),
  )
  expect(amount({ ...stripe, SIGNUP_CREDITS: '0.25' })).toBe(dollars('0.25'))
  for (const wrong of ['-1', 'five', '1e400', '0.0000000001'])
    expect(() => amount({ SIGNUP_CREDITS: wrong }), wrong).toThrow('SIGNUP_CREDITS')
  for (const wrong of ['-1', 'x', '1001'])
    expect(() => readEnv({ CREDIT_MARKUP: wrong }), wrong).toThrow('CREDIT_MARKUP')
})
