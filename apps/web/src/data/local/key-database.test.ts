import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deleteUnlessBlocked } from './key-database'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('a database that another tab does not let go of keeps nobody signed in for more than two seconds', async () => {
  const held = await openDB('held', 1)
  const done = vi.fn()
  const deleted = deleteUnlessBlocked('held').then(done)
  while (vi.getTimerCount() === 0) await turn()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(done).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await deleted
  // The browser deletes it as soon as the other tab lets it go.
  held.close()
  await vi.waitUntil(async () => (await indexedDB.databases()).every(({ name }) => name !== 'held'))
})
