import { serverLimits } from '@parley/contract/limits/server'
import { toNumber } from '@parley/contract/money'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { startMercadoPago } from '../../testing/mercado-pago-stand-in'
import { aPaymentShop } from '../../testing/payment-shop'
import { aPerson } from '../../testing/person'
import { startStripe } from '../../testing/stripe-stand-in'
import { ReconciliationService } from './public/reconciliation'

const paid = { status: 'complete', isPaid: true } as const

describe.each(databases)('reconciliation on %s', (kind) => {
  async function aShop() {
    const [stripe, pix] = [await startStripe(), await startMercadoPago()]
    onTestFinished(() => Promise.all([stripe.close(), pix.close()]).then(() => undefined))
    const clock = { now: Date.now() }
    const { app, ledger, payments, deps } = await aPaymentShop({
      kind,
      stripe,
      pix,
      now: () => clock.now,
      env: { USD_BRL_RATE: '5' },
    })
    const node = () => new ReconciliationService(deps)
    const ana = await aPerson(app, 'ana@example.org')
    const buy = async (amount: number, method: 'card' | 'pix') =>
      (await payments.start(ana.answer.user.id, { amount, method, key: undefined })).id
    const credits = async () => toNumber(await ledger.balance(ana.answer.user.id))
    // What is young is not missed at the provider yet.
    const age = () => {
      clock.now += 2 * serverLimits.payments.reconcileAfterMs
    }
    return { stripe, pix, app, ledger, payments, node, clock, age, buy, credits }
  }

  const named = (findings: { rule: string; subject: string }[]) => findings.map(({ rule, subject }) => [rule, subject])

  it('takes over what no notification told: payments, returns in part, and what came in after its time', async () => {
    const { stripe, pix, app, ledger, payments, node, clock, buy, credits } = await aShop()
    const ids = [
      await buy(10, 'card'),
      await buy(20, 'card'),
      await buy(30, 'card'),
      await buy(4, 'pix'),
      await buy(5, 'pix'),
      await buy(6, 'pix'),
    ]
    const [card = '', part = '', open = '', qr = '', late = ''] = ids
    clock.now += serverLimits.payments.pixMinutes * 60_000 + 60_000
    await payments.sweep()
    stripe.change(card, paid)
    stripe.change(part, { ...paid, refunded: 500 })
    pix.change(qr, { status: 'approved' })
    pix.change(late, { status: 'approved', refunded: 12.5 })
    // Of somebody else's sales in the same account.
    const foreign = await buy(7, 'pix')
    pix.change(foreign, { status: 'approved', reference: '-'.repeat(36) })
    expect(await node().run()).toEqual([])
    expect(await credits()).toBe(10 + 15 + 4 + 2.5)
    expect(app.logs()).not.toContain('could not be asked for')
    stripe.change(card, { refunded: 1_000 })
    stripe.change(open, paid)
    expect(await node().run()).toEqual([])
    expect(await credits()).toBe(15 + 30 + 4 + 2.5)
    expect((await ledger.check()).findings).toEqual([])
  })

  it('names what came in and is not credited, and what is credited and did not come in, until they fit', async () => {
    const { stripe, pix, app, node, age, buy, credits } = await aShop()
    const [less, gone, lost] = [await buy(10, 'card'), await buy(20, 'card'), await buy(5, 'pix')]
    const wrong = stripe.change(less, { ...paid, cents: 999 })
    stripe.change(gone, paid)
    pix.change(lost, { status: 'approved' })
    await node().run()
    expect(await credits()).toBe(25)
    age()
    const [session] = stripe.sessions.splice(1, 1)
    pix.change(lost, { status: 'pending' })
    const findings = [
      ['what Stripe received is credited', wrong.id],
      ['what is credited Mercado Pago received', lost],
      ['what is credited Stripe received', gone],
    ]
    expect(named(await node().run()).sort()).toEqual(findings)
    expect(app.logs()).toContain('reconciliation: a difference')
    // Told by the command, and never put right by itself.
    const told = await app.admin(['ledger', 'check'])
    expect(told.isOk).toBe(false)
    for (const [rule = '', subject = ''] of findings)
      expect(told.lines.join('\n')).toContain(`not so: ${rule}\t${subject}\tsince `)
    expect(await credits()).toBe(25)
    // Whoever cannot be asked proves nothing.
    stripe.failure = 500
    expect(named(await node().run())).toHaveLength(3)
    stripe.failure = undefined
    if (session) stripe.sessions.push(session)
    pix.change(lost, { status: 'approved' })
    stripe.change(less, { refunded: 999 })
    expect(await node().run()).toEqual([])
    expect(await app.admin(['ledger', 'reconcile'])).toMatchObject({ isOk: true })
  })

  it('names what the ledger itself shows to be wrong', async () => {
    const { app, node } = await aShop()
    const { rows } = await app.db.execute<{ account_id: string }>(
      'update ledger_balances set posted = posted + 1 returning account_id',
    )
    if (rows.length === 0)
      await app.db.execute(
        "insert into ledger_accounts (id, kind) values ('0191b1a0-0000-7000-8000-000000000009', 'user')",
      )
    expect((await node().run()).length).toBeGreaterThan(0)
  })

  it('runs once an hour, however many nodes there are', async () => {
    const { stripe, node, clock, buy } = await aShop()
    await buy(10, 'card')
    const asked = async () => {
      const before = stripe.calls
      await Promise.all([node().runDue(), node().runDue(), node().runDue()])
      return stripe.calls - before
    }
    expect(await asked()).toBe(1)
    clock.now += serverLimits.payments.reconcileEveryMs - 1_000
    expect(await asked()).toBe(0)
    clock.now += 2_000
    expect(await asked()).toBe(1)
  })
})
