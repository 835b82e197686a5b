import { closeCode } from '@parley/contract/chat-protocol'
import { serverLimits } from '@parley/contract/limits/server'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { payments } from '../../db/schema/payments'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { Visitor } from '../../testing/chat-client'
import { redisUrl } from '../../testing/chat-setups'
import { aPerson, Client } from '../../testing/person'

const email = 'ana@example.org'
const day = 86_400_000
/** Of credits at sign-up. */
const noGift = { SIGNUP_CREDITS: '0' }
const admin = (app: TestApp, line: string) => app.admin(line.split(' '))
const tokenOf = ({ tokens }: { tokens: { access_token: string } | undefined }): string => tokens?.access_token ?? ''

describe.each(databases)('the operator on %s', (kind) => {
  it('grants credits, once for each key, and amounts of money only', async () => {
    const app = await buildTestApp({ kind, env: noGift })
    const ana = await aPerson(app, email)
    const amount = async () => (await ana.send('GET', '/api/billing/credit/user')).body
    expect(await admin(app, `credits grant --email ${email} --amount 7.5`)).toEqual({
      isOk: true,
      lines: [`Granted $7.5 to ${email}. They can spend $7.5 now.`],
    })
    await admin(app, `credits grant --email ANA@Example.org --amount 2.5 --key july`)
    expect((await admin(app, `credits grant --email ${email} --amount 2.5 --key july`)).lines[0]).toContain(
      'nothing was given twice',
    )
    expect((await admin(app, `credits grant --email ${email} --amount 3 --key july`)).isOk).toBe(false)
    expect(await amount()).toEqual({ amount: 10 })
    for (const bad of ['0', 'NaN', '1e400', 'five', '1,5', '100001', '0.0000000001', 'Infinity'])
      expect((await admin(app, `credits grant --email ${email} --amount ${bad}`)).lines[0], bad).toBe(
        '--amount must be dollars above 0 and up to 100000, such as 5 or 0.25.',
      )
    expect((await app.admin(['credits', 'grant', '--email', email, '--amount=-5'])).isOk).toBe(false)
    expect(await admin(app, 'credits grant --email nobody@example.org --amount 5')).toEqual({
      isOk: false,
      lines: ['There is no account with this e-mail.'],
    })
    expect(await amount()).toEqual({ amount: 10 })
  })

  it('grants a subscription to the end of a day [CH-005, CH-077]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    const until = new Date(Date.now() + 40 * day).toISOString().slice(0, 10)
    expect((await admin(app, `subscription grant --email ${email} --plan Annual --until ${until}`)).isOk).toBe(true)
    const end = new Date(Date.parse(`${until}T00:00:00Z`) + day).toISOString()
    expect((await ana.send('GET', '/api/billing/subscription/user')).body).toMatchObject({
      current_period_end: end,
      product_name: 'Annual',
    })
    expect((await ana.send('GET', '/api/user')).body).toMatchObject({
      app_metadata: { subscription: { product_name: 'Annual', current_period_end: end } },
    })
    const later = new Date(Date.now() + 80 * day).toISOString().slice(0, 10)
    await admin(app, `subscription grant --email ${email} --plan Monthly --until ${later}`)
    expect((await ana.send('GET', '/api/billing/subscription/user')).body).toMatchObject({ product_name: 'Monthly' })
    for (const bad of ['2020-01-01', '2030-02-31', 'tomorrow', '2030-1-1'])
      expect((await admin(app, `subscription grant --email ${email} --plan P --until ${bad}`)).isOk, bad).toBe(false)
  })

  it('lists accounts, newest first, with what they have', async () => {
    const app = await buildTestApp({ kind, env: noGift })
    await aPerson(app, email)
    await aPerson(app, 'bob@example.org')
    await admin(app, `credits grant --email ${email} --amount 1.999`)
    await admin(app, 'users block --email bob@example.org')
    const { lines } = await admin(app, 'users list')
    const today = new Date().toISOString().slice(0, 10)
    expect(lines).toEqual([
      `bob@example.org\temail\t${today}\t$0.00\tblocked\tunconfirmed`,
      `${email}\temail\t${today}\t$1.99\tunconfirmed`,
      '2 accounts, page 0 of 1 (from 0)',
    ])
    expect((await admin(app, 'users list --page 1')).lines).toEqual(['2 accounts, page 1 of 1 (from 0)'])
  })

  it('blocks somebody at once, wherever they are signed in, and lets them in again', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    const socket = await new Visitor(tokenOf(ana)).connect(app)
    expect((await admin(app, `users block --email ${email}`)).isOk).toBe(true)
    expect(await socket.closed).toBe(closeCode.unauthenticated)
    expect((await ana.send('GET', '/api/user')).status).toBe(401)
    expect((await ana.refresh()).status).toBe(401)
    const again = new Client(app)
    expect(await again.post('/api/auth/login', { email, password: 'Correct-Horse-7' })).toMatchObject({
      status: 403,
      body: { code: 'auth.blocked' },
    })
    await admin(app, `users unblock --email ${email}`)
    expect((await again.login(email)).user.email).toBe(email)
    // What was ended stays ended.
    expect((await ana.send('GET', '/api/user')).status).toBe(401)
  })

  it('locks a channel in the cloud, which then can be neither deleted nor cleared [CH-087]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, email)
    const made = await ana.post('/api/channel', { channelName: 'Kept' })
    const { id } = (made.body as { data: { id: string } }).data
    expect((await admin(app, `channel lock --id ${id}`)).isOk).toBe(true)
    const removed = await ana.send('DELETE', `/api/channel/${id}`)
    expect(removed).toMatchObject({ status: 423, body: { code: 'channel.locked-delete' } })
    expect((await ana.send('DELETE', `/api/channel/${id}/clear`)).status).toBe(423)
    expect((await admin(app, `channel unlock --id ${id}`)).isOk).toBe(true)
    expect((await ana.send('DELETE', `/api/channel/${id}`)).status).toBeLessThan(300)
    expect(await admin(app, `channel lock --id ${id}`)).toMatchObject({
      isOk: false,
      lines: [expect.stringContaining('no such channel')],
    })
  })

  it('tells everybody who is connected, signed in or not, on every node [ST-099]', async () => {
    const bus = redisUrl
      ? { REDIS_URL: redisUrl, AUTH_SECRET: `a secret of this run that is long enough ${process.pid}` }
      : undefined
    const first = await buildTestApp({ kind, ...(bus ? { env: bus } : {}) })
    const second = bus ? await buildTestApp({ kind, env: bus, keepTables: true }) : first
    const ana = await aPerson(first, email)
    const sockets = [
      await new Visitor(tokenOf(ana)).connect(first),
      await new Visitor().connect(first),
      await new Visitor().connect(second),
    ]
    expect((await first.admin(['broadcast', '--text', 'We restart at noon.'])).isOk).toBe(true)
    const heard = await Promise.all(sockets.map((socket) => socket.untilEvent('broadcast')))
    expect(heard.map(({ content }) => content)).toEqual(Array(3).fill('We restart at noon.'))
    expect(new Set(heard.map(({ id }) => id)).size).toBe(1)
    expect((await first.admin(['broadcast', '--text', 'x'.repeat(1_001)])).isOk).toBe(false)
  })

  it('is told of money that came for deleted accounts, and of open payments that no server looks after', async () => {
    const app = await buildTestApp({ kind, env: noGift })
    const ana = await aPerson(app, email)
    expect(await admin(app, 'payments stray')).toEqual({ isOk: true, lines: ['Every payment has somebody.'] })
    const [now, long] = [new Date(), new Date(Date.now() - 2 * serverLimits.payments.unattendedMs)]
    const row = {
      amount: dollars(5),
      method: 'card' as const,
      amountDue: 500n,
      currency: 'usd' as const,
      createdAt: long,
      updatedAt: long,
      expiresAt: long,
    }
    const [gone, paid, open, fresh] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
    await app.db.insert(payments).values([
      { ...row, id: gone, userId: null, status: 'completed', checkedAt: long, providerId: 'cs_gone' },
      {
        ...row,
        id: paid,
        userId: ana.answer.user.id,
        status: 'completed',
        checkedAt: long,
        creditedAt: long,
        mailedAt: long,
      },
      { ...row, id: open, userId: ana.answer.user.id, status: 'pending', checkedAt: long },
      { ...row, id: fresh, userId: ana.answer.user.id, status: 'pending', checkedAt: now },
    ])
    const { isOk, lines } = await admin(app, 'payments stray')
    expect([isOk, lines.length]).toEqual([false, 3])
    expect(lines[1]).toContain(
      `deleted account: give it back at the provider\t${gone}\tcard\t$5\t${long.toISOString()}\tcs_gone`,
    )
    expect(lines[2]).toContain(open)
    const metrics = await (await app.call('/metrics')).text()
    for (const name of ['payments_of_deleted_accounts', 'payments_unattended'])
      expect(metrics).toContain(`\n${name} 1\n`)
  })

  it('proves the sums of the ledger, and is told when they are wrong', async () => {
    const app = await buildTestApp({ kind, env: noGift })
    await aPerson(app, email)
    await admin(app, `credits grant --email ${email} --amount 5`)
    expect(await admin(app, 'ledger check')).toEqual({
      isOk: true,
      lines: ['The ledger is in order: 1 transactions, 0 open holds.', '  promo\t-5', '  user\t5'],
    })
    expect(await admin(app, 'ledger reconcile')).toEqual(await admin(app, 'ledger check'))
    await app.db.execute(sql`update ledger_balances set posted = posted + 1`)
    expect(await admin(app, 'ledger check')).toMatchObject({
      isOk: false,
      lines: [
        expect.stringContaining('NOT in order'),
        expect.stringContaining('a balance is the sum of its entries'),
        '  promo\t-5',
        '  user\t5',
      ],
    })
  })
})
