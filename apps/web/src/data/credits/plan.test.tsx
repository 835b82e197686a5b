import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'
import { forgetSession } from '../session/stored-session'
import { createWorkspace } from '../workspace'
import { storeBalance } from './balance'
import { usePlan, yearAfter } from './plan'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const client = () => {
  const queries = new QueryClient()
  createWorkspace({ queryClient: queries })
  return {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    ),
  }
}

/** Calls that are answered when the test says so. */
function aSlowServer() {
  const calls: { path: string; signal: AbortSignal | null | undefined; answer: (response: Response) => void }[] = []
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    return new Promise<Response>((answer, refuse) => {
      calls.push({ path, signal: init?.signal, answer })
      init?.signal?.addEventListener('abort', () => refuse(init.signal?.reason))
    })
  })
  const answer = (end: string, body: unknown, status = 200) =>
    act(async () => {
      for (const call of calls) if (call.path.endsWith(end)) call.answer(Response.json(body, { status }))
    })
  return { calls, answer }
}

const subscriber = () => {
  const current_period_end = new Date(Date.now() + anHour).toISOString()
  return aUser({ app_metadata: { kind: 'email', subscription: { product_name: 'Plus', current_period_end } } })
}

const notFound = { success: false, code: 'not-found', message: '', status: 404 }
const anHour = 3_600_000

describe('how somebody pays', () => {
  it('is by credits alone where the profile tells of no subscription: none is asked for [CH-156]', async () => {
    await seedSession()
    const { calls, answer } = aSlowServer()
    const { result } = renderHook(usePlan, client())
    await waitFor(() => expect(calls.map(({ path }) => path)).toEqual([expect.stringMatching(/\/credit\/user$/)]))
    await answer('/credit/user', { amount: 0.25 })
    await waitFor(() => expect(result.current).toEqual({ kind: 'credits', amount: 250_000_000n }))
    expect(calls).toHaveLength(1)
  })

  it('is not known before it is known whether the subscription runs [CH-155]', async () => {
    await seedSession(subscriber())
    const { calls, answer } = aSlowServer()
    const { result } = renderHook(usePlan, client())
    await waitFor(() => expect(calls).toHaveLength(2))
    await answer('/credit/user', { amount: 0.25 })
    expect(result.current).toEqual({ kind: 'credits', amount: undefined })
    await answer('/subscription/user', notFound, 404)
    await waitFor(() => expect(result.current).toEqual({ kind: 'credits', amount: 250_000_000n }))
  })

  it('is not known where the subscription cannot be asked for and the profile tells of one [CH-150]', async () => {
    await seedSession(subscriber())
    const { calls, answer } = aSlowServer()
    const { result } = renderHook(usePlan, client())
    await waitFor(() => expect(calls).toHaveLength(2))
    await answer('/credit/user', { amount: 0.25 })
    await answer('/subscription/user', { code: 'server-error' }, 500)
    expect(result.current).toEqual({ kind: 'credits', amount: undefined })
  })

  it('is by wallet as soon as one signs in: what was being asked for somebody else is called off, and nothing more is asked [CH-153]', async () => {
    await seedSession(subscriber())
    const { calls } = aSlowServer()
    const { result } = renderHook(usePlan, client())
    await waitFor(() => expect(calls).toHaveLength(2))
    await act(async () => void (await seedSession(aWalletUser())))
    expect(result.current.kind).toBe('web3')
    await waitFor(() => expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true, true]))
  })

  it('is a made-up year for wallets [CH-154]', async () => {
    await seedSession(aWalletUser())
    aSlowServer()
    const { result } = renderHook(usePlan, client())
    const { current: plan } = result
    if (plan.kind !== 'web3') throw new Error(`a wallet is ${plan.kind}`)
    expect(Math.abs(plan.until.getTime() - yearAfter(new Date()).getTime())).toBeLessThan(anHour)
    expect(yearAfter(new Date('2026-11-22T10:00:00Z')).toISOString()).toBe('2027-11-22T10:00:00.000Z')
  })
})

it('a balance that is pushed wins over one that is still on its way [ST-097]', async () => {
  await seedSession()
  const { calls, answer } = aSlowServer()
  const { result } = renderHook(usePlan, client())
  await waitFor(() => expect(calls).toHaveLength(1))
  await act(async () => storeBalance(2.5))
  await answer('/credit/user', { amount: 3 })
  await waitFor(() => expect(result.current).toEqual({ kind: 'credits', amount: 2_500_000_000n }))
})
