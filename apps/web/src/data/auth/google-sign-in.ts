import { authRoutes, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { userRoutes } from '@parley/contract/users'
import * as z from 'zod/mini'
import { api } from '../api/api'
import { storedSession, storeUser } from '../session/stored-session'
import { deviceId } from './device-id'

/**
 * blocked: the browser opened no window. not-opened: the window could not show Google's page. refused: Google or the
 * person refused.
 */
export class GooglePopupError extends Error {
  override name = 'GooglePopupError'
  constructor(readonly reason: 'blocked' | 'not-opened' | 'timeout' | 'refused') {
    super(reason)
  }
}

const flag = 'google-login-redirect'
const size = { width: 500, height: 600 }
const closedCheckMs = 500

const Answer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('GOOGLE_AUTH_SUCCESS'), token: z.string(), state: z.string() }),
  z.object({ type: z.literal('GOOGLE_AUTH_ERROR'), error: z.string(), state: z.optional(z.string()) }),
])

/**
 * Signs in through Google's page in a popup; undefined when the person closed it. It must be called in the click
 * handler, or the browser blocks the popup.
 */
export async function signInWithGoogle(): Promise<SignIn | undefined> {
  const popup = openPopup()
  try {
    sessionStorage.setItem(flag, 'true')
    const { url, state } = await api(authRoutes.googleStart)
    const token = await tokenFrom(popup, url, state)
    return token === undefined
      ? undefined
      : await api(authRoutes.googleLogin, { body: { token, deviceId: await deviceId() } })
  } finally {
    sessionStorage.removeItem(flag)
    popup.close()
  }
}

/**
 * Fetches the profile after a sign-in; false when the server cannot give it now. The session then uses the profile of
 * the sign-in's answer.
 */
export async function isProfileReachable(): Promise<boolean> {
  try {
    const profile = await api(userRoutes.get, { query: {} })
    if (storedSession()?.user.id === profile.id) storeUser(profile)
    return true
  } catch (error) {
    // An ended session is reported elsewhere.
    return error instanceof AppError && [401, 403, 404].includes(error.status)
  }
}

function openPopup(): Window {
  const left = Math.round(screenX + (outerWidth - size.width) / 2)
  const top = Math.round(screenY + (outerHeight - size.height) / 2)
  const popup = window.open(
    '',
    'parley-google',
    `popup,width=${size.width},height=${size.height},left=${left},top=${top}`,
  )
  if (!popup) throw new GooglePopupError('blocked')
  return popup
}

/** Listens to this popup, this origin and this sign-in only. */
export function tokenFrom(popup: Window, url: string, state: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      removeEventListener('message', hear)
      clearTimeout(timeout)
      clearInterval(closed)
    }
    const hear = ({ data, origin, source }: MessageEvent<unknown>): void => {
      if (origin !== location.origin || source !== popup) return
      const answer = z.safeParse(Answer, data)
      if (!answer.success || answer.data.state !== state) return
      end()
      if (answer.data.type === 'GOOGLE_AUTH_SUCCESS') resolve(answer.data.token)
      else reject(new GooglePopupError('refused'))
    }
    const timeout = setTimeout(() => {
      end()
      reject(new GooglePopupError('timeout'))
    }, webLimits.auth.googleTimeoutMs)
    let wasClosed = false
    const closed = setInterval(() => {
      // A popup that closes itself has sent its message just before, and the message may arrive after `closed` is set:
      // the popup counts as closed at the second look.
      if (wasClosed) {
        end()
        resolve(undefined)
      }
      wasClosed = popup.closed
    }, closedCheckMs)
    addEventListener('message', hear)
    try {
      popup.location.href = url
    } catch {
      end()
      reject(new GooglePopupError('not-opened'))
    }
  })
}
