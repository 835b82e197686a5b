import 'fake-indexeddb/auto'
import type { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { userRoutes } from '@parley/contract/users'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, seedSession, tokens } from '../../testing/seed-session'
import { api } from '../http/api'
import { AccountVault } from '../local/account-vault'
import { takeNotice } from './notice'
import { watchSession } from './session-watch'
import { forgetSession, storedSession, storeTokens } from './stored-session'

type Call = { path: string; bearer: string | null; body: unknown }
type Answer = (call: Call) => Response | Promise<Response>

const calls: Call[] = []
const toProfile = () => calls.filter(({ path }) => path === '/api/user')
const toRefresh = () => calls.filter(({ path }) => path === '/api/auth/refreshToken')

const failed = (status: number, code: string) => Response.json({ success: false, code, message: '', status }, { status })
const noNetwork = (): never => {
  throw new TypeError('fetch failed')
}
const renewed = { ...tokens, access_token: 'access-2', refresh_token: 'refresh-2' }

/** The server knows the profile and the tokens, but for what a test says. */
function serve({ profile = () => Response.json(aUser()), refresh = () => Response.json(renewed) }: { profile?: Answer; refresh?: Answer } = {}): void {
  vi.stubGlobal('fetch', async (path: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
    const call = { path, bearer: headers.authorization ?? null, body: body === undefined ? undefined : JSON.parse(body) }
    calls.push(call)
    if (path === '/api/user') return profile(call)
    return path === '/api/auth/refreshToken' ? refresh(call) : failed(404, 'not-found')
  })
}

const profile = () => api(userRoutes.get, { query: {} })
const refusal = (call: Promise<unknown>): Promise<AppError> =>
  call.then(
    () => expect.unreachable('the call must fail'),
    (error: AppError) => error,
  )
const stored = () => JSON.parse(localStorage.getItem('sb.token') ?? 'null')

/** Somebody signed in so long ago that their token is good for these seconds more. */
async function signedInWith(secondsLeft: number): Promise<void> {
  await seedSession()
  vi.setSystemTime(Date.now() + (tokens.expires_in - secondsLeft) * 1_000)
}

function signal() {
  let give = () => {}
  const promise = new Promise<void>((resolve) => {
    give = resolve
  })
  return { promise, give }
}

/** Answers the first call only when the test says so, and says when it has arrived. */
function held(answer: () => Response) {
  const [arrived, released] = [signal(), signal()]
  return {
    arrived: arrived.promise,
    release: released.give,
    answer: async () => {
      arrived.give()
      await released.promise
      return answer()
    },
  }
}

beforeAll(() => watchSession(new QueryClient()))
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  localStorage.clear()
  sessionStorage.clear()
  forgetSession()
  calls.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a call of somebody who is signed in', () => {
  it('carries their token, and nobody else has one to carry [CH-075]', async () => {
    serve()
    await profile()
    await seedSession()
    await profile()
    expect(toProfile().map(({ bearer }) => bearer)).toEqual([null, 'Bearer access'])
    expect(toRefresh()).toEqual([])
  })

  it.each([
    [limits.auth.refreshBeforeSeconds, 'access', 0],
    [limits.auth.refreshBeforeSeconds - 1, 'access-2', 1],
    [-60, 'access-2', 1],
  ])('with %i seconds left goes with the token %s after %i refreshes [ST-228]', async (secondsLeft, bearer, refreshes) => {
    expect(limits.auth.refreshBeforeSeconds).toBe(300)
    await signedInWith(secondsLeft)
    serve()
    await profile()
    expect(toProfile().map((call) => call.bearer)).toEqual([`Bearer ${bearer}`])
    expect(toRefresh()).toHaveLength(refreshes)
  })

  it('refreshes with the refresh token alone, and keeps the whole new pair [ST-231]', async () => {
    await signedInWith(10)
    serve()
    await profile()
    expect(toRefresh()).toEqual([{ path: '/api/auth/refreshToken', bearer: null, body: { refresh_token: 'refresh' } }])
    expect(stored()).toEqual({ ...renewed, refreshed_at: Date.now() })
  })

  it('takes the pair that another tab fetched meanwhile', async () => {
    await signedInWith(10)
    serve()
    localStorage.setItem('sb.token', JSON.stringify({ ...renewed, access_token: 'of another tab', refreshed_at: Date.now() }))
    await profile()
    expect(toProfile().map(({ bearer }) => bearer)).toEqual(['Bearer of another tab'])
    expect(toRefresh()).toEqual([])
  })
})

describe('several calls at once', () => {
  it('wait for one refresh near the end of the token [ST-228, ST-229]', async () => {
    await signedInWith(10)
    const refresh = held(() => Response.json(renewed))
    serve({ refresh: refresh.answer })
    const all = Promise.all([profile(), profile(), profile()])
    await refresh.arrived
    const late = profile()
    expect(toProfile()).toEqual([])
    refresh.release()
    await all
    await late
    expect(toRefresh()).toHaveLength(1)
    expect(toProfile().map(({ bearer }) => bearer)).toEqual(Array(4).fill('Bearer access-2'))
  })

  it('that are refused wait for one refresh and are each made once more [ST-229]', async () => {
    await seedSession()
    serve({ profile: ({ bearer }) => (bearer === 'Bearer access' ? failed(401, 'unauthenticated') : Response.json(aUser())) })
    await Promise.all([profile(), profile(), profile()])
    expect(toRefresh()).toHaveLength(1)
    expect(toProfile().map(({ bearer }) => bearer)).toEqual([...Array(3).fill('Bearer access'), ...Array(3).fill('Bearer access-2')])
  })
})

