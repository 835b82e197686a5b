import { webLimits } from '@parley/contract/limits/web'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import {
  type Answers,
  failure,
  findToast,
  openPanel,
  signedIn,
  toasts,
  untilPanelCloses,
} from '../../testing/login-panel'
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
  queueMicrotask(
    () => void dispatchEvent(new MessageEvent('message', { data, origin: location.origin, source: popup })),
  )
const agrees = (popup: Window): void => says(popup, { type: 'GOOGLE_AUTH_SUCCESS', token: 'of Google', state: 's1' })
const refuses = (popup: Window): void => says(popup, { type: 'GOOGLE_AUTH_ERROR', error: 'access_denied', state: 's1' })
const nothing = (): void => undefined
/** The flag of a sign-in that is under way. */
const underWay = (): string | null => sessionStorage.getItem('google-login-redirect')

const googleAnswers: Answers = {
  'POST /api/auth/google/start': () => ({
    status: 200,
    body: { url: 'https://accounts.google.com/o/oauth2', state: 's1' },
  }),
  'POST /api/auth/google/login': () => ({ status: 200, body: signedIn }),
}

describe('Google', () => {
  it('signs in, and closes the panel [AG-110, AG-158]', async () => {
    const popup = aPopup(agrees)
    const login = recorder({ status: 200, body: signedIn })
    const { press } = await openPanel('sign-in', {
      answers: { ...googleAnswers, 'POST /api/auth/google/login': login.answer },
    })
    await press('Continue with Google')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(storedSession()?.user.email).toBe('marina@example.com')
    expect(login.bodies).toMatchObject([{ token: 'of Google' }])
    expect(popup.close).toHaveBeenCalled()
    expect(toasts()).toEqual([])
  })

  it('keeps the session when the profile cannot be fetched, and says so [AG-160]', async () => {
    aPopup(agrees)
    const { press } = await openPanel('sign-in', {
      answers: { ...googleAnswers, 'GET /api/user': () => failure(500, 'server-error') },
    })
    await press('Continue with Google')
    await findToast('Error fetching user data, but your session is active.')
    expect(storedSession()?.user.email).toBe('marina@example.com')
    await untilPanelCloses()
  })

  it.each([
    ['pt-BR', 'Erro ao buscar os dados do usuário, mas sua sessão está ativa.', 'Continuar com o Google'],
    ['es-ES', 'Error al obtener los datos del usuario, pero tu sesión está activa.', 'Continuar con Google'],
  ])('says in %s that the profile cannot be fetched [AG-160]', async (language, noProfile, button) => {
    localStorage.setItem('language', language)
    aPopup(agrees)
    const { press } = await openPanel('sign-in', {
      answers: { ...googleAnswers, 'GET /api/user': () => failure(500, 'server-error') },
    })
    await press(button)
    await findToast(noProfile)
    await untilPanelCloses()
  })

  it('is quietly idle again when the person closes the window, and signs in at the next press', async () => {
    let flagMeanwhile: string | null = null
    const popup = aPopup((opened) => {
      flagMeanwhile = underWay()
      opened.close()
    })
    const { press, panel } = await openPanel('sign-in', { answers: googleAnswers })
    await press('Continue with Google')
    await waitFor(() =>
      expect(panel.getByRole('button', { name: 'Continue with Google' }).getAttribute('aria-busy')).toBeNull(),
    )
    expect(popup.closed).toBe(true)
    expect(storedSession()).toBeUndefined()
    expect(toasts()).toEqual([])
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect([flagMeanwhile, underWay()]).toEqual(['true', null])
    aPopup(agrees)
    await press('Continue with Google')
    await untilPanelCloses()
    expect(storedSession()?.user.email).toBe('marina@example.com')
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
        Object.assign(webLimits.auth, { googleTimeoutMs: 1 })
        return aPopup(nothing)
      },
      {},
      [
        'Login timeout expired. Please try again.',
        'O tempo de login expirou. Tente novamente.',
        'El tiempo de inicio de sesión expiró. Inténtalo de nuevo.',
      ],
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
    const { googleTimeoutMs } = webLimits.auth
    onTestFinished(() => void Object.assign(webLimits.auth, { googleTimeoutMs }))
    popup()
    const { press } = await openPanel('sign-in', { answers: { ...googleAnswers, ...answers } })
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
