import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { expectUnder, failure, findToast, goodPassword, openPanel, signedIn, toasts } from '../../testing/login-panel'
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

describe('creating an account', () => {
  it('tells while one types whether the e-mail is one [AG-133, AG-134]', async () => {
    const { field, user, panel } = await openPanel('register')
    await user.type(field('E-mail'), 'marina@example')
    expect(panel.getByText('Please enter a valid email address')).toBeTruthy()
    await user.type(field('E-mail'), '.com')
    expect(panel.getByText('Valid email format')).toBeTruthy()
    expect(panel.queryByText('Please enter a valid email address')).toBeNull()
  })

  it('ticks off what the password needs, and sums it up [AG-135, AG-137, AG-138, AG-140]', async () => {
    const { field, user, panel } = await openPanel('register')
    const list = within(panel.getByRole('list', { name: 'Requirements of the password' }))
    const met = () => list.getAllByRole('listitem').map((each) => each.textContent)
    expect(met()).toEqual([
      'At least 8 characters',
      'One uppercase letter',
      'One lowercase letter',
      'One number',
      'One special character',
    ])
    expect(panel.getByText('Please complete the requirements above')).toBeTruthy()
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'abcdef1')
    expect(met()).toEqual([
      'At least 8 characters',
      'One uppercase letter',
      'One lowercase letter (met)',
      'One number (met)',
      'One special character',
    ])
    await user.type(field('Password'), 'B_')
    expect(met().every((each) => each?.endsWith('(met)'))).toBe(true)
    expect(panel.getByText('Ready to create account')).toBeTruthy()
    await user.clear(field('E-mail'))
    expect(panel.getByText('Please complete the requirements above')).toBeTruthy()
  })

  it.each([
    ['', 'Password must be at least 8 characters long'],
    ['abcdefgh', 'Password must contain at least one uppercase letter'],
    ['ABCDEFGH', 'Password must contain at least one lowercase letter'],
    ['Abcdefgh', 'Password must contain at least one number'],
    ['Abcdefg1', 'Password must contain at least one special character'],
  ])('with the password "%s" toasts the first that fails, and no other [AG-136, AG-139]', async (password, text) => {
    const signup = recorder({ status: 201, body: { success: true, message: '', confirmation_required: false } })
    const { field, press, user } = await openPanel('register', { answers: { 'POST /api/auth/signup': signup.answer } })
    await user.type(field('E-mail'), 'marina@example.com')
    if (password) await user.type(field('Password'), password)
    await press('Create account')
    await findToast(text)
    expect(toasts()).toEqual([text])
    expectUnder(field('Password'), text)
    expect(signup.bodies).toEqual([])
  })

  it.each([
    [
      'pt-BR',
      'Senha',
      'Criar conta',
      'A senha deve conter pelo menos uma letra maiúscula',
      'Pelo menos 8 caracteres',
      'Complete os requisitos acima',
    ],
    [
      'es-ES',
      'Contraseña',
      'Crear cuenta',
      'La contraseña debe contener al menos una letra mayúscula',
      'Al menos 8 caracteres',
      'Completa los requisitos de arriba',
    ],
  ])('speaks %s [AG-136, AG-137, AG-138]', async (language, password, create, text, item, summary) => {
    localStorage.setItem('language', language)
    const { field, press, user, panel } = await openPanel('register')
    expect(panel.getByText(item)).toBeTruthy()
    expect(panel.getByText(summary)).toBeTruthy()
    await user.type(panel.getByRole('textbox'), 'marina@example.com')
    await user.type(field(password), 'abcdefgh')
    await press(create)
    await findToast(text)
  })

  it('where no confirmation is asked for signs in at once with the same words [AG-141, AG-146]', async () => {
    const signup = recorder({ status: 201, body: { success: true, message: '', confirmation_required: false } })
    const login = recorder({ status: 200, body: signedIn })
    const { field, press, user } = await openPanel('register', {
      answers: { 'POST /api/auth/signup': signup.answer, 'POST /api/auth/login': login.answer },
    })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), goodPassword)
    await press('Create account')
    await findToast('Account created!')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(signup.bodies).toEqual([{ email: 'marina@example.com', password: goodPassword, language: 'en-US' }])
    expect(login.bodies).toEqual([
      { email: 'marina@example.com', password: goodPassword, deviceId: expect.any(String) },
    ])
    expect(storedSession()?.user.email).toBe('marina@example.com')
  })

  const confirmText = "Account created! Please confirm your email and check your spam folder if you don't see it."

  it.each([
    ['marina@gmail.com', 'https://mail.google.com/'],
    ['marina@outlook.com', 'https://outlook.live.com/mail/'],
    ['marina@hotmail.com', 'https://outlook.live.com/mail/'],
    ['marina@yahoo.com.br', 'https://mail.yahoo.com/'],
    ['marina@duarte.dev', undefined],
  ])('of %s stays said until dismissed, and OK opens %s [AG-146, AG-147]', async (email, mailbox) => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    const signup = { status: 201, body: { success: true, message: '', confirmation_required: true } }
    const { field, press, user } = await openPanel('register', { answers: { 'POST /api/auth/signup': () => signup } })
    await user.type(field('E-mail'), email)
    await user.type(field('Password'), goodPassword)
    await press('Create account')
    await findToast(confirmText)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(storedSession()).toBeUndefined()
    await user.click(screen.getByRole('button', { name: 'OK' }))
    expect(opened.mock.calls).toEqual(mailbox ? [[mailbox, '_blank', 'noopener']] : [])
    await waitFor(() => expect(toasts()).toEqual([]))
  })

  it('is still said long after other toasts are gone [AG-147]', async () => {
    const signup = { status: 201, body: { success: true, message: '', confirmation_required: true } }
    const { field, press, user } = await openPanel('register', { answers: { 'POST /api/auth/signup': () => signup } })
    await user.type(field('E-mail'), 'marina@gmail.com')
    await user.type(field('Password'), goodPassword)
    await press('Create account')
    await findToast(confirmText)
    vi.useFakeTimers()
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    expect(toasts()).toEqual([confirmText])
  })

  it.each([
    ['500 [AG-142]', failure(500, 'server-error'), 'Temporary server issues. Please try again in a few moments.'],
    ['429 [AG-144]', failure(429, 'rate-limited'), 'Too many attempts. Please wait a few minutes.'],
    ['another status [AG-145]', { status: 418, body: {} }, 'Registration failed with error 418. Please try again.'],
  ])('that fails with %s says why', async (_what, answer, text) => {
    const { field, press, user, panel } = await openPanel('register', {
      answers: { 'POST /api/auth/signup': () => answer },
    })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), goodPassword)
    await press('Create account')
    await findToast(text)
    expect(panel.getByRole('alert').textContent).toBe(text)
  })

  it('of a known address says so under it [AG-143]', async () => {
    const { field, press, user } = await openPanel('register', {
      answers: { 'POST /api/auth/signup': () => failure(409, 'auth.email-taken') },
    })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), goodPassword)
    await press('Create account')
    await findToast('This email is already registered. Try logging in instead.')
    expectUnder(field('E-mail'), 'This email is already registered. Try logging in instead.')
  })
})
