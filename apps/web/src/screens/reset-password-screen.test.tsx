import { webLimits } from '@parley/contract/limits/web'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeLoginPanel } from '../data/session/login-panel'
import { forgetSession } from '../data/session/stored-session'
import { type Answers, failure, goodPassword } from '../testing/login-panel'
import { main } from '../testing/main-region'
import { recorder } from '../testing/recorder'
import { renderScreen } from '../testing/render-screen'
import { cleanUp } from '../testing/seed-channels'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  closeLoginPanel()
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  closeLoginPanel()
  await cleanUp()
})

const done = { status: 200, body: { success: true, message: '' } }

/** The page of the mailed link. */
async function openLink(answer: Answers[string], address = '/reset-password#token=abc') {
  const view = await renderScreen(address, {
    config: { signInMethods: ['email'] },
    answers: { 'POST /api/auth/confirm-reset-password': answer },
  })
  await main().findByRole('heading', { name: 'Reset Your Password' })
  return { ...view, confirm: main().getByRole<HTMLButtonElement>('button', { name: 'Confirm Password Reset' }) }
}

const panel = async () => within(await screen.findByRole('dialog'))

describe('the page of a reset link', () => {
  it('asks for a one-time password once, says while it does and when it is done, and leads to the sign-in after 5 s [ST-219, ST-221, ST-222, ST-225]', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const bodies: unknown[] = []
    const { user, router, confirm } = await openLink(async (body) => {
      bodies.push(body)
      await answered
      return done
    })
    await user.click(confirm)
    await user.click(confirm)
    expect(confirm.getAttribute('aria-busy')).toBe('true')
    answer()
    expect(await main().findByText('Password reset successful! Check your email for the new password.')).toBeTruthy()
    expect(bodies).toEqual([{ token: 'abc' }])
    const pass = (ms: number): void =>
      act(() => {
        vi.advanceTimersByTime(ms)
      })
    for (let passed = 1_000; passed < webLimits.auth.resetRedirectMs; passed += 1_000) pass(1_000)
    expect(router.shown().location.pathname).toBe('/reset-password')
    pass(1_000)
    expect(await (await panel()).findByRole('heading', { name: 'Welcome back' })).toBeTruthy()
    expect(router.shown().location.pathname).toBe('/app')
  })

  it('takes a new password instead, a good one only, and leads to the sign-in at a press [ST-224]', async () => {
    const calls = recorder(done)
    const { user, router, confirm } = await openLink(calls.answer)
    await user.click(main().getByRole('button', { name: 'Choose a new password instead' }))
    await user.type(main().getByLabelText('New password'), 'short')
    expect(confirm.disabled).toBe(true)
    await user.clear(main().getByLabelText('New password'))
    await user.type(main().getByLabelText('New password'), goodPassword)
    await user.click(confirm)
    expect(await main().findByText('Password updated successfully')).toBeTruthy()
    expect(calls.bodies).toEqual([{ token: 'abc', newPassword: goodPassword }])
    await user.click(main().getByRole('button', { name: 'Go now' }))
    expect(await (await panel()).findByRole('heading', { name: 'Welcome back' })).toBeTruthy()
    expect(router.shown().location.pathname).toBe('/app')
  })

  it.each(['#token=abc', '?token=abc'])('keeps its token in no address that stays: %s', async (token) => {
    const calls = recorder(done)
    const before = history.length
    const { user, confirm } = await openLink(calls.answer, `/reset-password${token}`)
    await waitFor(() => expect(location.href).toMatch(/\/reset-password$/))
    expect(history.length).toBe(before)
    await user.click(confirm)
    expect(calls.bodies).toEqual([{ token: 'abc' }])
  })

  it('without a token says so, and sends nothing [ST-006, ST-009, ST-220]', async () => {
    const calls = recorder(done)
    const { user, confirm } = await openLink(calls.answer, '/reset-password')
    expect(main().getByRole('alert').textContent).toContain('Invalid or missing reset token')
    expect(confirm.disabled).toBe(true)
    await user.click(confirm)
    expect(calls.bodies).toEqual([])
  })

  it.each<[what: string, answer: Parameters<typeof recorder>[0], text: string]>([
    ['was used or is too old', failure(400, 'auth.reset-token-invalid'), 'Invalid reset token'],
    ['meets no network', () => Promise.reject(new TypeError('Failed to fetch')), 'Network error. Please try again.'],
    ['meets a failing server', failure(500, 'server-error'), 'Failed to reset password'],
  ])('that %s says so, and a new link can be asked for [ST-221, ST-224]', async (_what, answer, text) => {
    const { user, confirm } = await openLink(recorder(answer).answer)
    await user.click(confirm)
    const problem = within(await main().findByRole('alert'))
    expect(problem.getByText(text, { exact: false })).toBeTruthy()
    await user.click(problem.getByRole('button', { name: 'Ask for a new link' }))
    expect(await (await panel()).findByRole('heading', { name: 'Forgot your password?' })).toBeTruthy()
  })
})
