import 'fake-indexeddb/auto'
import { limits } from '@parley/contract/limits'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { watchSession } from './session-watch'

it('after a sign-in what is listed is asked for anew, and once more half a second later [AG-117]', async () => {
  expect(limits.auth.queriesRefreshMs).toBe(500)
  const client = new QueryClient()
  watchSession(client)
  const askedAt: number[] = []
  const list = new QueryObserver(client, { queryKey: ['channels'], queryFn: () => askedAt.push(performance.now()) })
  onTestFinished(list.subscribe(() => undefined))
  await vi.waitFor(() => expect(askedAt).toHaveLength(1))
  await seedSession()
  await vi.waitFor(() => expect(askedAt).toHaveLength(3), { timeout: 3_000 })
  const [, atOnce = 0, later = 0] = askedAt
  expect(later - atOnce).toBeGreaterThan(400)
})
