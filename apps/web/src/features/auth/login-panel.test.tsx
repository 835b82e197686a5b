import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { closeLoginPanel, openLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { WalletMissingError } from '../../data/session/wallets/wallet-missing-error'
import { setLanguage } from '../../i18n/i18n'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aUser, tokens } from '../../testing/seed-session'

// Wallets have tests of their own, with what they say for real.
const wallet = vi.hoisted(() => ({ signInWithWallet: vi.fn() }))
vi.mock('../../data/session/wallets/sign-in-with-wallet', () => wallet)

type Options = NonNullable<Parameters<typeof renderScreen>[1]>
type Answers = NonNullable<Options['answers']>

const everyMethod = { signInMethods: ['email', 'google', 'ethereum', 'solana', 'sui'] } satisfies Options['config']
const signedIn = { ...tokens, user: aUser(), vault_key: 'A'.repeat(43) }
const goodPassword = 'Abcdef1!'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forgetSession()
  closeLoginPanel()
  wallet.signInWithWallet.mockReset()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
  await setLanguage('en-US')
})

/** The app with the panel open at a view. */
async function open(
  view: 'sign-in' | 'register' | 'recover' = 'sign-in',
  { answers, config = everyMethod }: { answers?: Answers; config?: Options['config'] } = {},
) {
  const app = await renderScreen('/app', { config, ...(answers ? { answers } : {}) })
  openLoginPanel(view)
  const dialog = await screen.findByRole('dialog', {}, { timeout: 5_000 })
  const panel = within(dialog)
  const field = (name: string) => panel.getByLabelText<HTMLInputElement>(name)
  const press = (name: string | RegExp) => app.user.click(panel.getByRole('button', { name }))
  return { ...app, dialog, panel, field, press }
}

/** What the server was asked, and an answer to each call. */
function recorder(answer: { status: number; body?: unknown } | (() => Promise<never>)) {
  const bodies: unknown[] = []
  return {
    bodies,
    answer: (body: unknown) => {
      bodies.push(body)
      return typeof answer === 'function' ? answer() : answer
    },
  }
}

const failure = (status: number, code: string) => ({ status, body: { success: false, code, message: '', status } })
const offline = () => Promise.reject(new TypeError('offline'))

/** Said in a toast, which is in no field. */
const findToast = (text: string) => waitFor(() => expect([...document.querySelectorAll('[aria-live] span')].map((each) => each.textContent)).toContain(text))
const toasts = () => [...document.querySelectorAll('[popover] [data-tone]')].map((each) => each.querySelector('span')?.textContent)

/** Under its field, as the field's description. */
function expectUnder(input: HTMLElement, text: string): void {
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(text)
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(input)
}

