import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, seedSession } from '../../testing/seed-session'
import {
  type Answer,
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
import { takeNotice } from '../auth/notice'
import { watchSession } from '../auth/session-watch'
import { AccountVault } from '../local/account-vault'
import { forgetSession, storedSession, storeTokens } from './stored-session'

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

describe('a refresh that the server refuses', () => {
  it.each([400, 401, 403])(
    'with %i ends the session: tokens and user are gone, the chats sealed, and it is said [ST-230, ST-235]',
    async (status) => {
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
    },
  )

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
