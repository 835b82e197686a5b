import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession, tokens } from '../../testing/seed-session'
import { forgetSession, storedSession } from '../session/stored-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(cleanUp)

const failure = (status: number, code: string) => ({ status, body: { success: false, code, message: '', status } })
const signedIn = (name: string) => screen.findByRole('button', { name: `${name}: Account` })
const guest = () => screen.findByRole('button', { name: /^Guest/ })

describe('the profile', () => {
  it('is fetched after the start and after a sign-in, and stored [CH-067, CH-070, CH-076, CH-098]', async () => {
    await seedSession()
    const user = vi.fn(() => ({ status: 200, body: aUser({ name: 'Marina Lima' }) }))
    await renderScreen('/app', { answers: { 'GET /api/user': user } })
    expect(await signedIn('Marina Lima')).toBeTruthy()
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({
      id: aUser().id,
      email: 'marina@example.com',
      name: 'Marina Lima',
    })
    expect(user).toHaveBeenCalledOnce()
    forgetSession()
    expect(await guest()).toBeTruthy()
    await seedSession()
    await waitFor(() => expect(user).toHaveBeenCalledTimes(2))
    expect(await signedIn('Marina Lima')).toBeTruthy()
  })

  it('of a wallet is not asked for [CH-072]', async () => {
    await seedSession(aWalletUser())
    const user = vi.fn(() => ({ status: 404 }))
    await renderScreen('/app', { answers: { 'GET /api/user': user } })
    expect(await signedIn('0x5290…9ee7')).toBeTruthy()
    // Another person after it is asked for: then the wallet's turn has passed.
    await seedSession(aUser({ id: '0193f000-0000-7000-8000-000000000002' }))
    await waitFor(() => expect(user).toHaveBeenCalledOnce())
    // Who is not known is signed out, and until that is done nobody opens their chats.
    expect(await guest()).toBeTruthy()
  })

  it.each([
    [
      'without an id',
      () => ({ status: 200, body: { ...aUser(), id: undefined } }),
      'Session expired. Please log in again.',
    ],
    [
      'that is refused after a new token',
      () => failure(401, 'unauthenticated'),
      'Session expired. Please log in again.',
    ],
    ['of a blocked account', () => failure(403, 'auth.blocked'), 'Account access restricted. Please contact support.'],
    ['that is gone', () => failure(404, 'not-found'), 'Session expired. Please log in again.'],
  ])('%s ends the session and says so [CH-071]', async (_case, answer, said) => {
    await seedSession()
    const refresh = () => ({ status: 200, body: { ...tokens, access_token: 'another', refresh_token: 'another' } })
    await renderScreen('/app', { answers: { 'GET /api/user': answer, 'POST /api/auth/refreshToken': refresh } })
    expect(await screen.findByText(said)).toBeTruthy()
    expect(await guest()).toBeTruthy()
    expect(localStorage.getItem('user')).toBeNull()
    expect(localStorage.getItem('sb.token')).toBeNull()
  })

  it.each([
    ['cannot be reached', () => Promise.reject(new TypeError('no network'))],
    ['fails', () => failure(500, 'server-error')],
    ['is restarting', () => failure(503, 'unavailable')],
  ])('of a server that %s keeps the session as it was [CH-071]', async (_case, answer) => {
    await seedSession()
    const asked = vi.fn(answer)
    await renderScreen('/app', { answers: { 'GET /api/user': asked } })
    await waitFor(() => expect(asked).toHaveBeenCalledOnce())
    await Promise.allSettled(asked.mock.results.map(({ value }) => value))
    await new Promise((resolve) => setTimeout(resolve))
    expect(storedSession()?.user).toEqual(aUser())
    expect(await signedIn('Marina Duarte')).toBeTruthy()
  })
})

describe('what is stored of a session', () => {
  async function startWith(user: string, token: string) {
    localStorage.setItem('user', user)
    localStorage.setItem('sb.token', token)
    vi.resetModules()
    return import('../session/stored-session')
  }
  const goodUser = JSON.stringify(aUser())
  const goodToken = JSON.stringify({ ...tokens, refreshed_at: Date.now() })

  it('is a session only if user and token are both there [CH-067, CH-076]', async () => {
    const { storedSession } = await startWith(goodUser, goodToken)
    expect(storedSession()?.user.email).toBe('marina@example.com')
    localStorage.clear()
    localStorage.setItem('user', goodUser)
    vi.resetModules()
    expect((await import('../session/stored-session')).storedSession()).toBeUndefined()
  })

  it('leaves a guest who can sign in, without a word, when it is corrupt [CH-073]', async () => {
    await startWith('{"id": 7', goodToken)
    // With the modules of this start.
    const { renderScreen } = await import('../../testing/render-screen')
    await renderScreen('/app', { config: { signInMethods: ['email'] } })
    expect(await guest()).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy()
    expect(document.querySelector('[data-tone=error]')).toBeNull()
    expect([localStorage.getItem('user'), localStorage.getItem('sb.token')]).toEqual([null, null])
  })

  it.each([
    ['{"id":', goodToken],
    ['{"id":"1","email":7}', goodToken],
    [goodUser, 'not json'],
    [goodUser, '{"access_token":""}'],
  ])('is discarded when it is corrupt [CH-073]', async (user, token) => {
    const { storedSession } = await startWith(user, token)
    expect(storedSession()).toBeUndefined()
    expect(localStorage.getItem('user')).toBeNull()
    expect(localStorage.getItem('sb.token')).toBeNull()
  })
})
