import { type ErrorCode, isErrorCode } from '@parley/contract/errors'

const key = 'notice'

/** Keeps what the page says when it has begun anew. */
export function keepNotice(code: ErrorCode): void {
  sessionStorage.setItem(key, code)
}

/** What was kept, once. */
export function takeNotice(): ErrorCode | undefined {
  try {
    const code = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return code !== null && isErrorCode(code) ? code : undefined
  } catch {
    // Storage is denied: nothing can have been kept.
    return undefined
  }
}
