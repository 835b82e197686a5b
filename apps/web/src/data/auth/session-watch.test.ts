import 'fake-indexeddb/auto'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { watchSession } from './session-watch'

it('after a sign-in what is listed is asked for anew, and once more half a second later [AG-117]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const client = new QueryClient()
  watchSession(client)
  const queryFn = vi.fn(() => 'listed')
  const list = new QueryObserver(client, { queryKey: ['channels'], queryFn })
  onTestFinished(list.subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(0)
  expect(queryFn).toHaveBeenCalledTimes(1)
  await seedSession()
  await vi.advanceTimersByTimeAsync(499)
  expect(queryFn).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(queryFn).toHaveBeenCalledTimes(3)
})
