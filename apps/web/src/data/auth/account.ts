// Changes that people make to their own account. Every failure is an AppError.
import { authRoutes } from '@parley/contract/auth'
import type { FullLanguage } from '@parley/contract/languages'
import { userRoutes } from '@parley/contract/users'
import { api } from '../api/api'
import { storedSession, storeUser } from '../session/stored-session'

export async function updateProfile(name: string): Promise<void> {
  storeUser(await api(authRoutes.updateProfile, { body: { name } }))
}

export async function updateLanguage(language: FullLanguage, signal?: AbortSignal): Promise<void> {
  storeUser(await api(authRoutes.updateLanguage, { body: { language }, ...(signal ? { signal } : {}) }))
}

/** Fails with auth.reauthenticate when the sign-in is too old to change the password without the current one. */
export async function changePassword(newPassword: string, currentPassword?: string): Promise<void> {
  await api(authRoutes.changePassword, {
    body: { newPassword, ...(currentPassword === undefined ? {} : { currentPassword }) },
  })
  const user = storedSession()?.user
  if (user) storeUser({ ...user, has_password: true })
}

/**
 * Deletes the account on the server; its session is invalid afterwards, and the caller signs out. `keepsAgents`: public
 * agents stay, without the person's name.
 */
export async function deleteAccount(userId: string, { keepsAgents }: { keepsAgents: boolean }): Promise<void> {
  await api(userRoutes.remove, { body: { userId, ...(keepsAgents ? { keepsAgents } : {}) } })
}
