import { AppError, type ErrorCode } from '@parley/contract/errors'
import { fullLanguages } from '@parley/contract/languages'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setLanguage, startI18n } from '../../i18n/i18n'
import { type Translate, t } from '../../i18n/interface-language'
import { NotJsonError } from '../../lib/not-json-error'
import { explainLogin, explainRegistration, explainReset, mapped } from './sign-in-error'

beforeAll(startI18n)
afterEach(() => setLanguage('en-US'))

type Texts = readonly [english: string, portuguese: string, spanish: string]

async function expectTexts(
  texts: Texts,
  explain: (context: { t: Translate; language: string }) => string | undefined,
): Promise<void> {
  const said: (string | undefined)[] = []
  for (const language of fullLanguages) {
    await setLanguage(language)
    said.push(explain({ t: t, language }))
  }
  expect(said).toEqual(texts)
}

/** As the client makes it of another server's answer, in which the code is unknown or missing. */
const answered = (status: number, message?: string, code: ErrorCode = 'unknown') =>
  new AppError(code, { status, ...(message ? { message } : {}) })
const notJson = (status: number) =>
  new AppError(status >= 500 ? 'server-error' : 'unknown', { status, cause: new NotJsonError('html') })

const temporary: Texts = [
  'Temporary server issues. Please try again in a few moments.',
  'Problemas temporários no servidor. Tente novamente em instantes.',
  'Problemas temporales del servidor. Inténtalo de nuevo en unos momentos.',
]
const unavailable: Texts = [
  'Service temporarily unavailable. Please try again in a few moments or contact support if the issue persists.',
  'Serviço temporariamente indisponível. Tente novamente em instantes ou contate o suporte se o problema continuar.',
  'Servicio no disponible temporalmente. Inténtalo de nuevo en unos momentos o contacta con soporte si el problema continúa.',
]
const tooMany: Texts = [
  'Too many attempts. Please wait a few minutes.',
  'Muitas tentativas. Aguarde alguns minutos.',
  'Demasiados intentos. Espera unos minutos.',
]
const wrongPassword: Texts = [
  'Incorrect password. Please try again or use Forgot Password to reset it.',
  'Senha incorreta. Tente novamente ou use Esqueci a senha para redefini-la.',
  'Contraseña incorrecta. Inténtalo de nuevo o usa Olvidé mi contraseña para restablecerla.',
]
const noAccount: Texts = [
  'No account found with this email address. Please check your email or create a new account.',
  'Nenhuma conta encontrada com este e-mail. Confira o e-mail ou crie uma nova conta.',
  'No se encontró ninguna cuenta con este correo. Revisa el correo o crea una cuenta nueva.',
]
const restricted: Texts = [
  'Account access restricted. Please contact support.',
  'Acesso à conta restrito. Entre em contato com o suporte.',
  'Acceso a la cuenta restringido. Contacta con soporte.',
]
const taken: Texts = [
  'This email is already registered. Try logging in instead.',
  'Este e-mail já está cadastrado. Tente entrar.',
  'Este correo ya está registrado. Intenta iniciar sesión.',
]
const loginFailed: Texts = [
  'Login failed. Please try again.',
  'Falha ao entrar. Tente novamente.',
  'No se pudo iniciar sesión. Inténtalo de nuevo.',
]
const networkError: Texts = [
  'Network connection error. Please check your internet and try again.',
  'Erro de conexão de rede. Verifique sua internet e tente novamente.',
  'Error de conexión de red. Comprueba tu internet e inténtalo de nuevo.',
]

describe('a login that failed', () => {
  it.each<[what: string, error: unknown, texts: Texts, field?: 'email' | 'password']>([
    ['an answer that is no JSON [AG-119]', notJson(502), unavailable],
    ['an answer that is no JSON, though it says 200 [AG-119]', notJson(200), unavailable],
    ['500 [AG-120]', new AppError('server-error'), temporary],
    ['503 [AG-120]', new AppError('unavailable'), temporary],
    ['404 of our server [AG-121]', new AppError('auth.no-account'), noAccount, 'email'],
    ['404 of another server [AG-121]', answered(404, undefined, 'not-found'), noAccount, 'email'],
    ['401 of our server [AG-122]', new AppError('auth.wrong-password'), wrongPassword, 'password'],
    ['401 of another server [AG-122]', answered(401, undefined, 'unauthenticated'), wrongPassword, 'password'],
    ['429 [AG-123]', new AppError('rate-limited'), tooMany],
    ['403 [AG-124]', new AppError('auth.blocked'), restricted],
    ['403 of another server [AG-124]', answered(403, 'Forbidden'), restricted],
    [
      'no network [AG-125]',
      new AppError('network'),
      [
        'Connection issue. Please check your internet and try again.',
        'Problema de conexão. Verifique sua internet e tente novamente.',
        'Problema de conexión. Comprueba tu internet e inténtalo de nuevo.',
      ],
    ],
    ['another status without a word [AG-126]', answered(418), loginFailed],
    ['a failure that nobody foresaw [AG-126]', new TypeError('x is undefined'), loginFailed],
  ])('by %s says so in three languages', async (_what, error, texts, field) => {
    await expectTexts(texts, (context) => explainLogin(error, context).text)
    expect(explainLogin(error, { t: t, language: 'en-US' }).field).toBe(field)
  })

  it("has the server's own words where it gives some [AG-121, AG-122]", () => {
    const context = { t: t, language: 'en-US' }
    expect(explainLogin(answered(404, 'User not found', 'not-found'), context)).toEqual({
      text: 'User not found',
      field: 'email',
    })
    expect(explainLogin(answered(401, 'Two attempts left', 'unauthenticated'), context)).toEqual({
      text: 'Two attempts left',
      field: 'password',
    })
  })

  it('for an address that was not confirmed offers the mail again [AG-124]', async () => {
    const error = new AppError('auth.email-unconfirmed')
    expect(explainLogin(error, { t: t, language: 'en-US' }).canResend).toBe(true)
    await expectTexts(
      [
        'Please confirm your email first. We can send you the link again.',
        'Confirme seu e-mail primeiro. Podemos enviar o link novamente.',
        'Primero confirma tu correo. Podemos enviarte el enlace otra vez.',
      ],
      (context) => explainLogin(error, context).text,
    )
  })
})

