import { AppError } from '@parley/contract/errors'
import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createQueryClient, refetchWhenOnline } from './query-client'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const minutes = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 60_000)

describe('what is read from a home or the server', () => {
  it('is asked for three times more when it fails, and not again when it does not exist or the device refuses [CH-184]', async () => {
    for (const [error, calls] of [
      [new AppError('network'), 4],
      [new AppError('not-found'), 1],
      [new AppError('storage.full'), 1],
    ] as const) {
      const queryFn = vi.fn(() => Promise.reject(error))
      const reader = new QueryObserver(createQueryClient(), { queryKey: ['x'], queryFn })
      const leave = reader.subscribe(() => undefined)
      await minutes(2)
      expect(reader.getCurrentResult().error).toBe(error)
      leave()
      expect(queryFn, error.code).toHaveBeenCalledTimes(calls)
    }
  })

  it('is asked for once on a device without a network, which is told at once; what else fails there, three times more', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onTestFinished(() => onLine.mockRestore())
    for (const [error, calls] of [
      [new AppError('network'), 1],
      [new AppError('unknown'), 4],
    ] as const) {
      const queryFn = vi.fn(() => Promise.reject(error))
      const reader = new QueryObserver(createQueryClient(), { queryKey: ['x'], queryFn })
      const leave = reader.subscribe(() => undefined)
      await minutes(calls === 1 ? 0 : 2)
      expect(reader.getCurrentResult().error).toBe(error)
      leave()
      expect(queryFn, error.code).toHaveBeenCalledTimes(calls)
    }
  })

  it('that failed without a network is asked for again when it is back, and nothing else that failed', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onTestFinished(() => onLine.mockRestore())
    const client = createQueryClient()
    refetchWhenOnline(client)
    const read = vi.fn(() => Promise.resolve('read')).mockRejectedValueOnce(new AppError('network'))
    const gone = vi.fn(() => Promise.reject(new AppError('not-found')))
    const readers = [read, gone].map((queryFn, n) => new QueryObserver<string>(client, { queryKey: [n], queryFn }))
    const ends = readers.map((reader) => reader.subscribe(() => undefined))
    await minutes(0)
    dispatchEvent(new Event('online'))
    await minutes(0)
    for (const end of ends) end()
    expect(readers[0]?.getCurrentResult().data).toBe('read')
    expect(gone).toHaveBeenCalledTimes(1)
  })

  it('that begins after the network has gone fails at once, and what has grown old meanwhile is asked for when it is back', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onTestFinished(() => onLine.mockRestore())
    const client = createQueryClient()
    refetchWhenOnline(client)
    client.mount()
    const old = vi.fn(() => Promise.resolve('read'))
    const ends = [new QueryObserver(client, { queryKey: ['old'], queryFn: old }).subscribe(() => undefined)]
    await minutes(6)
    dispatchEvent(new Event('offline'))
    const late = vi.fn(() => Promise.resolve('read')).mockRejectedValueOnce(new AppError('network'))
    const reader = new QueryObserver<string>(client, { queryKey: ['late'], queryFn: late })
    ends.push(reader.subscribe(() => undefined))
    await minutes(0)
    expect(reader.getCurrentResult().error).toEqual(new AppError('network'))
    expect(old).toHaveBeenCalledTimes(1)
    dispatchEvent(new Event('online'))
    await minutes(0)
    for (const end of ends) end()
    client.unmount()
    expect(reader.getCurrentResult().data).toBe('read')
    expect(old).toHaveBeenCalledTimes(2)
  })

  it('that is invalidated while it is fetched for the first time is fetched once more, however often', async () => {
    const client = createQueryClient()
    let stored = 'as it was before'
    const queryFn = vi.fn(async () => {
      const read = stored
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return read
    })
    const reader = new QueryObserver<string>(client, { queryKey: ['x', 'of ana'], queryFn })
    const leave = reader.subscribe(() => undefined)
    await minutes(0)
    stored = 'as it is'
    for (let changes = 0; changes < 2; changes++) void client.invalidateQueries({ queryKey: ['x'] })
    await minutes(1)
    leave()
    expect(reader.getCurrentResult().data).toBe('as it is')
    expect(queryFn).toHaveBeenCalledTimes(2)
  })

  it('is fresh for 5 minutes, kept for 10 after its last reader, and not read again when the window is looked at [CH-186]', async () => {
    const client = createQueryClient()
    client.mount()
    const queryFn = vi.fn(() => Promise.resolve('read'))
    const watch = () => new QueryObserver(client, { queryKey: ['x'], queryFn }).subscribe(() => undefined)
    const leave = watch()
    await minutes(4.9)
    const leaveAgain = watch()
    document.dispatchEvent(new Event('visibilitychange'))
    await minutes(0)
    expect(queryFn).toHaveBeenCalledTimes(1)
    await minutes(0.2)
    document.dispatchEvent(new Event('visibilitychange'))
    await minutes(0)
    expect(queryFn).toHaveBeenCalledTimes(1)
    const leaveLast = watch()
    await minutes(0)
    expect(queryFn).toHaveBeenCalledTimes(2)

    for (const stop of [leave, leaveAgain, leaveLast]) stop()
    await minutes(9.9)
    expect(client.getQueryData(['x'])).toBe('read')
    await minutes(0.2)
    expect(client.getQueryData(['x'])).toBeUndefined()
    client.unmount()
  })
})

it('what is changed is tried once more where the network or the server was away, not where it was refused [CH-185]', async () => {
  for (const [error, calls] of [
    [new AppError('network'), 2],
    [new AppError('server-error'), 2],
    [new AppError('channel.name-taken'), 1],
    [new AppError('storage.full'), 1],
  ] as const) {
    const mutationFn = vi.fn(() => Promise.reject(error))
    const change = new MutationObserver(createQueryClient(), { mutationFn })
      .mutate()
      .catch((failure: unknown) => failure)
    await minutes(1)
    expect(await change).toBe(error)
    expect(mutationFn, error.code).toHaveBeenCalledTimes(calls)
  }
})