describe('the panel', () => {
  it('opens from the top bar, with the focus in its first field, and Esc gives it back [AG-101, AG-111]', async () => {
    const { user } = await renderScreen('/app', { config: everyMethod })
    const opener = await screen.findByRole('button', { name: 'Sign In' })
    await user.click(opener)
    const dialog = await screen.findByRole('dialog', { name: 'Welcome back' })
    expect(document.activeElement).toBe(within(dialog).getByLabelText('E-mail'))
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(opener)
  })

  it('has no opener where the server knows no way in', async () => {
    await renderScreen('/app', { config: { signInMethods: [] } })
    expect(screen.queryByRole('button', { name: 'Sign In' })).toBeNull()
  })

  it('has the views sign in, create account and forgot password, and leads back [AG-111, AG-113]', async () => {
    const { field, press, user } = await open()
    await user.type(field('E-mail'), 'marina@example.com')
    await press('Get Started')
    expect(await screen.findByRole('dialog', { name: 'Create your account' })).toBeTruthy()
    expect(field('E-mail').value).toBe('marina@example.com')
    await waitFor(() => expect(document.activeElement).toBe(field('E-mail')))
    await press('Sign In')
    expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
    await press('Forgot Password')
    expect(await screen.findByRole('dialog', { name: 'Forgot your password?' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(field('E-mail')))
    await press('Back to login')
    expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
  })

  it('keeps where the person wanted to go when they change the view', async () => {
    const { press } = await open()
    useLoginPanel.setState({ returnTo: '/settings?tab=security' })
    await press('Get Started')
    expect(useLoginPanel.getState()).toEqual({ view: 'register', returnTo: '/settings?tab=security' })
  })

  it.each(['sign-in', 'register', 'recover'] as const)('says in the view %s what one accepts [AG-112]', async (view) => {
    const { panel } = await open(view)
    expect(panel.getByText('By continuing you accept the Terms of use and the Privacy notice.')).toBeTruthy()
  })

  it('offers Google, the three wallets and e-mail [AG-110]', async () => {
    const { panel } = await open()
    for (const name of ['Continue with Google', 'MetaMask', 'Phantom', 'Sui']) expect(panel.getByRole('button', { name })).toBeTruthy()
    expect(panel.getByLabelText('E-mail')).toBeTruthy()
  })

  it('offers only what the server can do', async () => {
    const { panel } = await open('sign-in', { config: { signInMethods: ['email', 'ethereum'] } })
    expect(panel.queryByRole('button', { name: 'Phantom' })).toBeNull()
    expect(panel.queryByRole('button', { name: 'Sui' })).toBeNull()
    expect(panel.getByRole('button', { name: 'MetaMask' })).toBeTruthy()
    expect(panel.queryByRole('button', { name: 'Continue with Google' })).toBeNull()
  })

  it('lets a password be seen, and tells password managers what is what', async () => {
    const { field, press, panel } = await open()
    expect(field('E-mail').autocomplete).toBe('username')
    expect(field('Password').autocomplete).toBe('current-password')
    expect(field('Password').type).toBe('password')
    await press('Show password')
    expect(field('Password').type).toBe('text')
    await press('Hide password')
    expect(field('Password').type).toBe('password')
    await press('Get Started')
    expect(field('Password').autocomplete).toBe('new-password')
    expect(panel.getAllByRole('button').filter((each) => each.dataset.variant === 'primary')).toHaveLength(1)
  })
})

describe('signing in', () => {
  it.each(['', 'marina', 'marina@example', 'ma rina@example.com', '@example.com'])('needs a valid e-mail, not "%s" [AG-115, AG-133]', async (email) => {
    const login = recorder({ status: 200, body: signedIn })
    const { field, press, user } = await open('sign-in', { answers: { 'POST /api/auth/login': login.answer } })
    if (email) await user.type(field('E-mail'), email)
    await user.type(field('Password'), 'x')
    await press('Sign In')
    expectUnder(field('E-mail'), 'Please enter a valid email address')
    await findToast('Please enter a valid email address')
    expect(login.bodies).toEqual([])
  })

  it.each([
    ['en-US', 'E-mail', 'Sign In', 'Password', 'Please enter your password'],
    ['pt-BR', 'E-mail', 'Entrar', 'Senha', 'Informe sua senha'],
    ['es-ES', 'Correo', 'Iniciar sesión', 'Contraseña', 'Introduce tu contraseña'],
  ])('needs a password in %s [AG-115]', async (language, email, signIn, password, text) => {
    localStorage.setItem('language', language)
    const login = recorder({ status: 200, body: signedIn })
    const { field, press, user } = await open('sign-in', { answers: { 'POST /api/auth/login': login.answer } })
    await user.type(field(email), 'marina@example.com')
    await press(signIn)
    expectUnder(field(password), text)
    await findToast(text)
    expect(login.bodies).toEqual([])
  })

  it('stores the session, closes the panel and selects no chat [AG-114, AG-116, AG-132]', async () => {
    const login = recorder({ status: 200, body: signedIn })
    const [channel] = await seedChannels('Lease clauses')
    const { field, press, user, router } = await open('sign-in', { answers: { 'POST /api/auth/login': login.answer } })
    await router.navigate({ to: '/app', hash: channel?.id ?? '' })
    // Nothing is inert here behind a modal dialog: what is typed before the chat has come would go to its box, which takes the focus.
    await waitFor(() => expect(document.activeElement).toHaveProperty('tagName', 'TEXTAREA'))
    await user.type(field('E-mail'), ' marina@example.com ')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(login.bodies).toEqual([{ email: 'marina@example.com', password: 'secret', deviceId: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
    expect(storedSession()).toMatchObject({ user: { email: 'marina@example.com' }, tokens: { access_token: 'access' } })
    expect(JSON.parse(localStorage.getItem('sb.token') ?? '')).toMatchObject({ access_token: 'access' })
    expect(localStorage.getItem('web2Login')).toBe('true')
    await waitFor(() => expect(router.state.location.hash).toBe(''))
    expect(screen.queryByRole('button', { name: 'Sign In' })).toBeNull()
  })

  it('leads where the person wanted to go', async () => {
    const { field, user, router } = await open('sign-in', { answers: { 'POST /api/auth/login': () => ({ status: 200, body: signedIn }) } })
    useLoginPanel.setState({ returnTo: '/settings?tab=support' })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/settings?tab=support'))
  })

  it('with a one-time password leads to the security tab', async () => {
    const body = { ...signedIn, recovered: true }
    const { field, user, router } = await open('sign-in', { answers: { 'POST /api/auth/login': () => ({ status: 200, body }) } })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret{Enter}')
    await waitFor(() => expect(router.state.location.href).toBe('/settings?tab=security&recoverPassword=true'))
  })

  it.each([
    ['404 [AG-121]', failure(404, 'auth.no-account'), 'E-mail', 'No account found with this email address. Please check your email or create a new account.'],
    ['401 [AG-122]', failure(401, 'auth.wrong-password'), 'Password', 'Incorrect password. Please try again or use Forgot Password to reset it.'],
  ])('that fails with %s says why under the field and in a toast', async (_what, answer, label, text) => {
    const { field, press, user } = await open('sign-in', { answers: { 'POST /api/auth/login': () => answer } })
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
    const { field, press, user, panel } = await open('sign-in', { answers: { 'POST /api/auth/login': answer } })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    await findToast(text)
    expect(panel.getByRole('alert').textContent).toBe(text)
    expect(panel.getByRole('button', { name: 'Sign In' }).getAttribute('aria-busy')).toBeNull()
    expect(storedSession()).toBeUndefined()
  })

  it('that is answered by something else than the server says so [AG-119]', async () => {
    const { field, press, user } = await open()
    const answer = globalThis.fetch
    globalThis.fetch = async (input, init) => (init?.method === 'POST' ? new Response('<html>Bad gateway</html>', { status: 502 }) : answer(input, init))
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    await findToast('Service temporarily unavailable. Please try again in a few moments or contact support if the issue persists.')
  })

  it('takes one attempt at a time and shows that it is busy', async () => {
    let answer: ((value: { status: number; body: unknown }) => void) | undefined
    const pending = new Promise<{ status: number; body: unknown }>((resolve) => {
      answer = resolve
    })
    const bodies: unknown[] = []
    const { field, press, user, panel } = await open('sign-in', {
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
    const answers = { 'POST /api/auth/login': () => failure(403, 'auth.email-unconfirmed'), 'POST /api/auth/resend-confirmation': resend.answer }
    const { field, press, user, panel } = await open('sign-in', { answers })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'secret')
    await press('Sign In')
    expect((await panel.findByRole('alert')).textContent).toContain('Please confirm your email first.')
    await press('Resend confirmation e-mail')
    await findToast('Email sent successfully!')
    expect(resend.bodies).toEqual([{ email: 'marina@example.com' }])
  })

  it.each([
    ['pt-BR', 'Confirme seu e-mail primeiro. Podemos enviar o link novamente.', 'Reenviar e-mail de confirmação', 'E-mail enviado com sucesso!'],
    ['es-ES', 'Primero confirma tu correo. Podemos enviarte el enlace otra vez.', 'Reenviar correo de confirmación', '¡Correo enviado con éxito!'],
  ])('of an unconfirmed address says so in %s [AG-124]', async (language, unconfirmed, resend, sent) => {
    localStorage.setItem('language', language)
    const answers = {
      'POST /api/auth/login': () => failure(403, 'auth.email-unconfirmed'),
      'POST /api/auth/resend-confirmation': () => ({ status: 202, body: { message: 'sent' } }),
    }
    const { dialog, press, user, panel } = await open('sign-in', { answers })
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
  ])('leads to a new account in %s, and says that there is one already [AG-113, AG-143]', async (language, start, title, taken) => {
    localStorage.setItem('language', language)
    const { dialog, press, user } = await open('sign-in', { answers: { 'POST /api/auth/signup': () => failure(409, 'auth.email-taken') } })
    await press(start)
    expect(await screen.findByRole('dialog', { name: title })).toBeTruthy()
    const email = dialog.querySelector<HTMLInputElement>('input[type=email]') ?? dialog
    await user.type(email, 'marina@example.com')
    await user.type(dialog.querySelector('input[type=password]') ?? dialog, `${goodPassword}{Enter}`)
    await findToast(taken)
    expectUnder(email, taken)
  })
})

describe('creating an account', () => {
  it('tells while one types whether the e-mail is one [AG-133, AG-134]', async () => {
    const { field, user, panel } = await open('register')
    await user.type(field('E-mail'), 'marina@example')
    expect(panel.getByText('Please enter a valid email address')).toBeTruthy()
    await user.type(field('E-mail'), '.com')
    expect(panel.getByText('Valid email format')).toBeTruthy()
    expect(panel.queryByText('Please enter a valid email address')).toBeNull()
  })

  it('ticks off what the password needs, and sums it up [AG-135, AG-137, AG-138, AG-140]', async () => {
    const { field, user, panel } = await open('register')
    const list = within(panel.getByRole('list', { name: 'Requirements of the password' }))
    const met = () => list.getAllByRole('listitem').map((each) => each.textContent)
    expect(met()).toEqual(['At least 8 characters', 'One uppercase letter', 'One lowercase letter', 'One number', 'One special character'])
    expect(panel.getByText('Please complete the requirements above')).toBeTruthy()
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), 'abcdef1')
    expect(met()).toEqual(['At least 8 characters', 'One uppercase letter', 'One lowercase letter (met)', 'One number (met)', 'One special character'])
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
    const { field, press, user } = await open('register', { answers: { 'POST /api/auth/signup': signup.answer } })
    await user.type(field('E-mail'), 'marina@example.com')
    if (password) await user.type(field('Password'), password)
    await press('Create account')
    await findToast(text)
    expect(toasts()).toEqual([text])
    expectUnder(field('Password'), text)
    expect(signup.bodies).toEqual([])
  })

  it.each([
    ['pt-BR', 'Senha', 'Criar conta', 'A senha deve conter pelo menos uma letra maiúscula', 'Pelo menos 8 caracteres', 'Complete os requisitos acima'],
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
    const { field, press, user, panel } = await open('register')
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
    const { field, press, user } = await open('register', { answers: { 'POST /api/auth/signup': signup.answer, 'POST /api/auth/login': login.answer } })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), goodPassword)
    await press('Create account')
    await findToast('Account created!')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(signup.bodies).toEqual([{ email: 'marina@example.com', password: goodPassword, language: 'en-US' }])
    expect(login.bodies).toEqual([{ email: 'marina@example.com', password: goodPassword, deviceId: expect.any(String) }])
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
    const { field, press, user } = await open('register', { answers: { 'POST /api/auth/signup': () => signup } })
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
    const { field, press, user } = await open('register', { answers: { 'POST /api/auth/signup': () => signup } })
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
    const { field, press, user, panel } = await open('register', { answers: { 'POST /api/auth/signup': () => answer } })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), goodPassword)
    await press('Create account')
    await findToast(text)
    expect(panel.getByRole('alert').textContent).toBe(text)
  })

  it('of a known address says so under it [AG-143]', async () => {
    const { field, press, user } = await open('register', { answers: { 'POST /api/auth/signup': () => failure(409, 'auth.email-taken') } })
    await user.type(field('E-mail'), 'marina@example.com')
    await user.type(field('Password'), goodPassword)
    await press('Create account')
    await findToast('This email is already registered. Try logging in instead.')
    expectUnder(field('E-mail'), 'This email is already registered. Try logging in instead.')
  })
})

