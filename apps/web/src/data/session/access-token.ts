import { authRoutes } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { request } from '../http/request'
import { withTabLock } from '../local/tab-lock'
import { readTokens, type StoredTokens, storedSession, storeTokens } from './stored-session'

const lockName = 'session'

type ExpiryListener = () => void
let onExpired: ExpiryListener = () => undefined

/** Called once when the server ends the session: its tokens are of no use any more. */
export function setExpiryListener(listener: ExpiryListener): void {
  onExpired = listener
}

let isHeld = false

/** Until it is let go no call gets a token: the session is being ended, and what is asked now would only be refused. */
export function holdTokens(): () => void {
  isHeld = true
  return () => {
    isHeld = false
  }
}

/** A token that is good for some minutes more; undefined for an anonymous person. Near its end it is renewed, once for all calls and tabs. */
export async function accessToken(): Promise<string | undefined> {
  const tokens = storedSession()?.tokens
  if (!tokens) return undefined
  // Who waits here goes with the page.
  if (isHeld) return new Promise(() => undefined)
  if (secondsLeft(tokens) >= limits.auth.refreshBeforeSeconds) return tokens.access_token
  try {
    return await renew((current) => secondsLeft(current) >= limits.auth.refreshBeforeSeconds)
  } catch (error) {
    // Without a network the old token is as good as it was.
    const current = readTokens()
    if (current && secondsLeft(current) > 0 && !(error instanceof AppError && error.code === 'auth.session-expired')) return current.access_token
    throw error
  }
}

/** Another token than the one that was refused. Throws auth.session-expired when the server gives none, and what went wrong when it cannot be asked. */
export async function renewedToken(refused: string): Promise<string> {
  const renewed = await renew((current) => current.access_token !== refused)
  if (renewed === undefined) throw new AppError('auth.session-expired')
  return renewed
}

let renewing: Promise<string | undefined> | undefined

function renew(isGood: (tokens: StoredTokens) => boolean): Promise<string | undefined> {
  renewing ??= withTabLock(lockName, () => renewNow(isGood)).finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewNow(isGood: (tokens: StoredTokens) => boolean): Promise<string | undefined> {
  // Another tab may have done it while this one waited for its turn.
  const current = readTokens()
  if (!current || isGood(current)) return current?.access_token
  try {
    const tokens = await request(authRoutes.refresh, { body: { refresh_token: current.refresh_token }, answerMs: limits.calls.refreshMs }, undefined)
    // Whoever signed out meanwhile stays signed out.
    if (readTokens()?.refresh_token === current.refresh_token) storeTokens(tokens)
    return tokens.access_token
  } catch (error) {
    if (error instanceof AppError && [400, 401, 403].includes(error.status)) {
      if (readTokens()?.refresh_token === current.refresh_token) onExpired()
      throw new AppError('auth.session-expired', { cause: error })
    }
    throw error
  }
}

function secondsLeft({ refreshed_at, expires_in }: StoredTokens): number {
  return (refreshed_at - Date.now()) / 1000 + expires_in
}
