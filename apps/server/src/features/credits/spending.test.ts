import { limits } from '@parley/contract/limits/shared'
import { dollars } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { aHoldService } from '../../testing/ledger-people'
import { aPerson } from '../../testing/person'
import { LedgerService } from './public/ledger'

const spending = '/api/billing/credit/spending'
const now = () => Date.parse('2026-11-02T12:00:00.000Z')

describe.each(databases)('spending on %s', (kind) => {
  async function aSpender(app: TestApp, email: string) {
    const client = await aPerson(app, email)
    const userId = client.answer.user.id
    await new LedgerService({ db: app.db, now }).grant(app.db, { userId, amount: dollars(50), key: email })
    /** An answer that ended then. */
    const spend = async (time: string, cost: string, model = 'm') => {
      const then = aHoldService(app.db, () => Date.parse(time))
      const messageId = uuidv7()
      // At once: the app's sweep may come between, and would take a hold of days ago for one whose node is gone.
      await app.db.transaction(async (tx) => {
        await then.reserve(tx, { userId, messageId, amount: dollars(1), model })
        await then.settle(tx, { userId, messageId, cost: dollars(cost) })
      })
    }
    const ask = async (query = '') => (await client.send('GET', `${spending}?${query}`)).body
    return { client, userId, spend, ask }
  }

  it('is summed by day and model, oldest day first, in exact amounts above zero', async () => {
    const app = await buildTestApp({ kind, now })
    const ana = await aSpender(app, 'ana@example.org')
    await ana.spend('2026-11-02T08:00:00Z', '0.1')
    await ana.spend('2026-11-02T09:00:00Z', '0.000000001')
    await ana.spend('2026-11-02T09:01:00Z', '0.2', 'other')
    await ana.spend('2026-10-31T23:00:00Z', '0.3')
    // It cost nothing.
    await ana.spend('2026-11-01T08:00:00Z', '0')
    expect(await ana.ask()).toEqual({
      from: '2026-10-04',
      to: '2026-11-02',
      data: [
        { day: '2026-10-31', model: 'm', amount: '0.3', answers: 1 },
        { day: '2026-11-02', model: 'm', amount: '0.100000001', answers: 2 },
        { day: '2026-11-02', model: 'other', amount: '0.2', answers: 1 },
      ],
    })
  })

  it('is the person’s own alone, and of nobody who is not signed in', async () => {
    const app = await buildTestApp({ kind, now })
    const [ana, bob] = [await aSpender(app, 'ana@example.org'), await aSpender(app, 'bob@example.org')]
    await ana.spend('2026-11-02T08:00:00Z', '0.1')
    expect(await bob.ask()).toMatchObject({ data: [] })
    await bob.spend('2026-11-02T08:00:00Z', '0.7')
    expect(await bob.ask()).toMatchObject({ data: [{ amount: '0.7', answers: 1 }] })
    expect(await ana.ask()).toMatchObject({ data: [{ amount: '0.1', answers: 1 }] })
    expect((await app.call(spending)).status).toBe(401)
  })

  it('has the days of the person’s time zone, also those of 25 hours', async () => {
    const app = await buildTestApp({ kind, now })
    const ana = await aSpender(app, 'ana@example.org')
    const days = async (query: string) => {
      const { from, to, data } = (await ana.ask(query)) as {
        from: string
        to: string
        data: { day: string; amount: string }[]
      }
      return { from, to, days: Object.fromEntries(data.map(({ day, amount }) => [day, amount])) }
    }
    // In New York November 1 begins at 4:00 UTC and, an hour longer, ends at 5:00 UTC.
    for (const [time, cost] of [
      ['2026-11-01T03:59:59.999Z', '0.1'],
      ['2026-11-01T04:00:00.000Z', '0.2'],
      ['2026-11-02T04:59:59.999Z', '0.3'],
      ['2026-11-02T05:00:00.000Z', '0.4'],
    ] as const)
      await ana.spend(time, cost)
    expect(await days('days=3&timeZone=America/New_York')).toEqual({
      from: '2026-10-31',
      to: '2026-11-02',
      days: { '2026-10-31': '0.1', '2026-11-01': '0.5', '2026-11-02': '0.4' },
    })
    // What was before the first day is left out.
    expect(await days('days=1&timeZone=America/New_York')).toEqual({
      from: '2026-11-02',
      to: '2026-11-02',
      days: { '2026-11-02': '0.4' },
    })
    // Where it is November 3 already.
    expect(await days('days=2&timeZone=Pacific/Kiritimati')).toEqual({
      from: '2026-11-02',
      to: '2026-11-03',
      days: { '2026-11-02': '0.7' },
    })
  })

  it('tells the days apart where they begin at a quarter past, by every name that browsers have for the place', async () => {
    const app = await buildTestApp({ kind, now })
    const ana = await aSpender(app, 'ana@example.org')
    await ana.spend('2026-11-01T18:14:59.999Z', '0.1')
    await ana.spend('2026-11-01T18:15:00.000Z', '0.2')
    for (const name of ['Asia/Kathmandu', 'Asia/Katmandu'])
      expect(await ana.ask(`timeZone=${name}`), name).toMatchObject({
        data: [
          { day: '2026-11-01', amount: '0.1' },
          { day: '2026-11-02', amount: '0.2' },
        ],
      })
  })

  it('refuses what is no number of days and no time zone', async () => {
    const app = await buildTestApp({ kind, now })
    const { client } = await aSpender(app, 'ana@example.org')
    const status = async (query: string) => (await client.send('GET', `${spending}?${query}`)).status
    for (const query of [
      'days=0',
      `days=${limits.credits.maxSpendingDays + 1}`,
      'days=x',
      'timeZone=Nowhere/At_All',
      "timeZone=UTC'",
    ])
      expect(await status(query), query).toBe(400)
    expect(await status(`days=${limits.credits.maxSpendingDays}`)).toBe(200)
  })
})