describe('a forgotten password', () => {
  it('does nothing without an e-mail [AG-149]', async () => {
    const reset = recorder({ status: 200, body: { message: '' } })
    const { press, field } = await open('recover', { answers: { 'POST /api/auth/reset-password': reset.answer } })
    await press('Send link')
    expect(reset.bodies).toEqual([])
    expect(toasts()).toEqual([])
    expect(field('E-mail').getAttribute('aria-invalid')).toBeNull()
  })

  it('asks for the mail, says that it was sent, and shows what to do; the way back starts afresh [AG-148, AG-150, AG-151, AG-153]', async () => {
    const reset = recorder({ status: 200, body: { message: 'sent' } })
    const { press, field, user, panel } = await open('recover', { answers: { 'POST /api/auth/reset-password': reset.answer } })
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
    ['the server', failure(500, 'server-error'), 'Failed to reset password. Please check your email address and try again.'],
    ['too many attempts', failure(429, 'rate-limited'), 'Too many attempts. Please wait a few minutes.'],
  ])('that fails by %s says so under the field and in a toast [AG-152]', async (_what, answer, text) => {
    const { press, field, user } = await open('recover', { answers: { 'POST /api/auth/reset-password': () => answer } })
    await user.type(field('E-mail'), 'marina@example.com')
    await press('Send link')
    await findToast(text)
    expectUnder(field('E-mail'), text)
  })
})

