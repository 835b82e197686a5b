import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { group, main } from '../../testing/main-region'
import { recorder } from '../../testing/recorder'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  useLoginPanel.setState({ view: undefined, returnTo: undefined })
  vi.spyOn(location, 'reload').mockReturnValue(undefined)
})
afterEach(async () => {
  await cleanUp()
  await setLanguage('en-US')
})

describe('the password', () => {
  const change = 'POST /api/auth/change-password'

  async function openForm(answer: ReturnType<typeof recorder>['answer']) {
    const { user } = await renderScreen('/settings?tab=security', { answers: { [change]: answer } })
    const form = await group('Password')
    const fill = async (next: string, repeated: string) => {
      for (const [label, text] of [
        ['New password', next],
        ['Confirm password', repeated],
      ] as const) {
        await user.clear(form.getByLabelText(label))
        if (text) await user.type(form.getByLabelText(label), text)
      }
    }
    return { user, form, fill, save: form.getByRole('button', { name: 'Save' }) }
  }

  it('is typed twice; only two filled and equal fields can be saved, and it says so [ST-019, ST-020, ST-021, ST-022]', async () => {
    await seedSession()
    const calls = recorder()
    const { user, form, fill, save } = await openForm(calls.answer)
    expect(save).toHaveProperty('disabled', true)
    await fill('Str0ng-enough', '')
    expect(save).toHaveProperty('disabled', true)
    await fill('Str0ng-enough', 'Str0ng-enougH')
    expect(save).toHaveProperty('disabled', true)
    await user.tab()
    expect(await form.findByText('The two passwords are not the same.')).toBeTruthy()
    await fill('', '')
    await user.type(form.getByLabelText('New password'), '{Enter}')
    expect(calls.bodies).toEqual([])
    await fill('Str0ng-enough', 'Str0ng-enough')
    await user.click(save)
    expect(await screen.findByText('Password updated successfully')).toBeTruthy()
    expect(calls.bodies).toEqual([{ newPassword: 'Str0ng-enough' }])
    expect(form.getByLabelText<HTMLInputElement>('New password').value).toBe('')
  })

  it.each([
    ['Ab1!', 'Password must be at least 8 characters long'],
    ['alllower', 'Password must contain at least one uppercase letter'],
    ['ALLUPPER', 'Password must contain at least one lowercase letter'],
    ['NoNumber', 'Password must contain at least one number'],
    ['NoSpecial1', 'Password must contain at least one special character'],
  ])('%s is not sent, and the first thing it lacks is said [ST-020]', async (password, problem) => {
    await seedSession()
    const calls = recorder()
    const { user, form, fill, save } = await openForm(calls.answer)
    await fill(password, password)
    await user.click(save)
    expect((await form.findByRole('alert')).textContent).toBe(problem)
    expect(calls.bodies).toEqual([])
  })

  it('asks for the current one when the sign-in is old, says when that is wrong, and sends again', async () => {
    await seedSession()
    const bodies: unknown[] = []
    const failure = (code: string) => ({ status: 401, body: { success: false, code, message: '', status: 401 } })
    const { user, form, fill, save } = await openForm((body) => {
      bodies.push(body)
      return (
        [failure('auth.reauthenticate'), failure('auth.wrong-password'), { status: 204 }][bodies.length - 1] ?? {
          status: 500,
        }
      )
    })
    expect(form.queryByLabelText('Current password')).toBeNull()
    await fill('Str0ng-enough', 'Str0ng-enough')
    await user.click(save)
    const current = await form.findByLabelText('Current password')
    expect(document.activeElement).toBe(current)
    expect(save).toHaveProperty('disabled', true)
    await user.type(current, 'wrong')
    await user.click(save)
    expect((await form.findByRole('alert')).textContent).toMatch(/^Incorrect password/)
    await user.clear(current)
    await user.type(current, 'Right-0ne')
    await user.click(save)
    expect(await screen.findByText('Password updated successfully')).toBeTruthy()
    expect(bodies).toEqual([
      { newPassword: 'Str0ng-enough' },
      { newPassword: 'Str0ng-enough', currentPassword: 'wrong' },
      { newPassword: 'Str0ng-enough', currentPassword: 'Right-0ne' },
    ])
    expect(form.queryByLabelText('Current password')).toBeNull()
  })

  it('that the server could not change is said in the known words [ST-028]', async () => {
    await seedSession()
    const { user, fill, save } = await openForm(() => ({ status: 500 }))
    await fill('Str0ng-enough', 'Str0ng-enough')
    await user.click(save)
    expect(await screen.findByText('An error occurred. Try again.')).toBeTruthy()
    expect(storedSession()).toBeTruthy()
  })

  it('is explained to a wallet instead [ST-019]', async () => {
    await seedSession(aWalletUser())
    await renderScreen('/settings?tab=security')
    expect(await main().findByText(/You sign in with your wallet/)).toBeTruthy()
    expect(main().queryByLabelText('New password')).toBeNull()
  })

  it('is explained to a Google account, which may set one after a fresh sign-in [ST-019]', async () => {
    await seedSession(aUser({ has_password: false, app_metadata: { kind: 'google' } }))
    let isFresh = false
    const answers = {
      [change]: () =>
        isFresh
          ? { status: 204 }
          : { status: 401, body: { success: false, code: 'auth.reauthenticate', message: '', status: 401 } },
    }
    const { user } = await renderScreen('/settings?tab=security', { answers })
    expect(await main().findByText(/You sign in with Google/)).toBeTruthy()
    await user.click(main().getByRole('button', { name: 'Set a password' }))
    await user.type(main().getByLabelText('New password'), 'Str0ng-enough')
    await user.type(main().getByLabelText('Confirm password'), 'Str0ng-enough')
    await user.click(main().getByRole('button', { name: 'Save' }))
    expect(await main().findByText(/sign in with Google again/)).toBeTruthy()
    isFresh = true
    await user.click(main().getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Password updated successfully')).toBeTruthy()
    expect(storedSession()?.user.has_password).toBe(true)
  })
})
