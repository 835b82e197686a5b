import 'fake-indexeddb/auto'
import type { Agent } from '@parley/contract/agents'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startI18n } from '../../i18n/i18n'
import { seedSession } from '../../testing/seed-session'
import { someAgent, someAgents } from '../../testing/some-agents'
import { forgetSession } from '../session/stored-session'
import { createWorkspace } from '../workspace'
import { type AgentList, useAgentList, useAgentSearch } from './agent-lists'

const calls: { path: string; query: Record<string, string> }[] = []
let answer: (path: string, query: Record<string, string>) => object
const minutes = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 60_000))
const settle = () => act(() => vi.advanceTimersByTimeAsync(50))

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  await startI18n()
  calls.length = 0
  answer = () => ({ assistants: [someAgent()], total_count: 1 })
  globalThis.fetch = async (input) => {
    const url = new URL(String(input), location.href)
    const query = Object.fromEntries(url.searchParams)
    calls.push({ path: url.pathname, query })
    return Response.json(answer(url.pathname, query))
  }
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  forgetSession()
})

function inApp() {
  const client = new QueryClient()
  createWorkspace({ queryClient: client })
  client.mount()
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
}

describe('a list of agents', () => {
  it.each<[AgentList, number, number]>([
    ['mine', 1, 2],
    ['product', 1, 1],
    ['trending', 2, 3],
  ])(
    'of kind %s asks again when it is due: %i calls within 4 minutes, %i within 6 [AG-023, AG-024]',
    async (list, soon, later) => {
      const wrapper = inApp()
      const show = () => renderHook(() => useAgentList(list, { page: 0, size: 21 }), { wrapper })
      const first = show()
      await settle()
      expect(first.result.current.agents).toHaveLength(1)
      first.unmount()
      await minutes(4)
      const second = show()
      // What is known is there at once.
      expect(second.result.current.agents).toHaveLength(1)
      await settle()
      expect(calls).toHaveLength(soon)
      second.unmount()
      await minutes(2)
      show()
      await settle()
      expect(calls).toHaveLength(later)
    },
  )

  it.each<[AgentList, boolean]>([
    ['mine', false],
    ['product', true],
  ])(
    "of kind %s is forgotten ten minutes after it was last shown, unless it is the team's [AG-023, AG-024]",
    async (list, isKept) => {
      const wrapper = inApp()
      const show = () => renderHook(() => useAgentList(list, { page: 0, size: 21 }), { wrapper })
      const first = show()
      await settle()
      first.unmount()
      await minutes(9)
      const second = show()
      expect(second.result.current.agents).toHaveLength(1)
      second.unmount()
      await minutes(11)
      expect(show().result.current.agents !== undefined).toBe(isKept)
    },
  )

  it('is asked for by its own path, page and size, against caches on the way [AG-020, AG-026, AG-027, AG-028, AG-029]', async () => {
    const wrapper = inApp()
    const at = (query: object) => expect.objectContaining(query)
    for (const [list, size] of [
      ['community', 21],
      ['trending', 6],
      ['mine', 21],
      ['product', 100],
    ] as const) {
      renderHook(() => useAgentList(list, { page: 0, size }), { wrapper })
      await settle()
    }
    expect(calls).toEqual([
      {
        path: '/v1/assistants/community/free',
        query: at({ page_number: '0', page_size: '21', lang: 'en', _t: expect.stringMatching(/^\d+$/) }),
      },
      { path: '/v1/assistants/community/free', query: at({ page_size: '6', sort: 'likes', _t: expect.any(String) }) },
      {
        path: '/v1/assistants/community/private',
        query: at({ page_number: '0', page_size: '21', lang: 'en', _t: expect.any(String) }),
      },
      { path: '/v1/assistants/company', query: { page_number: '0', page_size: '100', lang: 'en' } },
    ])
    calls.length = 0
    for (const list of ['community', 'mine', 'product'] as const) {
      renderHook(() => useAgentSearch(list, '  lamp '), { wrapper })
      renderHook(() => useAgentSearch(list, '   '), { wrapper })
      await settle()
    }
    expect(calls.map(({ query }) => [query.search_terms, query.page_size, query.lang])).toEqual([
      ['lamp', '50', 'en'],
      ['lamp', '50', 'en'],
      ['lamp', '50', 'en'],
    ])
  })

  it('reads answers with the spellings of other servers [AG-030, AG-031]', async () => {
    const { profileImage, defaultGreetings, userPrice, userName, userId, _id, ...rest } = someAgent({ userPrice: 100 })
    const foreign = {
      ...rest,
      objectID: _id,
      profile_image: profileImage,
      default_greetings: defaultGreetings,
      user_price: userPrice,
      user_name: userName,
      user_id: userId,
    }
    answer = () => ({ items: [foreign], total_count: 1 })
    const { result } = renderHook(() => useAgentSearch('community', 'lamp'), { wrapper: inApp() })
    await settle()
    expect(result.current).toMatchObject({ agents: [someAgent({ userPrice: 100 })], total: 1 })
  })

  it('keeps the page before in sight while the next one comes, and says so [ST-066]', async () => {
    const all: Agent[] = someAgents(30, 'Helper')
    answer = (_path, { page_number, page_size }) => {
      const [page, size] = [Number(page_number), Number(page_size)]
      return { assistants: all.slice(page * size, (page + 1) * size), total_count: all.length }
    }
    const { result, rerender } = renderHook(({ page }) => useAgentList('community', { page, size: 21 }), {
      wrapper: inApp(),
      initialProps: { page: 0 },
    })
    expect(result.current).toMatchObject({ agents: undefined, isLoading: true })
    await settle()
    expect(result.current).toMatchObject({ isLoading: false, total: 30 })
    rerender({ page: 1 })
    expect(result.current.agents).toHaveLength(21)
    expect(result.current.isLoading).toBe(true)
    await settle()
    expect(result.current.agents).toHaveLength(9)
    expect(result.current.isLoading).toBe(false)
  })

  it('of somebody without an account has no own ones, and asks for none', async () => {
    forgetSession()
    const { result } = renderHook(() => useAgentList('mine', { page: 0, size: 21 }), { wrapper: inApp() })
    await settle()
    expect(result.current).toMatchObject({ agents: undefined, isLoading: false })
    expect(calls).toEqual([])
  })
})