/** The window of a sign-in with Google: `show` is what happens in it once it has its page. */
function aPopup(show: (popup: Window) => void) {
  const popup = {
    closed: false,
    close: vi.fn(() => {
      popup.closed = true
    }),
    location: {
      set href(_address: string) {
        show(popup as unknown as Window)
      },
    },
  }
  vi.spyOn(window, 'open').mockReturnValue(popup as unknown as Window)
  return popup
}

const says = (popup: Window, data: object): void =>
  queueMicrotask(() => void dispatchEvent(new MessageEvent('message', { data, origin: location.origin, source: popup })))
const agrees = (popup: Window): void => says(popup, { type: 'GOOGLE_AUTH_SUCCESS', token: 'of Google', state: 's1' })
const refuses = (popup: Window): void => says(popup, { type: 'GOOGLE_AUTH_ERROR', error: 'access_denied', state: 's1' })
const nothing = (): void => undefined

const googleAnswers: Answers = {
  'POST /api/auth/google/start': () => ({ status: 200, body: { url: 'https://accounts.google.com/o/oauth2', state: 's1' } }),
  'POST /api/auth/google/login': () => ({ status: 200, body: signedIn }),
}

describe('Google', () => {
  it('signs in, and closes the panel [AG-110, AG-158]', async () => {
    const popup = aPopup(agrees)
    const login = recorder({ status: 200, body: signedIn })
    const { press } = await open('sign-in', { answers: { ...googleAnswers, 'POST /api/auth/google/login': login.answer } })
    await press('Continue with Google')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(storedSession()?.user.email).toBe('marina@example.com')
    expect(login.bodies).toMatchObject([{ token: 'of Google' }])
    expect(popup.close).toHaveBeenCalled()
    expect(toasts()).toEqual([])
  })

  it('keeps the session when the profile cannot be fetched, and says so [AG-160]', async () => {
    aPopup(agrees)
    const { press } = await open('sign-in', { answers: { ...googleAnswers, 'GET /api/user': () => failure(500, 'server-error') } })
    await press('Continue with Google')
    await findToast('Error fetching user data, but your session is active.')
    expect(storedSession()?.user.email).toBe('marina@example.com')
  })

  it.each([
    ['pt-BR', 'Erro ao buscar os dados do usuário, mas sua sessão está ativa.', 'Continuar com o Google'],
    ['es-ES', 'Error al obtener los datos del usuario, pero tu sesión está activa.', 'Continuar con Google'],
  ])('says in %s that the profile cannot be fetched [AG-160]', async (language, noProfile, button) => {
    localStorage.setItem('language', language)
    aPopup(agrees)
    const { press } = await open('sign-in', { answers: { ...googleAnswers, 'GET /api/user': () => failure(500, 'server-error') } })
    await press(button)
    await findToast(noProfile)
  })

  it('is quietly idle again when the person closes the window', async () => {
    const popup = aPopup((opened) => opened.close())
    const { press, panel } = await open('sign-in', { answers: googleAnswers })
    await press('Continue with Google')
    await waitFor(() => expect(panel.getByRole('button', { name: 'Continue with Google' }).getAttribute('aria-busy')).toBeNull())
    expect(popup.closed).toBe(true)
    expect(storedSession()).toBeUndefined()
    expect(toasts()).toEqual([])
    expect(screen.getByRole('dialog')).toBeTruthy()
  })

  it.each<[what: string, popup: () => unknown, answers: Answers, texts: [string, string, string]]>([
    [
      'a blocked window [AG-161]',
      () => vi.spyOn(window, 'open').mockReturnValue(null),
      {},
      [
        'Please enable popups for this site and try again.',
        'Habilite os pop-ups para este site e tente novamente.',
        'Habilita las ventanas emergentes para este sitio e inténtalo de nuevo.',
      ],
    ],
    [
      'a timeout [AG-157]',
      () => {
        Object.assign(limits.auth, { googleTimeoutMs: 1 })
        return aPopup(nothing)
      },
      {},
      ['Login timeout expired. Please try again.', 'O tempo de login expirou. Tente novamente.', 'El tiempo de inicio de sesión expiró. Inténtalo de nuevo.'],
    ],
    [
      'a window that shows nothing [AG-162]',
      () =>
        aPopup(() => {
          throw new DOMException('blocked', 'SecurityError')
        }),
      {},
      [
        'Could not open login window. Please check popup settings.',
        'Não foi possível abrir a janela de login. Verifique as configurações de pop-up.',
        'No se pudo abrir la ventana de inicio de sesión. Revisa la configuración de ventanas emergentes.',
      ],
    ],
    [
      "the provider's refusal [AG-159]",
      () => aPopup(refuses),
      {},
      ['Error authenticating with Google', 'Erro ao autenticar com o Google', 'Error al autenticar con Google'],
    ],
    [
      "the server's refusal [AG-159]",
      () => aPopup(agrees),
      { 'POST /api/auth/google/login': () => failure(401, 'auth.google') },
      ['Error authenticating with Google', 'Erro ao autenticar com o Google', 'Error al autenticar con Google'],
    ],
    [
      'anything else [AG-159]',
      () => aPopup(agrees),
      { 'POST /api/auth/google/start': () => failure(500, 'server-error') },
      ['Error authenticating with Google', 'Erro ao autenticar com o Google', 'Error al autenticar con Google'],
    ],
  ])('explains %s in three languages', async (_what, popup, answers, [english, portuguese, spanish]) => {
    const { googleTimeoutMs } = limits.auth
    onTestFinished(() => void Object.assign(limits.auth, { googleTimeoutMs }))
    popup()
    const { press } = await open('sign-in', { answers: { ...googleAnswers, ...answers } })
    await press('Continue with Google')
    await findToast(english)
    await setLanguage('pt-BR')
    await press('Continuar com o Google')
    await findToast(portuguese)
    await setLanguage('es-ES')
    await press('Continuar con Google')
    await findToast(spanish)
  })
})

