import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { subscriptions } from '../../db/schema/users'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aHoldService } from '../../testing/ledger-people'
import { aPerson } from '../../testing/person'
import { LedgerService } from './public/ledger'

const credit = '/api/billing/credit/user'
const history = '/api/billing/credit/history'
const subscription = '/api/billing/subscription/user'
const day = 86_400_000
const env = { SIGNUP_CREDITS: '0' }

describe.each(databases)('billing on %s', (kind) => {
  it('tells people their own credits, as a number, and nobody else [CH-159]', async () => {
    const app = await buildTestApp({ kind, env })
    const [ana, bob] = [await aPerson(app, 'ana@example.org'), await aPerson(app, 'bob@example.org')]
    const ledger = new LedgerService({ db: app.db, now: Date.now })
    await ledger.grant(app.db, { userId: ana.answer.user.id, amount: dollars('12.345678901'), key: 'a' })
    expect(await ana.send('GET', credit)).toMatchObject({ status: 200, body: { amount: 12.345678901 } })
    expect(await bob.send('GET', credit)).toMatchObject({ status: 200, body: { amount: 0 } })
    for (const path of [credit, history, subscription]) expect((await app.call(path)).status, path).toBe(401)
  })

  it('gives nothing for the key that browsers once shipped, and takes a call that still carries it [CH-162]', async () => {
    const app = await buildTestApp({ kind, env })
    const ana = await aPerson(app, 'ana@example.org')
    const key = { 'x-api-key': 'anything' }
    for (const path of [credit, history]) {
      expect((await app.call(path, { headers: key })).status).toBe(401)
      expect(
        (await app.call(path, { headers: { ...key, authorization: `Bearer ${ana.tokens?.access_token}` } })).status,
      ).toBe(200)
    }
  })

  it('tells how the credits came and went, in pages', async () => {
    const app = await buildTestApp({ kind, env })
    const ana = await aPerson(app, 'ana@example.org')
    const userId = ana.answer.user.id
    const ledger = new LedgerService({ db: app.db, now: Date.now })
    await ledger.grant(app.db, { userId, amount: dollars(5), key: 'a' })
    const messageId = uuidv7()
    const holds = aHoldService(app.db)
    await holds.reserve(app.db, { userId, messageId, amount: dollars(1), model: 'm' })
    await holds.settle(app.db, {
      userId,
      messageId,
      cost: dollars('0.25'),
      usage: { inputTokens: 3, outputTokens: 4 },
    })
    expect((await ana.send('GET', `${history}?page=0&size=1`)).body).toMatchObject({
      data: [
        { kind: 'settle', amount: '-0.25', balance: '4.75', messageId, model: 'm', inputTokens: 3, outputTokens: 4 },
      ],
      page: 0,
      size: 1,
      total: 2,
    })
    expect((await ana.send('GET', history)).body).toMatchObject({ page: 0, size: limits.credits.historyPage, total: 2 })
    for (const query of ['page=-1', 'size=0', 'size=201', 'size=1e400', 'page=NaN'])
      expect((await ana.send('GET', `${history}?${query}`)).status, query).toBe(400)
  })

  it('tells when a running subscription began and ends, and 404 without one [CH-160, CH-150]', async () => {
    const app = await buildTestApp({ kind, env })
    const ana = await aPerson(app, 'ana@example.org')
    expect(await ana.send('GET', subscription)).toMatchObject({
      status: 404,
      body: { success: false, code: 'not-found' },
    })
    const period = { currentPeriodStart: new Date(Date.now() - day), currentPeriodEnd: new Date(Date.now() + day) }
    await app.db.insert(subscriptions).values({ userId: ana.answer.user.id, productName: 'Annual', ...period })
    expect(await ana.send('GET', subscription)).toMatchObject({
      status: 200,
      body: {
        current_period_start: period.currentPeriodStart.toISOString(),
        current_period_end: period.currentPeriodEnd.toISOString(),
        product_name: 'Annual',
      },
    })
    await app.db.update(subscriptions).set({ currentPeriodEnd: new Date(Date.now() - 1) })
    expect((await ana.send('GET', subscription)).status).toBe(404)
  })

  it('loses the person of the ledger when they delete their account [ST-198]', async () => {
    const app = await buildTestApp({ kind, env })
    const ana = await aPerson(app, 'ana@example.org')
    const userId = ana.answer.user.id
    const ledger = new LedgerService({ db: app.db, now: Date.now })
    await ledger.grant(app.db, { userId, amount: dollars(5), key: 'a' })
    expect((await ana.send('DELETE', '/api/user/account', { userId })).status).toBe(204)
    const again = await aPerson(app, 'ana@example.org')
    expect((await again.send('GET', credit)).body).toEqual({ amount: 0 })
    expect((await ledger.check()).findings).toEqual([])
  })

  it('frees what a node that is gone had kept aside, when the next one starts; until then it is still shown', async () => {
    const first = await buildTestApp({ kind, env })
    const ana = await aPerson(first, 'ana@example.org')
    const userId = ana.answer.user.id
    const ledger = new LedgerService({ db: first.db, now: Date.now })
    await ledger.grant(first.db, { userId, amount: dollars(5), key: 'a' })
    const longAgo = aHoldService(first.db, () => Date.now() - 2 * serverLimits.credits.holdMs)
    await longAgo.reserve(first.db, { userId, messageId: uuidv7(), amount: dollars(2), model: 'm' })
    expect(await ledger.spendable(userId)).toBe(dollars(3))
    expect((await ana.send('GET', credit)).body).toEqual({ amount: 5 })
    const second = await buildTestApp({ kind, env, keepTables: true })
    await expect.poll(() => second.logs()).toContain('ended holds of answers that nobody writes any more')
    expect(await ledger.spendable(userId)).toBe(dollars(5))
  })
})
