import { authRoutes, type SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { userRoutes } from '@parley/contract/users'
import * as z from 'zod/mini'
import { api } from '../http/api'
import { deviceId } from './device-id'
import { storedSession, storeUser } from './stored-session'

/** blocked: the browser opened no window. not-opened: the page could not be shown in it. refused: the provider, or the person there, said no. */
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

/** Signs in through Google's page in a popup; undefined when the person closed it. Call it in the click itself, or the browser blocks the window. */
export async function signInWithGoogle(): Promise<SignIn | undefined> {
  const popup = openPopup()
  try {
    sessionStorage.setItem(flag, 'true')
    const { url, state } = await api(authRoutes.googleStart)
    const token = await tokenFrom(popup, url, state)
    return token === undefined ? undefined : await api(authRoutes.googleLogin, { body: { token, deviceId: await deviceId() } })
  } finally {
    sessionStorage.removeItem(flag)
    popup.close()
  }
}

/** Fetches the profile of whoever has just signed in; false when the server cannot give it now. The session goes on with what the sign-in answered. */
export async function isProfileReachable(): Promise<boolean> {
  try {
    const profile = await api(userRoutes.get, { query: {} })
    if (storedSession()?.user.id === profile.id) storeUser(profile)
    return true
  } catch (error) {
    // A session that has ended is not one of which the profile is missing: that is said elsewhere.
    return error instanceof AppError && [401, 403, 404].includes(error.status)
  }
}

function openPopup(): Window {
  const left = Math.round(screenX + (outerWidth - size.width) / 2)
  const top = Math.round(screenY + (outerHeight - size.height) / 2)
  const popup = window.open('', 'parley-google', `popup,width=${size.width},height=${size.height},left=${left},top=${top}`)
  if (!popup) throw new GooglePopupError('blocked')
  return popup
}

/** Hears this popup alone, from this origin alone, about this sign-in alone. */
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
    }, limits.auth.googleTimeoutMs)
    let wasClosed = false
    const closed = setInterval(() => {
      // A window that closes by itself has spoken just before, and its message may come after the news that it is gone: closed is what a second look finds so.
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
