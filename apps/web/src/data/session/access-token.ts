import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { sessionRoutes } from '@parley/contract/session'
import { request } from '../http/request'
import { withTabLock } from '../local/tab-lock'
import { scoped } from '../scope/scope'
import { readTokens, type StoredTokens, storedSession, storeTokens } from './stored-session'

const lockName = 'session'

type ExpiryListener = () => void
let onExpired: ExpiryListener = () => undefined

/** Sets the function to call when the server has ended the session. */
export function setExpiryListener(listener: ExpiryListener): void {
  onExpired = listener
}

const tokens = scoped((): { isHeld: boolean; renewing: Promise<string | undefined> | undefined } => ({
  isHeld: false,
  renewing: undefined,
}))

/**
 * Blocks all calls that need a token until the returned function is called: while the session is being ended they would
 * only be refused.
 */
export function holdTokens(): () => void {
  const own = tokens()
  own.isHeld = true
  return () => {
    own.isHeld = false
  }
}

/**
 * A token that stays valid for some minutes; undefined for an anonymous person. Near its end it is renewed, once for
 * all calls and tabs.
 */
export async function accessToken(): Promise<string | undefined> {
  const held = storedSession()?.tokens
  if (!held) return undefined
  // Never resolves: the page is about to reload.
  if (tokens().isHeld) return new Promise(() => undefined)
  if (secondsLeft(held) >= webLimits.auth.refreshBeforeSeconds) return held.access_token
  try {
    return await renew((current) => secondsLeft(current) >= webLimits.auth.refreshBeforeSeconds)
  } catch (error) {
    // Without a network the current token is used until it expires.
    const current = readTokens()
    if (current && secondsLeft(current) > 0 && !(error instanceof AppError && error.code === 'auth.session-expired'))
      return current.access_token
    throw error
  }
}

/**
 * Renews a token that was refused. Throws auth.session-expired when the server gives none, and the call's own error
 * when the server cannot be reached.
 */
export async function renewedToken(refused: string): Promise<string> {
  const renewed = await renew((current) => current.access_token !== refused)
  if (renewed === undefined) throw new AppError('auth.session-expired')
  return renewed
}

function renew(isGood: (tokens: StoredTokens) => boolean): Promise<string | undefined> {
  const own = tokens()
  own.renewing ??= withTabLock(lockName, () => renewNow(isGood)).finally(() => {
    own.renewing = undefined
  })
  return own.renewing
}

async function renewNow(isGood: (tokens: StoredTokens) => boolean): Promise<string | undefined> {
  // Another tab may have renewed it while this one waited for the lock.
  const current = readTokens()
  if (!current || isGood(current)) return current?.access_token
  try {
    const renewed = await request(
      sessionRoutes.refresh,
      { body: { refresh_token: current.refresh_token }, answerMs: webLimits.calls.refreshMs },
      undefined,
    )
    // A person who signed out meanwhile stays signed out.
    if (readTokens()?.refresh_token === current.refresh_token) storeTokens(renewed)
    return renewed.access_token
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
