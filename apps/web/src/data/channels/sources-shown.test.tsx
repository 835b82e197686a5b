import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import type { Source } from '@parley/contract/sources'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { aSource, progress } from '../../testing/fake-sources'
import { announceHere } from '../local/changes'
import { createWorkspace } from '../workspace'
import { useSources } from './use-sources'

const { list, read } = vi.hoisted(() => ({
  list: vi.fn<(channelId: string) => Promise<Source[]>>(),
  read: vi.fn<(ref: { id: string }) => Promise<Source | undefined>>(),
}))
vi.mock('./channel-sources', () => ({ sourcesOf: async () => ({ list }), readCloudSource: read }))

// What is imported when it is first used.
beforeAll(() => Promise.all([import('./list-sources'), import('./patch-sources')]))
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  list.mockReset()
  read.mockReset()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
    // What is imported when it is first used comes by itself.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(0)
  })

async function show() {
  const client = new QueryClient()
  createWorkspace({ queryClient: client })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useSources('c1'), { wrapper })
  await pass(0)
  return result
}

it('asks for the list again every 8000 ms while a source is unprocessed, and no longer [ST-132, ST-133]', async () => {
  expect(limits.sources.pollMs).toBe(8_000)
  list.mockResolvedValue([aSource('lease'), aSource('scan', progress(1, 9))])
  const shown = await show()
  for (let polls = 1; polls <= 3; polls++) {
    await pass(7_990)
    expect(list).toHaveBeenCalledTimes(polls)
    if (polls === 3) list.mockResolvedValue([aSource('lease'), aSource('scan')])
    await pass(10)
    expect(list).toHaveBeenCalledTimes(polls + 1)
  }
  await pass(1)
  expect(shown.current.sources.map(({ status }) => status)).toEqual(['processed', 'processed'])
  await pass(60_000)
  expect(list).toHaveBeenCalledTimes(4)
})

it.each([
  ['status 500', new AppError('server-error', { status: 500 }), 1],
  ['a refusal', new AppError('channel.not-found'), 1],
  ['status 503', new AppError('unavailable'), 4],
  ['no network', new AppError('network'), 4],
])(
  'after %s it is asked as often as is of use: up to 3 retries, none on status 500 [ST-133]',
  async (_what, error, calls) => {
    list.mockRejectedValue(error)
    const shown = await show()
    await pass(60_000)
    expect(list).toHaveBeenCalledTimes(calls)
    expect(shown.current.error).toMatchObject({ code: error.code })
  },
)

it('shows how far a source is read as the server tells it, without asking for anything [ST-132]', async () => {
  list.mockResolvedValue([aSource('lease'), aSource('scan', { status: 'queued' })])
  const shown = await show()
  const tell = (done: number) =>
    announceHere({
      kind: 'sources',
      channelId: 'c1',
      told: { sourceId: 'scan', progress: { done, of: 9, unit: 'pages' } },
    })
  for (let page = 1; page <= 9; page++) act(() => tell(page))
  await pass(0)
  expect(shown.current.sources).toMatchObject([
    { id: 'lease', status: 'processed' },
    { id: 'scan', ...progress(9, 9) },
  ])
  expect(list).toHaveBeenCalledOnce()
  expect(read).not.toHaveBeenCalled()
})

it('asks for the one source that has changed, not for all of them; an older answer does not replace a newer one', async () => {
  list.mockResolvedValue([aSource('lease'), aSource('scan', { status: 'queued' }), aSource('gone')])
  const shown = await show()
  const tell = (sourceId: string) => act(() => announceHere({ kind: 'sources', channelId: 'c1', told: { sourceId } }))
  let answerLate: (source: Source) => void = () => undefined
  read.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answerLate = resolve
      }),
  )
  tell('scan')
  await pass(0)
  read.mockImplementation(async ({ id }) => (id === 'gone' ? undefined : aSource(id, { pages: 9 })))
  tell('scan')
  await pass(0)
  tell('gone')
  await pass(0)
  act(() => answerLate(aSource('scan', progress(1, 9))))
  await pass(1)
  expect(shown.current.sources.map(({ id, status, pages }) => [id, status, pages])).toEqual([
    ['lease', 'processed', undefined],
    ['scan', 'processed', 9],
  ])
  expect(read).toHaveBeenCalledTimes(3)
  expect(list).toHaveBeenCalledOnce()
})

it('asks for all of them when one appears, or a channel was moved or the connection was lost', async () => {
  list.mockResolvedValue([aSource('lease')])
  await show()
  act(() => announceHere({ kind: 'sources', channelId: 'c1', told: { sourceId: 'new' } }))
  await pass(0)
  expect(list).toHaveBeenCalledTimes(2)
  act(() => announceHere({ kind: 'messages', channelId: 'c1' }))
  await pass(0)
  expect(list).toHaveBeenCalledTimes(3)
  act(() => announceHere({ kind: 'sources', channelId: 'another', told: { sourceId: 'lease' } }))
  await pass(0)
  expect(list).toHaveBeenCalledTimes(3)
})
