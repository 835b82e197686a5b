import type { Channel } from '@parley/contract/channels'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { forgetSession } from '../session/stored-session'
import '../../testing/browser-gaps'
import 'fake-indexeddb/auto'
import { InPageWorker } from '../../testing/in-page-worker'
import { seedSession } from '../../testing/seed-session'
import { useMessageSearch } from './use-message-search'

vi.stubGlobal('Worker', InPageWorker)
afterEach(() => forgetSession())

const sky: Channel = {
  ...{ id: 'cloud', userId: 'owner', channelName: 'Sky', assistantId: null, isLocked: false },
  ...{ isDocument: false, isImage: false, isYoutube: false, isLocalChannel: false, source: 'postgresql' },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
}

it('asks once for what was typed while the search was being loaded, not first for its beginning', async () => {
  await seedSession()
  const asked: string[] = []
  globalThis.fetch = async (input) => {
    asked.push(new URL(String(input), location.href).searchParams.get('q') ?? '')
    return Response.json({ results: [] })
  }
  const client = new QueryClient()
  const { result, rerender } = renderHook(({ query }) => useMessageSearch(query, [sky], [sky]), {
    initialProps: { query: 'n' },
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  rerender({ query: 'needle' })
  await waitFor(() => expect(result.current?.isSearching).toBe(false))
  expect(asked).toEqual(['needle'])
})
