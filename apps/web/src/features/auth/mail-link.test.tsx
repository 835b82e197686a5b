import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { failure, findToast, signedIn } from '../../testing/login-panel'
import { recorder } from '../../testing/recorder'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  closeLoginPanel()
})
afterEach(async () => {
  closeLoginPanel()
  await cleanUp()
})

/** The app at the mailed link of a new account. Each test has a link of its own: the page uses none twice. */
const openLink = (token: string, answer: ReturnType<typeof recorder>['answer']) =>
  renderScreen(`/app#confirmEmail=${token}`, {
    config: { signInMethods: ['email'] },
    answers: { 'POST /api/auth/confirm-email': answer },
  })

describe('a confirmation link', () => {
  it('signs in, says so, and is in the address no longer', async () => {
    const calls = recorder({ status: 200, body: signedIn })
    const { router } = await openLink('first', calls.answer)
    await findToast('Your email is confirmed.')
    expect(storedSession()?.user.email).toBe('marina@example.com')
    await waitFor(() => expect(router.shown().location.href).toBe('/app'))
    expect(calls.bodies).toEqual([expect.objectContaining({ token: 'first' })])
  })

  it('of another browser than the one of the registration leads to a new password', async () => {
    const { router } = await openLink('second', () => ({ status: 200, body: { ...signedIn, recovered: true } }))
    await waitFor(() => expect(router.shown().location.href).toBe('/settings?tab=security&recoverPassword=true'))
    expect(storedSession()?.user.email).toBe('marina@example.com')
  })

  it('that was used before says so, and nobody is signed in', async () => {
    const { router } = await openLink('third', () => failure(400, 'auth.link-invalid'))
    await findToast('This link is no longer valid. Please ask for a new one.')
    await waitFor(() => expect(router.shown().location.href).toBe('/app'))
    expect(storedSession()).toBeUndefined()
  })

  it('of somebody else asks before it changes who is here, and is not used when that is declined', async () => {
    await seedSession(aUser({ id: '0193f000-0000-7000-8000-000000000002', email: 'ana@example.org' }))
    const calls = recorder({ status: 200, body: signedIn })
    const question = 'You are signed in as ana@example.org. Use this link to sign in to its own account?'
    const { user, router, unmount } = await openLink('fourth', calls.answer)
    const asking = await screen.findByRole('alertdialog', { name: question })
    await user.click(within(asking).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(router.shown().location.href).toBe('/app'))
    expect([calls.bodies, storedSession()?.user.email]).toEqual([[], 'ana@example.org'])
    unmount()

    const again = await openLink('fourth', calls.answer)
    await again.user.click(
      within(await screen.findByRole('alertdialog', { name: question })).getByRole('button', { name: 'Sign in' }),
    )
    await waitFor(() => expect(storedSession()?.user.email).toBe('marina@example.com'))
    expect(calls.bodies).toHaveLength(1)
  })
})