describe('a registration that failed', () => {
  it.each<[what: string, error: unknown, texts: Texts, field?: 'email']>([
    ['an answer that is no JSON [AG-119]', notJson(502), unavailable],
    ['500 [AG-142]', new AppError('server-error'), temporary],
    ['409 of our server [AG-143]', new AppError('auth.email-taken'), taken, 'email'],
    ['409 of another server [AG-143]', answered(409), taken, 'email'],
    ['429 [AG-144]', new AppError('rate-limited'), tooMany],
    [
      'another status without a word [AG-145]',
      answered(418),
      [
        'Registration failed with error 418. Please try again.',
        'O cadastro falhou com o erro 418. Tente novamente.',
        'El registro falló con el error 418. Inténtalo de nuevo.',
      ],
    ],
    ['no network [AG-129]', new AppError('network'), networkError],
  ])('by %s says so in three languages', async (_what, error, texts, field) => {
    await expectTexts(texts, (context) => explainRegistration(error, context).text)
    expect(explainRegistration(error, { t: t, language: 'en-US' }).field).toBe(field)
  })

  it("has the server's message, mapped, for another status [AG-145]", () => {
    const context = { t: t, language: 'en-US' }
    expect(explainRegistration(answered(400, 'string does not match the pattern'), context).text).toBe(
      'Please check your email and password format',
    )
    expect(explainRegistration(answered(400, 'Sign-ups are closed'), context).text).toBe('Sign-ups are closed')
  })
})

describe('the mapper', () => {
  it.each<[what: string, message: string, texts: Texts]>([
    [
      "'Invalid username or password' [AG-127]",
      'Invalid username or password',
      [
        'Invalid email or password. Please check your credentials and try again.',
        'E-mail ou senha inválidos. Confira seus dados e tente novamente.',
        'Correo o contraseña no válidos. Revisa tus datos e inténtalo de nuevo.',
      ],
    ],
    [
      "'string does not match the pattern' [AG-128]",
      'The string does not match the pattern expected',
      [
        'Please check your email and password format',
        'Confira o formato do e-mail e da senha',
        'Revisa el formato del correo y de la contraseña',
      ],
    ],
    ["'Failed to fetch' [AG-129]", 'Failed to fetch', networkError],
    ['NetworkError [AG-129]', 'NetworkError when attempting to fetch resource.', networkError],
    [
      "'Invalid email format' [AG-130]",
      'Invalid email format',
      [
        'Please enter a valid email address',
        'Informe um endereço de e-mail válido',
        'Introduce una dirección de correo válida',
      ],
    ],
  ])('puts %s into better words in three languages', async (_what, message, texts) => {
    await expectTexts(texts, ({ t }) => mapped({ message, code: 'unknown' }, t))
  })

  it.each(['Account already exists', 'User not found', 'Email already in use'])('keeps %s [AG-131]', (message) => {
    expect(mapped({ message, code: 'unknown' }, t)).toBe(message)
  })
})

describe('a reset that failed', () => {
  it.each<[what: string, error: unknown, texts: Texts]>([
    [
      'by a failure of the server',
      new AppError('server-error'),
      [
        'Failed to reset password. Please check your email address and try again.',
        'Não foi possível redefinir a senha. Confira seu e-mail e tente novamente.',
        'No se pudo restablecer la contraseña. Revisa tu correo e inténtalo de nuevo.',
      ],
    ],
    ['by too many attempts', new AppError('rate-limited'), tooMany],
    [
      'by an address that is none',
      new AppError('auth.email-invalid'),
      [
        'Please enter a valid email address',
        'Informe um endereço de e-mail válido',
        'Introduce una dirección de correo válida',
      ],
    ],
  ])('%s says so in three languages [AG-152]', async (_what, error, texts) => {
    await expectTexts(texts, (context) => explainReset(error, context).text)
  })

  it("has the server's message [AG-152]", () => {
    expect(explainReset(answered(400, 'Resets are closed today'), { t: t, language: 'en-US' }).text).toBe(
      'Resets are closed today',
    )
  })
})
