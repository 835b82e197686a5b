// The calls of the sign-in panel and of the links in mails. Every failure is an AppError.
import { authRoutes, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { api } from '../http/api'
import { deviceId } from './device-id'

export async function login(email: string, password: string): Promise<SignIn> {
  return api(authRoutes.login, { body: { email, password, deviceId: await deviceId() } })
}

/** True when the address has to be confirmed before the first sign-in. */
export async function register(email: string, password: string, language: string): Promise<boolean> {
  return (await api(authRoutes.signup, { body: { email, password, language } })).confirmation_required
}

export async function resendConfirmation(email: string): Promise<void> {
  await api(authRoutes.resendConfirmation, { body: { email } })
}

/** Mails a link, if there is an account. */
export async function requestReset(email: string): Promise<void> {
  await api(authRoutes.resetPassword, { body: { email, redirectTo: `${location.origin}/settings?tab=security&recoverPassword=true` } })
}

/** Uses a reset link: with a new password it is set, without one a one-time password is mailed. */
export async function confirmReset(token: string, newPassword: string | undefined): Promise<void> {
  await api(authRoutes.confirmReset, { body: { token, ...(newPassword === undefined ? {} : { newPassword }) } })
}

/** Uses a reset link to sign in: a new password is set afterwards. */
export async function recover(token: string): Promise<SignIn> {
  const { session } = await api(authRoutes.confirmReset, { body: { token, recover: true, deviceId: await deviceId() } })
  if (!session) throw new AppError('auth.reset-token-invalid')
  return session
}

export async function confirmEmail(token: string): Promise<SignIn> {
  return api(authRoutes.confirmEmail, { body: { token, deviceId: await deviceId() } })
}
