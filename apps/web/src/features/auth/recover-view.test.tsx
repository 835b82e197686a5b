import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { expectUnder, failure, findToast, openPanel, toasts } from '../../testing/login-panel'
import { recorder } from '../../testing/recorder'
import { cleanUp } from '../../testing/seed-channels'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forgetSession()
  closeLoginPanel()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
  await setLanguage('en-US')
})

describe('a forgotten password', () => {
  it('does nothing without an e-mail [AG-149]', async () => {
    const reset = recorder({ status: 200, body: { message: '' } })
    const { press, field } = await openPanel('recover', { answers: { 'POST /api/auth/reset-password': reset.answer } })
    await press('Send link')
    expect(reset.bodies).toEqual([])
    expect(toasts()).toEqual([])
    expect(field('E-mail').getAttribute('aria-invalid')).toBeNull()
  })

  it('asks for the mail, says that it was sent, and shows what to do; the way back starts afresh [AG-148, AG-150, AG-151, AG-153]', async () => {
    const reset = recorder({ status: 200, body: { message: 'sent' } })
    const { press, field, user, panel } = await openPanel('recover', {
      answers: { 'POST /api/auth/reset-password': reset.answer },
    })
    await user.type(field('E-mail'), 'marina@example.com')
    await press('Send link')
    await findToast('Email sent successfully!')
    expect(await screen.findByRole('dialog', { name: 'Check your mail' })).toBeTruthy()
    expect(panel.getByText(/^If there is an account for marina@example\.com, a message is on its way/)).toBeTruthy()
    const redirectTo = `${location.origin}/settings?tab=security&recoverPassword=true`
    expect(reset.bodies).toEqual([{ email: 'marina@example.com', redirectTo }])
    await press('Back to login')
    await press('Forgot Password')
    expect(await screen.findByRole('dialog', { name: 'Forgot your password?' })).toBeTruthy()
    expect(field('E-mail').value).toBe('marina@example.com')
  })

  it.each([
    [
      'the server',
      failure(500, 'server-error'),
      'Failed to reset password. Please check your email address and try again.',
    ],
    ['too many attempts', failure(429, 'rate-limited'), 'Too many attempts. Please wait a few minutes.'],
  ])('that fails by %s says so under the field and in a toast [AG-152]', async (_what, answer, text) => {
    const { press, field, user } = await openPanel('recover', {
      answers: { 'POST /api/auth/reset-password': () => answer },
    })
    await user.type(field('E-mail'), 'marina@example.com')
    await press('Send link')
    await findToast(text)
    expectUnder(field('E-mail'), text)
  })
})
