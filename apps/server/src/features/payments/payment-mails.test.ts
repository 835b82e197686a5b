import { serverLimits } from '@parley/contract/limits/server'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { payments } from '../../db/schema/payments'
import { users } from '../../db/schema/users'
import { createLogger } from '../../plugins/logging'
import { createMail } from '../../providers/mail'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { type Email, type MailReceiver, startMailReceiver } from '../../testing/mail-receiver'
import { urlsIn } from '../../testing/mail-words'
import { aPerson } from '../../testing/person'
import { type StripeStandIn, startStripe } from '../../testing/stripe-stand-in'
import { startTcpProxy } from '../../testing/tcp-proxy'
import { emptyTables, testDatabase } from '../../testing/test-databases'
import { PaymentMails } from './payment-mails'

const publicUrl = 'https://parley.example'
const { mailAgainMs, mailForMs } = serverLimits.payments

let receiver: MailReceiver
let stripe: StripeStandIn
beforeAll(async () => {
  receiver = await startMailReceiver()
  stripe = await startStripe()
})
afterAll(async () => {
  await receiver.close()
  await stripe.close()
})
afterEach(() => {
  receiver.refused = undefined
  expect(receiver.unread).toBe(0)
})

describe.each(databases)('mails of payments on %s', (kind) => {
  async function setUp(smtpUrl = receiver.url) {
    const { db } = await testDatabase(kind)
    await emptyTables(db)
    const lines: string[] = []
    const log = createLogger({ level: 'debug', destination: { write: (line) => lines.push(line) } })
    const clock = { now: Date.parse('2026-11-22T10:00:00Z') }
    const someMails = () => {
      const mail = createMail({ smtpUrl, mailFrom: undefined, dataDir: '/nowhere', log })
      onTestFinished(() => mail.close())
      return new PaymentMails({ db, mail, publicUrl, supportEmail: undefined, log, now: () => clock.now })
    }
    const aUser = async (email: string, more: Partial<typeof users.$inferInsert> = {}): Promise<string> => {
      const id = uuidv7()
      await db.insert(users).values({ id, kind: 'email', email, ...more })
      return id
    }
    const aPayment = async (
      userId: string | null,
      more: Partial<typeof payments.$inferInsert> = {},
    ): Promise<string> => {
      const id = uuidv7()
      const at = new Date(clock.now)
      const times = { createdAt: at, updatedAt: at, checkedAt: at, expiresAt: at, creditedAt: at }
      const paid = {
        amount: dollars(5),
        method: 'card' as const,
        status: 'completed' as const,
        amountDue: 500n,
        currency: 'usd' as const,
      }
      await db.insert(payments).values({ id, userId, ...paid, ...times, ...more })
      return id
    }
    const unmailed = async (): Promise<string[]> => {
      const rows = await db.select({ id: payments.id, mailedAt: payments.mailedAt }).from(payments)
      return rows.filter(({ mailedAt }) => mailedAt === null).map(({ id }) => id)
    }
    return { db, clock, someMails, aUser, aPayment, unmailed, logs: () => lines.join('') }
  }

  const numberIn = ({ text }: Email): string => /: ([0-9a-f]{12})$/m.exec(text ?? '')?.[1] ?? ''

  async function aShop(smtpUrl: string, keepTables = false) {
    const env = {
      ALLOW_PAYMENTS_ON_PGLITE: 'true',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
      PUBLIC_URL: publicUrl,
      SMTP_URL: smtpUrl,
      REQUIRE_EMAIL_CONFIRMATION: 'false',
      RATE_LIMIT_SCALE: '0',
    }
    const app = await buildTestApp({ kind, keepTables, env })
    const paid = (id: string) => {
      const { body, headers } = stripe.event(
        'checkout.session.completed',
        stripe.change(id, { status: 'complete', isPaid: true }),
      )
      return app.call('/api/billing/webhooks/stripe', { method: 'POST', body, headers })
    }
    const aBuyer = async (email: string) => {
      const client = await aPerson(app, email, publicUrl)
      const buy = async () =>
        ((await client.post('/api/billing/payment', { amount: 12.34, method: 'card' })).body as { id: string }).id
      const status = async (id: string) =>
        ((await client.send('GET', `/api/billing/payment/${id}`)).body as { status: string }).status
      return { client, buy, status }
    }
    return { app, paid, aBuyer }
  }

  it.each([
    ['en-US', /\$12\.34/],
    ['pt-BR', /US\$\s12,34/],
    ['es-ES', /12,34\sUS\$/],
  ])('comes to the buyer in their language, %s, when the payment is complete', async (language, amount) => {
    const { app, aBuyer, paid } = await aShop(receiver.url)
    const ana = await aBuyer('ana@example.org')
    await ana.client.post('/api/auth/update-language', { language })
    const id = await ana.buy()
    expect((await paid(id)).status).toBe(200)
    const mail = await receiver.next('ana@example.org')
    expect(mail.html).toContain(`<html lang="${language}">`)
    expect(mail.text).toMatch(amount)
    expect(numberIn(mail)).toBe(id.slice(-12))
    expect(urlsIn(mail.text ?? '')).toEqual([`${publicUrl}/settings?tab=credits`])
    await app.close()
    expect(app.logs()).not.toContain('ana@example.org')
  })

  it('comes once, however many notifications reach however many nodes', async () => {
    const [one, two] = [await aShop(receiver.url), await aShop(receiver.url, true)]
    const ana = await one.aBuyer('ana@example.org')
    const ids = [await ana.buy(), await ana.buy(), await ana.buy()]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ids.flatMap((id) => [one.paid(id), two.paid(id)])).flat(),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // A node sends its mails before it ends.
    await Promise.all([one.app.close(), two.app.close()])
    expect(receiver.unread).toBe(ids.length)
    const mails = await Promise.all(ids.map(() => receiver.next('ana@example.org')))
    expect(mails.map(numberIn).sort()).toEqual(ids.map((id) => id.slice(-12)).sort())
  })

  it('is sent by one of the nodes that look at the same time', async () => {
    const { someMails, aUser, aPayment, unmailed } = await setUp()
    const ana = await aUser('ana@example.org')
    const ids = []
    for (let n = 0; n < 40; n += 1) ids.push(await aPayment(ana))
    await Promise.all([someMails(), someMails(), someMails()].map((mails) => mails.sendDue()))
    expect(receiver.unread).toBe(ids.length)
    const mails = await Promise.all(ids.map(() => receiver.next('ana@example.org')))
    expect(mails.map(numberIn).sort()).toEqual(ids.map((id) => id.slice(-12)).sort())
    expect(await unmailed()).toEqual([])
  })

  // The embedded database has one connection, so that no row is locked by another one.
  it.skipIf(kind === 'pglite')('is sent as soon as whatever else looks at the payment lets go of it', async () => {
    const { db, someMails, aUser, aPayment, unmailed } = await setUp()
    const id = await aPayment(await aUser('ana@example.org'))
    let sending: Promise<void> | undefined
    await db.transaction(async (tx) => {
      await tx.select().from(payments).where(eq(payments.id, id)).for('update')
      sending = someMails().sendDue()
      const isWaited = sql`select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())
        union select from pg_locks where not granted and locktype = 'transactionid'`
      const waited = expect.poll(async () => (await db.execute(isWaited)).rows.length).toBeGreaterThan(0)
      await Promise.race([sending, waited])
    })
    await sending
    expect(receiver.unread).toBe(1)
    await receiver.next('ana@example.org')
    expect(await unmailed()).toEqual([])
  })

  it('goes to nobody without a mailbox, nobody who is gone and nobody who got the money back', async () => {
    const { db, someMails, aUser, aPayment, unmailed } = await setUp()
    await aPayment(await aUser('0xabc@erc20', { kind: 'ethereum' }))
    await aPayment(await aUser('abc@solana', { kind: 'solana' }))
    await aPayment(await aUser('0xdef@sui', { kind: 'sui' }))
    const bob = await aUser('bob@example.org')
    await aPayment(bob)
    await db.delete(users).where(eq(users.id, bob))
    await aPayment(await aUser('ana@example.org'), { status: 'refunded', refundedAmount: dollars(5), refundCount: 1 })
    const open = await aPayment(await aUser('eve@example.org'), { status: 'pending', creditedAt: null })
    await aPayment(await aUser('google@example.org', { kind: 'google' }))
    await someMails().sendDue()
    expect(receiver.unread).toBe(1)
    await receiver.next('google@example.org')
    // These are never checked again.
    expect(await unmailed()).toEqual([open])
  })

  it('waits while the mail server is away, and comes once when it is back', async () => {
    const wire = await startTcpProxy({ host: '127.0.0.1', port: receiver.port })
    const { clock, someMails, aUser, aPayment, unmailed, logs } = await setUp(`smtp://127.0.0.1:${wire.port}`)
    const ana = await aUser('ana@example.org')
    const [first, second] = [await aPayment(ana), await aPayment(ana)]
    const mails = someMails()
    wire.cut()
    await mails.sendDue()
    expect((await unmailed()).sort()).toEqual([first, second].sort())
    expect(logs()).toContain('is tried again')
    expect(logs()).not.toContain('ana@example.org')
    wire.mend()
    await mails.sendDue()
    expect(receiver.unread).toBe(0)
    clock.now += mailAgainMs
    await Promise.all([mails.sendDue(), someMails().sendDue()])
    expect(receiver.unread).toBe(2)
    const arrived = [await receiver.next('ana@example.org'), await receiver.next('ana@example.org')]
    expect(new Set(arrived.map(({ messageId }) => messageId))).toEqual(
      new Set([first, second].map((id) => `<payment-${id}@parley.example>`)),
    )
    expect(await unmailed()).toEqual([])
  })

  it('that is refused holds no other up, and is given up after a day', async () => {
    const { clock, someMails, aUser, aPayment, unmailed, logs } = await setUp()
    receiver.refused = 'gone@example.org'
    const refused = await aPayment(await aUser('gone@example.org'))
    clock.now += 1_000
    await aPayment(await aUser('ana@example.org'))
    const mails = someMails()
    await mails.sendDue()
    await receiver.next('ana@example.org')
    expect(await unmailed()).toEqual([refused])
    clock.now += mailForMs
    await mails.sendDue()
    expect(await unmailed()).toEqual([])
    clock.now += mailAgainMs
    await mails.sendDue()
    expect(logs().match(/is given up/g)).toHaveLength(1)
    expect(logs()).not.toContain('gone@example.org')
  })

  it('holds no payment up when the mail server does not answer', async () => {
    const wire = await startTcpProxy({ host: '127.0.0.1', port: receiver.port })
    const { aBuyer, paid } = await aShop(`smtp://127.0.0.1:${wire.port}`)
    const ana = await aBuyer('ana@example.org')
    const id = await ana.buy()
    wire.stall()
    expect((await paid(id)).status).toBe(200)
    expect(await ana.status(id)).toBe('completed')
    wire.cut()
  })
})
