import { serverLimits } from '@parley/contract/limits/server'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Db } from '../../db/client'
import { readEnv } from '../../env'
import { createLogger } from '../../plugins/logging'
import { MemoryBus } from '../../providers/bus/memory-bus'
import { createEgress } from '../../providers/egress'
import { breakingAfter } from '../../testing/breaking-database'
import { aPersonWith } from '../../testing/ledger-people'
import { type PaymentProviders, startPaymentProviders } from '../../testing/payment-providers'
import { databases, openPostgresql } from '../../testing/test-databases'
import { CreditEvents } from '../credits/public/credit-events'
import { LedgerService } from '../credits/public/ledger'
import { createPaymentMethods } from './payment-methods'
import { PaymentService } from './payment-service'

let providers: PaymentProviders
beforeAll(async () => {
  providers = await startPaymentProviders()
})
afterAll(() => providers.close())

describe.skipIf(!databases.includes('postgresql'))(
  'a connection that breaks under a payment (needs TEST_DATABASE_URL)',
  () => {
    it('before any statement of any step leaves nothing half done, and a repetition does the rest once [ST-174, ST-176]', async () => {
      const { database, url, remove } = await openPostgresql()
      onTestFinished(async () => {
        await database.close()
        await remove()
      })
      const { stripe, mercadoPago } = providers
      const clock = { now: Date.now() }
      const now = () => clock.now
      const methods = createPaymentMethods(readEnv({ ...providers.env, DATA_DIR: '.' }), createEgress(), now)
      const log = createLogger({ level: 'fatal' })
      const creditEvents = new CreditEvents({ bus: new MemoryBus(), log })
      const serviceOn = (db: Db) =>
        new PaymentService({ db, creditEvents, ledger: new LedgerService({ db, now }), methods, log, now })
      const ledger = new LedgerService({ db: database.db, now })
      const userId = await aPersonWith(database.db, ledger, '0')
      const balance = async (): Promise<string> => String(await ledger.balance(userId))

      /**
       * Does it on connections that break one statement later each time, until it is done, and once more then; answers
       * how many broke.
       */
      const breakEverywhere = async (
        act: (payments: PaymentService) => Promise<unknown>,
        before: string,
        after: string,
      ): Promise<number> => {
        for (let statements = 0; ; statements++) {
          const { db, end } = breakingAfter(url, statements)
          const isDone = await act(serviceOn(db)).then(
            () => true,
            () => false,
          )
          await end()
          expect((await ledger.check()).findings, `after ${statements} statements`).toEqual([])
          expect([before, after]).toContain(await balance())
          if (isDone) {
            await act(serviceOn(database.db))
            expect(await balance()).toBe(after)
            return statements
          }
        }
      }
      const nano = (amount: number) => String(dollars(amount))
      const fromStripe = (id: string, change: Parameters<typeof stripe.change>[1]) => {
        const { body, headers } = stripe.event('checkout.session.completed', stripe.change(id, change), {
          at: clock.now,
        })
        return (payments: PaymentService) =>
          payments.receiveWebhook('stripe', { raw: Buffer.from(body), headers, query: new URLSearchParams() })
      }
      const fromMercadoPago = (id: string, status: string) => {
        const { query, headers } = mercadoPago.notification(mercadoPago.change(id, { status }).id)
        return (payments: PaymentService) =>
          payments.receiveWebhook('mercadopago', { raw: Buffer.alloc(0), headers, query: new URLSearchParams(query) })
      }

      const breaks: number[] = []
      const start = async (method: 'card' | 'pix', amount: number, has: number): Promise<string> => {
        const key = uuidv7()
        // Whoever repeats it comes when the call that broke off no longer counts as in flight.
        const startLater = (payments: PaymentService) => {
          clock.now += serverLimits.payments.startMs
          return payments.start(userId, { amount, method, key })
        }
        breaks.push(await breakEverywhere(startLater, nano(has), nano(has)))
        return (await serviceOn(database.db).start(userId, { amount, method, key })).id
      }
      const card = await start('card', 5, 0)
      breaks.push(await breakEverywhere(fromStripe(card, { status: 'complete', isPaid: true }), nano(0), nano(5)))
      const pix = await start('pix', 20, 5)
      breaks.push(await breakEverywhere(fromMercadoPago(pix, 'approved'), nano(5), nano(25)))
      breaks.push(await breakEverywhere(fromStripe(card, { refunded: 500 }), nano(25), nano(20)))
      breaks.push(await breakEverywhere(fromMercadoPago(pix, 'refunded'), nano(20), nano(0)))
      const checked = await start('pix', 3, 0)
      mercadoPago.change(checked, { status: 'approved' })
      const checkLater = (payments: PaymentService) => {
        clock.now += serverLimits.payments.checkEveryMs
        return payments.checkPix(userId, checked)
      }
      breaks.push(await breakEverywhere(checkLater, nano(0), nano(3)))
      const swept = await start('card', 4, 3)
      stripe.change(swept, { status: 'complete', isPaid: true })
      // A look that breaks off leaves the payment alone for a while.
      const sweep = (payments: PaymentService) => {
        clock.now += 120_000
        return payments.sweep().then(async () => expect(await balance()).toBe(nano(7)))
      }
      breaks.push(await breakEverywhere(sweep, nano(3), nano(7)))

      const ends = (await serviceOn(database.db).list(userId)).map(({ id, status }) => [id, status])
      expect(new Map(ends.map(([id = '', status]) => [id, status]))).toEqual(
        new Map([
          [card, 'refunded'],
          [pix, 'refunded'],
          [checked, 'completed'],
          [swept, 'completed'],
        ]),
      )
      expect(breaks.reduce((sum, each) => sum + each)).toBeGreaterThan(100)
    })
  },
)
