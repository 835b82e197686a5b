import { type ErrorCode, isErrorCode } from '@parley/contract/errors'

const key = 'notice'

/** Stores an error code that the page shows after its next load. */
export function storeNotice(code: ErrorCode): void {
  sessionStorage.setItem(key, code)
}

/** Reads and removes the stored code. */
export function takeNotice(): ErrorCode | undefined {
  try {
    const code = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return code !== null && isErrorCode(code) ? code : undefined
  } catch {
    // Storage is denied, so that nothing can have been stored.
    return undefined
  }
}
