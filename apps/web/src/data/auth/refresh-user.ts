import { AppError } from '@parley/contract/errors'
import { isWeb3, userRoutes } from '@parley/contract/users'
import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { api } from '../api/api'
import { storedSession, storeUser, useUser } from '../session/stored-session'
import { endSession } from './sign-out'

/**
 * Fetches the profile once after the start and after each sign-in. `onEnded` is called with the reason when the server
 * has ended the session. Wallet accounts have no profile to fetch.
 */
export function useUserRefresh(onEnded: (reason: AppError) => void): void {
  const user = useUser()
  const userId = user && !isWeb3(user) ? user.id : undefined
  const tell = useRef(onEnded)
  useEffect(() => {
    tell.current = onEnded
  }, [onEnded])
  useEffect(() => {
    if (userId === undefined) return
    const controller = new AbortController()
    void refreshUser(userId, controller.signal).then((reason) => reason && tell.current(reason))
    return () => controller.abort()
  }, [userId])
}

/**
 * Stores the profile, or ends the session and returns the reason when the server no longer knows it. Without a network
 * nothing changes.
 */
async function refreshUser(userId: string, signal: AbortSignal): Promise<AppError | undefined> {
  const isCurrent = () => !signal.aborted && storedSession()?.user.id === userId
  try {
    const profile = await api(userRoutes.get, { query: {}, signal })
    if (isCurrent()) storeUser(profile)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || !endsSession(error) || !isCurrent()) return undefined
    const reason = error.status === 403 ? error : new AppError('auth.session-expired', { cause: error })
    await endSession(reason.code)
    return reason
  }
}

/** A server that is unreachable or fails says nothing about the session. */
const endsSession = (error: AppError): boolean => [401, 403, 404].includes(error.status) || isWithoutId(error.cause)

const isWithoutId = (cause: unknown): boolean =>
  cause instanceof z.core.$ZodError && cause.issues.some(({ path }) => path[0] === 'id')
