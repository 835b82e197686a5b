import 'fake-indexeddb/auto'
import { webLimits } from '@parley/contract/limits/web'
import { sessionRoutes } from '@parley/contract/session'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { seedSession, tokens } from '../../testing/seed-session'
import { forgetSession } from './stored-session'

/** The locks of a browser: one holder of a name at a time, over all of its tabs. */
function browserLocks() {
  const tails = new Map<string, Promise<unknown>>()
  return {
    request: (name: string, action: () => Promise<unknown>) => {
      const run = (tails.get(name) ?? Promise.resolve()).then(action, action)
      tails.set(name, run)
      return run
    },
  }
}

/** A page of its own: what it remembers is not shared with the others, the browser's storage and locks are. */
async function aTab() {
  vi.resetModules()
  return import('./access-token')
}

const refreshes = vi.fn<(init: RequestInit) => Promise<Response>>()
const hang = (init: RequestInit) =>
  new Promise<Response>((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))

beforeEach(async () => {
  localStorage.clear()
  Object.defineProperty(navigator, 'locks', { value: browserLocks(), configurable: true })
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    address === sessionRoutes.refresh.path ? refreshes(init) : Promise.resolve(new Response('', { status: 404 })),
  )
  await seedSession()
  vi.useFakeTimers()
  vi.setSystemTime(Date.now() + (tokens.expires_in + 1) * 1_000)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'locks')
  refreshes.mockReset()
  forgetSession()
})

it('tabs that need a new token at once ask for one together', async () => {
  refreshes.mockImplementation(async () =>
    Response.json({ ...tokens, access_token: 'access-2', refresh_token: 'refresh-2' }),
  )
  const tabs = [await aTab(), await aTab(), await aTab()]
  expect(await Promise.all(tabs.map(({ accessToken }) => accessToken()))).toEqual(['access-2', 'access-2', 'access-2'])
  expect(refreshes).toHaveBeenCalledOnce()
})

it('tabs whose token the server refuses ask for a new one together', async () => {
  refreshes.mockImplementation(async () =>
    Response.json({ ...tokens, access_token: 'access-2', refresh_token: 'refresh-2' }),
  )
  // By the clock it is a good one.
  vi.setSystemTime(Date.now() - tokens.expires_in * 1_000)
  const tabs = [await aTab(), await aTab(), await aTab()]
  const renewed = await Promise.all(tabs.map(({ renewedToken }) => renewedToken('access')))
  expect(renewed).toEqual(['access-2', 'access-2', 'access-2'])
  expect(refreshes).toHaveBeenCalledOnce()
})

it('a server that does not answer one tab keeps the others waiting no longer than one call may take', async () => {
  refreshes.mockImplementationOnce(hang)
  refreshes.mockImplementation(async () =>
    Response.json({ ...tokens, access_token: 'access-2', refresh_token: 'refresh-2' }),
  )
  const [first, second] = [await aTab(), await aTab()]
  const failed = expect(first.accessToken()).rejects.toMatchObject({ code: 'network' })
  const renewed = second.accessToken()
  await vi.advanceTimersByTimeAsync(webLimits.calls.refreshMs - 1)
  expect(refreshes).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(1)
  await failed
  expect(await renewed).toBe('access-2')
})
