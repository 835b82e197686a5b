// The calls of the sign-in panel and of the links in mails. Every failure is an AppError.
import { authRoutes, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { api } from '../api/api'
import { deviceId } from './device-id'

export async function login(email: string, password: string): Promise<SignIn> {
  return api(authRoutes.login, { body: { email, password, deviceId: await deviceId() } })
}

/** Answers whether the address must be confirmed before the first sign-in. */
export async function register(email: string, password: string, language: string): Promise<boolean> {
  return (await api(authRoutes.signup, { body: { email, password, language } })).confirmation_required
}

export async function resendConfirmation(email: string): Promise<void> {
  await api(authRoutes.resendConfirmation, { body: { email } })
}

/** Sends a reset link, if there is an account. */
export async function requestReset(email: string): Promise<void> {
  await api(authRoutes.resetPassword, {
    body: { email, redirectTo: `${location.origin}/settings?tab=security&recoverPassword=true` },
  })
}

/** Uses a reset link: sets the new password, or without one mails a one-time password. */
export async function confirmReset(token: string, newPassword: string | undefined): Promise<void> {
  await api(authRoutes.confirmReset, { body: { token, ...(newPassword === undefined ? {} : { newPassword }) } })
}

/** Uses a reset link to sign in; the person sets a new password afterwards. */
export async function recover(token: string): Promise<SignIn> {
  const { session } = await api(authRoutes.confirmReset, { body: { token, recover: true, deviceId: await deviceId() } })
  if (!session) throw new AppError('auth.reset-token-invalid')
  return session
}

export async function confirmEmail(token: string): Promise<SignIn> {
  return api(authRoutes.confirmEmail, { body: { token, deviceId: await deviceId() } })
}
