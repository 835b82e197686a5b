import { dollars } from '@parley/contract/money'
import { describe, expect, it } from 'vitest'
import { anEmptyLedger } from '../../testing/empty-ledger'
import { databases } from '../../testing/test-databases'
import { creditHistory } from './history-service'

describe.each(databases)('the ledger on %s', (kind) => {
  it('gives the history in pages, newest first, of nobody else', async () => {
    const { db, ledger, person } = await anEmptyLedger(kind)
    const [ana, bob] = [await person('1'), await person('7')]
    for (let n = 2; n <= 7; n++) await ledger.grant(db, { userId: ana, amount: dollars(n), key: `g${n}` })
    const page = async (number: number) =>
      (await creditHistory(db, ana, { page: number, size: 3 })).data.map(({ amount }) => amount)
    expect([await page(0), await page(1), await page(2), await page(3)]).toEqual([
      ['7', '6', '5'],
      ['4', '3', '2'],
      ['1'],
      [],
    ])
    expect((await creditHistory(db, ana, { page: 1, size: 3 })).total).toBe(7)
    expect((await creditHistory(db, bob, { page: 0, size: 3 })).data.map(({ amount }) => amount)).toEqual(['7'])
  })
})