const rejected = Object.assign(new Error('User rejected the request.'), { code: 4001 })

describe('a wallet', () => {
  it.each(['MetaMask', 'Phantom', 'Sui'])('%s signs in, and closes the panel [AG-110]', async (name) => {
    wallet.signInWithWallet.mockResolvedValue(signedIn)
    const { press } = await open()
    await press(name)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(wallet.signInWithWallet).toHaveBeenCalledWith(name.toLowerCase())
    expect(storedSession()?.user.email).toBe('marina@example.com')
  })

  it.each<[what: string, name: string, error: unknown, text: string]>([
    ['a missing MetaMask [AG-169]', 'MetaMask', new WalletMissingError(), 'MetaMask wallet not found. Please install MetaMask.'],
    [
      'a MetaMask behind another wallet [AG-169]',
      'MetaMask',
      new WalletMissingError(true),
      'MetaMask wallet not found. Please install MetaMask or disable other wallet extensions.',
    ],
    ["a rejected MetaMask action by the wallet's words [AG-170]", 'MetaMask', rejected, 'User rejected the request.'],
    [
      "a rejected MetaMask action by the wallet's short words, where it has some [AG-170]",
      'MetaMask',
      Object.assign(new Error('User rejected the request. Details: …'), { code: 4001, shortMessage: 'User rejected the request.' }),
      'User rejected the request.',
    ],
    ['a refusal of the server after MetaMask [AG-171]', 'MetaMask', new AppError('auth.wallet-signature'), 'Authentication failed. Please try again.'],
    ['anything else of MetaMask [AG-172]', 'MetaMask', new TypeError('provider.request is not a function'), 'An error occurred. Try again.'],
    ['a failure of Phantom [AG-173]', 'Phantom', new TypeError('x'), 'Unable to authenticate with Phantom wallet. Please try again.'],
    [
      'a challenge of Phantom that is over [AG-173]',
      'Phantom',
      new AppError('auth.wallet-challenge'),
      'Unable to authenticate with Phantom wallet. Please try again.',
    ],
    [
      'a signature of Phantom that is not good [AG-174]',
      'Phantom',
      new AppError('auth.wallet-signature'),
      'Signature verification failed on the server. Please try again.',
    ],
    ['a rejected Phantom action', 'Phantom', rejected, 'User rejected the request.'],
    ['a failure of a Sui wallet', 'Sui', new TypeError('x'), 'Unable to authenticate with the Sui wallet. Please try again.'],
    ['a device that cannot keep chats', 'Sui', new AppError('storage.full'), 'Your device is out of space. Nothing was lost: free some space and try again.'],
  ])('explains %s', async (_what, name, error, text) => {
    wallet.signInWithWallet.mockRejectedValue(error)
    const { press, panel } = await open()
    await press(name)
    await findToast(text)
    expect(toasts()).toEqual([text])
    expect(panel.getByRole('button', { name }).getAttribute('aria-busy')).toBeNull()
  })

  it.each([
    [
      'pt-BR',
      {
        missing: 'Carteira MetaMask não encontrada. Instale a MetaMask.',
        hidden: 'Carteira MetaMask não encontrada. Instale a MetaMask ou desative outras extensões de carteira.',
        metaMaskRefused: 'Falha na autenticação. Tente novamente.',
        metaMaskFailed: 'Ocorreu um erro. Tente novamente.',
        phantomFailed: 'Não foi possível autenticar com a carteira Phantom. Tente novamente.',
        suiFailed: 'Não foi possível autenticar com a carteira Sui. Tente novamente.',
        signature: 'A verificação da assinatura falhou no servidor. Tente novamente.',
      },
    ],
    [
      'es-ES',
      {
        missing: 'No se encontró la billetera MetaMask. Instala MetaMask.',
        hidden: 'No se encontró la billetera MetaMask. Instala MetaMask o desactiva otras extensiones de billetera.',
        metaMaskRefused: 'Error de autenticación. Inténtalo de nuevo.',
        metaMaskFailed: 'Ocurrió un error. Inténtalo de nuevo.',
        phantomFailed: 'No se pudo autenticar con la billetera Phantom. Inténtalo de nuevo.',
        suiFailed: 'No se pudo autenticar con la billetera Sui. Inténtalo de nuevo.',
        signature: 'La verificación de la firma falló en el servidor. Inténtalo de nuevo.',
      },
    ],
  ])('explains itself in %s [AG-169, AG-171, AG-172, AG-173, AG-174]', async (language, said) => {
    localStorage.setItem('language', language)
    const { press } = await open()
    for (const [name, error, text] of [
      ['MetaMask', new WalletMissingError(), said.missing],
      ['MetaMask', new WalletMissingError(true), said.hidden],
      ['MetaMask', new AppError('auth.wallet-signature'), said.metaMaskRefused],
      ['MetaMask', new TypeError('x'), said.metaMaskFailed],
      ['Phantom', new TypeError('x'), said.phantomFailed],
      ['Phantom', new AppError('auth.wallet-signature'), said.signature],
      ['Sui', new TypeError('x'), said.suiFailed],
      ['Sui', new AppError('auth.wallet-signature'), said.signature],
    ] as const) {
      wallet.signInWithWallet.mockRejectedValueOnce(error)
      await press(name)
      await findToast(text)
      if (error instanceof WalletMissingError)
        screen
          .getAllByRole('dialog')
          .at(-1)
          ?.dispatchEvent(new Event('cancel', { cancelable: true }))
      await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    }
  })

  const pages = { MetaMask: 'https://metamask.io/download/', Phantom: 'https://phantom.com/download', Sui: 'https://slush.app/' } as const

  it.each([
    ['en-US', (name: string) => `Install ${name}`, (name: string) => `${name} was not found in this browser. Install it, reload the page, and sign in again.`],
    [
      'pt-BR',
      (name: string) => `Instale a ${name}`,
      (name: string) => `A ${name} não foi encontrada neste navegador. Instale-a, recarregue a página e entre novamente.`,
    ],
    [
      'es-ES',
      (name: string) => `Instala ${name}`,
      (name: string) => `No se encontró ${name} en este navegador. Instálala, recarga la página e inicia sesión de nuevo.`,
    ],
    [
      'fil-PH',
      (name: string) => `I-install ang ${name}`,
      (name: string) => `Hindi nakita ang ${name} sa browser na ito. I-install ito, i-reload ang page, at mag-sign in muli.`,
    ],
  ] as const)('that is missing opens its install dialog in %s, with Download and Close [AG-164, AG-165]', async (language, titleOf, textOf) => {
    const words = {
      'en-US': ['Install a Sui wallet', 'No Sui wallet was found in this browser. Install one, reload the page, and sign in again.', 'Download', 'Close'],
      'pt-BR': [
        'Instale uma carteira Sui',
        'Nenhuma carteira Sui foi encontrada neste navegador. Instale uma, recarregue a página e entre novamente.',
        'Baixar',
        'Fechar',
      ],
      'es-ES': [
        'Instala una billetera de Sui',
        'No se encontró ninguna billetera de Sui en este navegador. Instala una, recarga la página e inicia sesión de nuevo.',
        'Descargar',
        'Cerrar',
      ],
      'fil-PH': [
        'Mag-install ng Sui wallet',
        'Walang nakitang Sui wallet sa browser na ito. Mag-install ng isa, i-reload ang page, at mag-sign in muli.',
        'I-download',
        'Isara',
      ],
    } as const
    const [suiTitle, suiText, download, close] = words[language]
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    localStorage.setItem('language', language)
    const { press, user } = await open()
    for (const name of ['MetaMask', 'Phantom', 'Sui'] as const) {
      wallet.signInWithWallet.mockRejectedValueOnce(new WalletMissingError())
      await press(name)
      const title = name === 'Sui' ? suiTitle : titleOf(name)
      const dialog = within(await screen.findByRole('dialog', { name: title }))
      expect(dialog.getByText(name === 'Sui' ? suiText : textOf(name))).toBeTruthy()
      await user.click(dialog.getByRole('button', { name: download }))
      expect(opened).toHaveBeenLastCalledWith(pages[name], '_blank', 'noopener')
      await user.click(dialog.getAllByRole('button', { name: close }).at(-1) ?? document.body)
      await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
    }
  })

  it.each([
    ['Phantom', 'Install Phantom', 'Phantom was not found in this browser. Install it, reload the page, and sign in again.', 'https://phantom.com/download'],
    ['Sui', 'Install a Sui wallet', 'No Sui wallet was found in this browser. Install one, reload the page, and sign in again.', 'https://slush.app/'],
  ])('%s that is missing says so in its dialog alone [AG-164]', async (name, title, text, page) => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    wallet.signInWithWallet.mockRejectedValue(new WalletMissingError())
    const { press, user } = await open()
    await press(name)
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    expect(dialog.getByText(text)).toBeTruthy()
    expect(toasts()).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    expect(opened).toHaveBeenCalledWith(page, '_blank', 'noopener')
  })
})
