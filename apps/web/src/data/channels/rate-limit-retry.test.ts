import { AppError } from '@parley/contract/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { retryWhenRateLimited } from './rate-limit-retry'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const tooMany = new AppError('rate-limited', { retryAfter: 30 })

it('waits as long as the server says and calls again', async () => {
  const call = vi.fn().mockRejectedValueOnce(tooMany).mockResolvedValue('done')
  const answer = retryWhenRateLimited(call)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(call).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await answer).toBe('done')
})

it('gives up on a server that never allows it, and at once on every other error', async () => {
  const refused = vi.fn().mockRejectedValue(tooMany)
  const answer = retryWhenRateLimited(refused).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await answer).toBe(tooMany)
  expect(refused).toHaveBeenCalledTimes(6)
  const failing = vi.fn().mockRejectedValue(new AppError('network'))
  await expect(retryWhenRateLimited(failing)).rejects.toMatchObject({ code: 'network' })
  expect(failing).toHaveBeenCalledTimes(1)
})

it('is called off while it waits', async () => {
  const controller = new AbortController()
  const answer = retryWhenRateLimited(vi.fn().mockRejectedValue(tooMany), controller.signal).catch(
    (error: unknown) => error,
  )
  await vi.advanceTimersByTimeAsync(1_000)
  controller.abort(new Error('enough'))
  expect(await answer).toEqual(new Error('enough'))
})
