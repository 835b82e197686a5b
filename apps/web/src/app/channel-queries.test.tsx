import 'fake-indexeddb/auto'
import '../testing/browser-gaps'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { channelKeys } from '../data/channels/channel-keys'
import { localChannels } from '../data/channels/local-channels'
import { useChannels } from '../data/channels/use-channels'
import { createWorkspace } from '../data/workspace'
import { createQueryClient } from './query-client'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('the list of channels is read anew by each screen that shows it, and kept for 5 minutes after the last one [CH-187]', async () => {
  const list = vi.spyOn(localChannels, 'list')
  const client = createQueryClient()
  createWorkspace({ queryClient: client })
  const show = () =>
    renderHook(() => useChannels(), {
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    })
  const first = show()
  await waitFor(() => expect(first.result.current.hasList).toBe(true))
  expect(list).toHaveBeenCalledTimes(1)
  const second = show()
  await waitFor(() => expect(list).toHaveBeenCalledTimes(2))
  await waitFor(() => expect(client.isFetching()).toBe(0))

  vi.useFakeTimers()
  first.unmount()
  second.unmount()
  await vi.advanceTimersByTimeAsync(4.9 * 60_000)
  expect(client.getQueryData(channelKeys.list)).toEqual([])
  await vi.advanceTimersByTimeAsync(0.2 * 60_000)
  expect(client.getQueryData(channelKeys.list)).toBeUndefined()
})
