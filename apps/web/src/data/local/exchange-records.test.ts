import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openDatabase } from './database'
import { exchangesOf, readExchanges } from './exchange-records'

const sealed = { v: 2, kid: 'k', n: new Uint8Array(12), c: new ArrayBuffer(1) }
const at = '2026-01-01T00:00:00.000Z'

it('each exchange has its own runs, oldest first, whatever stands between them and however they are read', async () => {
  const db = await openDatabase('runs-of-exchanges')
  const exchange = fc.record({ id: fc.stringMatching(/^[a-e]{1,3}$/), runs: fc.array(fc.nat(9), { maxLength: 7 }) })
  const chats = fc.uniqueArray(exchange, { selector: ({ id }) => id, maxLength: 12 })
  const run = async (one: { id: string; runs: number[] }[], left: { id: string; runs: number[] }[]): Promise<void> => {
    for (const table of ['exchanges', 'runs'] as const) await db.clear(table)
    const putRuns = async (exchangeId: string, times: readonly number[]): Promise<void> => {
      for (const [n, time] of times.entries()) {
        const ids = { chatId: 'c', channelId: 'c', exchangeId, id: `${exchangeId}-${n}` }
        await db.put('runs', { ...ids, startedAt: String(time), ...sealed })
      }
    }
    for (const [index, { id, runs }] of one.entries()) {
      await db.put('exchanges', { ...{ id, chatId: 'c', channelId: 'c', position: index + 1, at }, ...sealed })
      await putRuns(id, runs)
    }
    // Runs whose exchange is elsewhere.
    for (const { id, runs } of left) if (!one.some((each) => each.id === id)) await putRuns(id, runs)
    const read = await readExchanges(db.transaction(['exchanges', 'runs']), exchangesOf('c'))
    expect(read.map(({ record, runs }) => [record.id, runs.map(({ startedAt, id }) => `${startedAt} ${id}`)])).toEqual(
      one.map(({ id, runs }) => [id, runs.map((time, n) => `${time} ${id}-${n}`).toSorted()]),
    )
  }
  await fc.assert(fc.asyncProperty(chats, chats, run), { numRuns: 60 })
  db.close()
})
