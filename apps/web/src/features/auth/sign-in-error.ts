import '../../i18n/later-texts'
import { AppError, type ErrorCode, errorText } from '@parley/contract/errors'
import type { Translate } from '../../i18n/interface-language'
import { NotJsonError } from '../../lib/not-json-error'

/** The text of a sign-in error, and the field that caused it. `canResend`: the confirmation mail can be sent again. */
export type Explanation = { text: string; field?: 'email' | 'password'; canResend?: boolean }

type Context = { t: Translate; language: string }

const fieldOf: Partial<Record<ErrorCode, 'email' | 'password'>> = {
  'auth.no-account': 'email',
  'auth.email-taken': 'email',
  'auth.email-invalid': 'email',
  'auth.email-reserved': 'email',
  'auth.wrong-password': 'password',
  'auth.invalid-credentials': 'password',
  'auth.password-weak': 'password',
}

/** The sign-in errors of document 2, section 8. */
export function explainLogin(error: unknown, context: Context): Explanation {
  const known = toAppError(error)
  if (known.code === 'network') return { text: context.t('auth.connectionIssue') }
  return (
    explainKnown(known, context, { 401: 'auth.wrong-password', 404: 'auth.no-account' }) ?? {
      text: context.t('auth.loginFailed'),
    }
  )
}

export function explainRegistration(error: unknown, context: Context): Explanation {
  const known = toAppError(error)
  if (known.code === 'network') return { text: context.t('auth.networkProblem') }
  return (
    explainKnown(known, context, { 409: 'auth.email-taken' }) ?? {
      text: context.t('auth.registrationFailed', { status: known.status }),
    }
  )
}

export function explainReset(error: unknown, { t, language }: Context): Explanation {
  const known = toAppError(error)
  if (known.status >= 500) return { text: t('auth.resetFailed') }
  const isSaid = known.code.startsWith('auth.') || known.code === 'rate-limited'
  return { text: mapped(known, t) ?? (isSaid ? errorText(known.code, language) : t('auth.resetFailed')) }
}

/**
 * The text comes from the catalogue's code, then from the HTTP status, then from the server's message. `byStatus`: the
 * texts of statuses without a code.
 */
function explainKnown(
  error: AppError,
  { t, language }: Context,
  byStatus: Record<number, ErrorCode>,
): Explanation | undefined {
  const { code, status } = error
  if (error.cause instanceof NotJsonError) return { text: t('auth.serviceUnavailable') }
  if (code.startsWith('auth.') || code.startsWith('storage.') || code.startsWith('vault.'))
    return explanationOf(code, language)
  if (status === 429) return { text: errorText('rate-limited', language) }
  if (status === 403) return { text: errorText('auth.blocked', language) }
  if (status >= 500) return { text: t('auth.temporaryIssues') }
  const meant = byStatus[status]
  const said = mapped(error, t)
  if (meant) return { ...explanationOf(meant, language), ...(said === undefined ? {} : { text: said }) }
  return said === undefined ? undefined : { text: said }
}

function explanationOf(code: ErrorCode, language: string): Explanation {
  const field = fieldOf[code]
  return {
    text: errorText(code, language),
    ...(field ? { field } : {}),
    ...(code === 'auth.email-unconfirmed' ? { canResend: true } : {}),
  }
}

/** The text for a known message of a server; undefined for others. */
export function mapped({ message, code }: Pick<AppError, 'message' | 'code'>, t: Translate): string | undefined {
  if (/invalid username or password/i.test(message)) return t('auth.invalidCredentials')
  if (/string does not match the pattern/i.test(message)) return t('auth.checkFormat')
  if (/failed to fetch|networkerror/i.test(message)) return t('auth.networkProblem')
  if (/invalid email format/i.test(message)) return t('auth.invalidEmail')
  // The catalogue's general text says no more than the fallback.
  return message === errorText(code) ? undefined : message
}

function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('unknown', { cause: error })
}
