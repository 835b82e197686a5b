import 'fake-indexeddb/auto'
import { webLimits } from '@parley/contract/limits/web'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, seedSession } from '../../testing/seed-session'
import {
  calls,
  failed,
  held,
  noNetwork,
  profile,
  refusal,
  renewed,
  serve,
  signedInWith,
  stored,
  toProfile,
  toRefresh,
} from '../../testing/token-server'
import { watchSession } from '../auth/session-watch'
import { forgetSession, storedSession } from './stored-session'

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
    [webLimits.auth.refreshBeforeSeconds, 'access', 0],
    [webLimits.auth.refreshBeforeSeconds - 1, 'access-2', 1],
    [-60, 'access-2', 1],
  ])(
    'with %i seconds left goes with the token %s after %i refreshes [ST-228]',
    async (secondsLeft, bearer, refreshes) => {
      expect(webLimits.auth.refreshBeforeSeconds).toBe(300)
      await signedInWith(secondsLeft)
      serve()
      await profile()
      expect(toProfile().map((call) => call.bearer)).toEqual([`Bearer ${bearer}`])
      expect(toRefresh()).toHaveLength(refreshes)
    },
  )

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
    localStorage.setItem(
      'sb.token',
      JSON.stringify({ ...renewed, access_token: 'of another tab', refreshed_at: Date.now() }),
    )
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
    serve({
      profile: ({ bearer }) => (bearer === 'Bearer access' ? failed(401, 'unauthenticated') : Response.json(aUser())),
    })
    await Promise.all([profile(), profile(), profile()])
    expect(toRefresh()).toHaveLength(1)
    expect(toProfile().map(({ bearer }) => bearer)).toEqual([
      ...Array(3).fill('Bearer access'),
      ...Array(3).fill('Bearer access-2'),
    ])
  })
})

describe('a call that is refused', () => {
  it('is made once more and no further [ST-229]', async () => {
    await seedSession()
    serve({ profile: () => failed(401, 'unauthenticated') })
    const error = await refusal(profile())
    expect(error).toMatchObject({
      code: 'unauthenticated',
      status: 401,
      message: 'Authentication failed. Please log in again.',
    })
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