describe('a call that is refused', () => {
  it('is made once more and no further [ST-229]', async () => {
    await seedSession()
    serve({ profile: () => failed(401, 'unauthenticated') })
    const error = await refusal(profile())
    expect(error).toMatchObject({ code: 'unauthenticated', status: 401, message: 'Authentication failed. Please log in again.' })
    expect(toProfile()).toHaveLength(2)
    expect(toRefresh()).toHaveLength(1)
  })

  it('for another reason than its token is not made again', async () => {
    await seedSession()
    serve({ profile: () => failed(401, 'auth.wrong-password') })
    expect((await refusal(profile())).code).toBe('auth.wrong-password')
    expect(toProfile()).toHaveLength(1)
    expect(toRefresh()).toEqual([])
  })

  it('of an anonymous person asks for no other token [ST-235]', async () => {
    serve({ profile: () => failed(401, 'unauthenticated') })
    expect((await refusal(profile())).message).toBe('Authentication failed. Please log in again.')
    expect(toProfile()).toHaveLength(1)
    expect(toRefresh()).toEqual([])
  })

  it('while no other token can be fetched says why, and the person stays signed in', async () => {
    await seedSession()
    serve({ profile: () => failed(401, 'unauthenticated'), refresh: noNetwork })
    expect((await refusal(profile())).code).toBe('network')
    expect(toProfile()).toHaveLength(1)
    expect(storedSession()?.user).toEqual(aUser())
  })
})

describe('a refresh that the server refuses', () => {
  it.each([400, 401, 403])('with %i ends the session: tokens and user are gone, the chats sealed, and it is said [ST-230, ST-235]', async (status) => {
    const { id } = await seedSession()
    serve({ profile: () => failed(401, 'unauthenticated'), refresh: () => failed(status, 'unauthenticated') })
    const errors = await Promise.all([refusal(profile()), refusal(profile())])
    expect(errors.map(({ message }) => message)).toEqual(Array(2).fill('Session expired. Please log in again.'))
    await vi.waitFor(() => expect(storedSession()).toBeUndefined())
    expect(localStorage.getItem('user')).toBeNull()
    expect(localStorage.getItem('sb.token')).toBeNull()
    expect(await AccountVault.open(id)).toBeUndefined()
    expect(takeNotice()).toBe('auth.session-expired')
    expect(location.assign).toHaveBeenCalledWith('/app')
    expect(toRefresh()).toHaveLength(1)
  })

  it('says nothing about the pair that another tab has by then', async () => {
    await signedInWith(10)
    const refresh = held(() => failed(401, 'unauthenticated'))
    serve({ refresh: refresh.answer })
    const error = refusal(profile())
    await refresh.arrived
    storeTokens({ ...renewed, refresh_token: 'of another tab' })
    refresh.release()
    expect((await error).code).toBe('auth.session-expired')
    expect(storedSession()?.tokens.refresh_token).toBe('of another tab')
  })
})

describe('a refresh that cannot be made', () => {
  it.each<[string, Answer]>([
    ['without a network', noNetwork],
    ['by a server that fails', () => failed(500, 'server-error')],
    ['by a server that is asked too often', () => failed(429, 'rate-limited')],
  ])('%s leaves the old token in use while it is good [ST-228]', async (_case, refresh) => {
    await signedInWith(10)
    serve({ refresh })
    await profile()
    expect(toProfile().map(({ bearer }) => bearer)).toEqual(['Bearer access'])
    expect(storedSession()?.user).toEqual(aUser())
  })

  it('fails the call once the token has ended, and the person stays signed in', async () => {
    await signedInWith(0)
    serve({ refresh: noNetwork })
    expect((await refusal(profile())).code).toBe('network')
    expect(toProfile()).toEqual([])
    expect(storedSession()?.user).toEqual(aUser())
  })

  it('brings nobody back who signed out meanwhile', async () => {
    await signedInWith(10)
    const refresh = held(() => Response.json(renewed))
    serve({ refresh: refresh.answer })
    const call = profile()
    await refresh.arrived
    forgetSession()
    refresh.release()
    await call
    expect(storedSession()).toBeUndefined()
    expect(localStorage.getItem('sb.token')).toBeNull()
  })
})

describe('being signed in', () => {
  const inAnotherTab = (key: string | null) => dispatchEvent(new StorageEvent('storage', { key }))

  it('is looked at again when another tab changes sb.token, and when a script fires authStateChanged [ST-226]', async () => {
    await seedSession()
    const before = localStorage.getItem('sb.token') ?? ''
    localStorage.removeItem('sb.token')
    expect(storedSession()).toBeTruthy()
    inAnotherTab('sb.token')
    expect(storedSession()).toBeUndefined()
    localStorage.setItem('sb.token', before)
    dispatchEvent(new Event('authStateChanged'))
    expect(storedSession()?.tokens.access_token).toBe('access')
    localStorage.setItem('sb.token', JSON.stringify({ ...stored(), access_token: '' }))
    inAnotherTab('sb.token')
    expect(storedSession()).toBeUndefined()
  })

  it('ends here when it ends in another tab, and with it the selected chat [ST-226, ST-227]', async () => {
    await seedSession()
    localStorage.clear()
    inAnotherTab(null)
    expect(storedSession()).toBeUndefined()
    expect(location.assign).toHaveBeenCalledWith('/app')
  })
})
