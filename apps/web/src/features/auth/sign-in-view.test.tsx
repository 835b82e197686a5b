import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import {
  expectUnder,
  failure,
  findToast,
  goodPassword,
  openPanel,
  signedIn,
  untilPanelCloses,
} from '../../testing/login-panel'
import { recorder } from '../../testing/recorder'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

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

const offline = () => Promise.reject(new TypeError('offline'))

describe('signing in', () => {
  it.each(['', 'marina', 'marina@example', 'ma rina@example.com', '@example.com'])(
    'needs a valid e-mail, not "%s" [AG-115, AG-133]',
    async (email) => {
      const login = recorder({ status: 200, body: signedIn })
      const { field, press, user } = await openPanel('sign-in', { answers: { 'POST /api/auth/login': login.answer } })
      if (email) await user.type(field('E-mail'), email)
      await user.type(field('Password'), 'x')
      await press('Sign In')
      expectUnder(field('E-mail'), 'Please enter a valid email address')
      await findToast('Please enter a valid email address')
      expect(login.bodies).toEqual([])
    },
  )

  it.each([
    ['en-US', 'E-mail', 'Sign In', 'Password', 'Please enter your password'],
    ['pt-BR', 'E-mail', 'Entrar', 'Senha', 'Informe sua senha'],
    ['es-ES', 'Correo', 'Iniciar sesión', 'Contraseña', 'Introduce tu contraseña'],
  ])('needs a password in %s [AG-115]', async (language, email, signIn, password, text) => {
    localStorage.setItem('language', language)
    const login = recorder({ status: 200, body: signedIn })
    const { field, press, user } = await openPanel('sign-in', { answers: { 'POST /api/auth/login': login.answer } })
    await user.type(field(email), 'marina@example.com')
    await press(signIn)
    expectUnder(field(password), text)
    await findToast(text)
    expect(login.bodies).toEqual([])
  })

  it('stores the session, closes the panel and selects no chat [AG-114, AG-116, AG-132]', async () => {
    const login = recorder({ status: 200, body: signedIn })
    const [channel] = await seedChannels('Lease clauses')
    const { field, press, user, router } = await openPanel('sign-in', {
      answers: { 'POST /api/auth/login': login.answer },
    })
    await router.navigate(`/app#${channel?.id}`)
    // Nothing is inert here behind a modal dialog: what is typed before the chat has come would go to its box, which
    // takes the focus.
    await waitFor(() => expect(document.activeElement).toHaveProperty('tagName', 'TEXTAREA'))
    await user.type(field('E-mail'), ' marina@example.com ')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(login.bodies).toEqual([
      { email: 'marina@example.com', password: 'secret', deviceId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ])
    expect(storedSession()).toMatchObject({ user: { email: 'marina@example.com' }, tokens: { access_token: 'access' } })
    expect(JSON.parse(localStorage.getItem('sb.token') ?? '')).toMatchObject({ access_token: 'access' })
    expect(localStorage.getItem('web2Login')).toBe('true')
    await waitFor(() => expect(router.shown().location.hash).toBe(''))
    expect(screen.queryByRole('button', { name: 'Sign In' })).toBeNull()
  })

  it('leads where the person wanted to go', async () => {
    const { field, user, router } = await openPanel('sign-in', {
      answers: { 'POST /api/auth/login': () => ({ status: 200, body: signedIn }) },
    })
    useLoginPanel.setState({ returnTo: '/settings?tab=support' })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret{Enter}')
    await waitFor(() => expect(router.shown().location.href).toBe('/settings?tab=support'))
    await untilPanelCloses()
  })

  it('with a one-time password leads to the security tab', async () => {
    const body = { ...signedIn, recovered: true }
    const { field, user, router } = await openPanel('sign-in', {
      answers: { 'POST /api/auth/login': () => ({ status: 200, body }) },
    })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret{Enter}')
    await waitFor(() => expect(router.shown().location.href).toBe('/settings?tab=security&recoverPassword=true'))
    await untilPanelCloses()
  })

  it.each([
    [
      '404 [AG-121]',
      failure(404, 'auth.no-account'),
      'E-mail',
      'No account found with this email address. Please check your email or create a new account.',
    ],
    [
      '401 [AG-122]',
      failure(401, 'auth.wrong-password'),
      'Password',
      'Incorrect password. Please try again or use Forgot Password to reset it.',
    ],
  ])('that fails with %s says why under the field and in a toast', async (_what, answer, label, text) => {
    const { field, press, user } = await openPanel('sign-in', { answers: { 'POST /api/auth/login': () => answer } })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    await findToast(text)
    expectUnder(field(label), text)
    await user.type(field(label), 'x')
    expect(field(label).getAttribute('aria-invalid')).toBeNull()
  })

  it.each([
    ['500 [AG-120]', () => failure(500, 'server-error'), 'Temporary server issues. Please try again in a few moments.'],
    ['429 [AG-123]', () => failure(429, 'rate-limited'), 'Too many attempts. Please wait a few minutes.'],
    ['403 [AG-124]', () => failure(403, 'auth.blocked'), 'Account access restricted. Please contact support.'],
    ['no network [AG-125]', offline, 'Connection issue. Please check your internet and try again.'],
    ['an unknown status [AG-126]', () => ({ status: 418, body: {} }), 'Login failed. Please try again.'],
  ])('that fails with %s says why in the panel and in a toast, and can be tried again', async (_what, answer, text) => {
    const { field, press, user, panel } = await openPanel('sign-in', { answers: { 'POST /api/auth/login': answer } })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    await findToast(text)
    expect(panel.getByRole('alert').textContent).toBe(text)
    expect(panel.getByRole('button', { name: 'Sign In' }).getAttribute('aria-busy')).toBeNull()
    expect(storedSession()).toBeUndefined()
  })

  it('that is answered by something else than the server says so [AG-119]', async () => {
    const { field, press, user } = await openPanel()
    const answer = globalThis.fetch
    globalThis.fetch = async (input, init) =>
      init?.method === 'POST' ? new Response('<html>Bad gateway</html>', { status: 502 }) : answer(input, init)
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    await findToast(
      'Service temporarily unavailable. Please try again in a few moments or contact support if the issue persists.',
    )
  })

  it('takes one attempt at a time and shows that it is busy', async () => {
    let answer: ((value: { status: number; body: unknown }) => void) | undefined
    const pending = new Promise<{ status: number; body: unknown }>((resolve) => {
      answer = resolve
    })
    const bodies: unknown[] = []
    const { field, press, user, panel } = await openPanel('sign-in', {
      answers: {
        'POST /api/auth/login': (body) => {
          bodies.push(body)
          return pending
        },
      },
    })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret{Enter}')
    await waitFor(() => expect(bodies).toHaveLength(1))
    expect(panel.getByRole('button', { name: 'Sign In' }).getAttribute('aria-busy')).toBe('true')
    await press('Sign In')
    await user.type(field('Password'), '{Enter}')
    answer?.({ status: 200, body: signedIn })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodies).toHaveLength(1)
  })

  it('of an unconfirmed address offers to send the mail again [AG-124]', async () => {
    const resend = recorder({ status: 202, body: { message: 'sent' } })
    const answers = {
      'POST /api/auth/login': () => failure(403, 'auth.email-unconfirmed'),
      'POST /api/auth/resend-confirmation': resend.answer,
    }
    const { field, press, user, panel } = await openPanel('sign-in', { answers })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    expect((await panel.findByRole('alert')).textContent).toContain('Please confirm your email first.')
    await press('Resend confirmation e-mail')
    await findToast('Email sent successfully!')
    expect(resend.bodies).toEqual([{ email: 'marina@example.com' }])
  })

  it.each([
    [
      'pt-BR',
      'Confirme seu e-mail primeiro. Podemos enviar o link novamente.',
      'Reenviar e-mail de confirmação',
      'E-mail enviado com sucesso!',
    ],
    [
      'es-ES',
      'Primero confirma tu correo. Podemos enviarte el enlace otra vez.',
      'Reenviar correo de confirmación',
      '¡Correo enviado con éxito!',
    ],
  ])('of an unconfirmed address says so in %s [AG-124]', async (language, unconfirmed, resend, sent) => {
    localStorage.setItem('language', language)
    const answers = {
      'POST /api/auth/login': () => failure(403, 'auth.email-unconfirmed'),
      'POST /api/auth/resend-confirmation': () => ({ status: 202, body: { message: 'sent' } }),
    }
    const { dialog, press, user, panel } = await openPanel('sign-in', { answers })
    await user.type(dialog.querySelector('input[type=email]') ?? dialog, 'marina@example.com')
    await user.type(dialog.querySelector('input[type=password]') ?? dialog, 'secret{Enter}')
    await findToast(unconfirmed)
    expect(panel.getByRole('alert').textContent).toContain(unconfirmed)
    await press(resend)
    await findToast(sent)
  })

  it.each([
    ['pt-BR', 'Comece agora', 'Crie sua conta', 'Este e-mail já está cadastrado. Tente entrar.'],
    ['es-ES', 'Empieza ahora', 'Crea tu cuenta', 'Este correo ya está registrado. Intenta iniciar sesión.'],
  ])(
    'leads to a new account in %s, and says that there is one already [AG-113, AG-143]',
    async (language, start, title, taken) => {
      localStorage.setItem('language', language)
      const { dialog, press, user } = await openPanel('sign-in', {
        answers: { 'POST /api/auth/signup': () => failure(409, 'auth.email-taken') },
      })
      await press(start)
      expect(await screen.findByRole('dialog', { name: title })).toBeTruthy()
      const email = dialog.querySelector<HTMLInputElement>('input[type=email]') ?? dialog
      await user.type(email, 'marina@example.com')
      await user.type(dialog.querySelector('input[type=password]') ?? dialog, `${goodPassword}{Enter}`)
      await findToast(taken)
      expectUnder(email, taken)
    },
  )
})
