import type { FullLanguage } from '@parley/contract/languages'
import { hashBrowser } from './account-rules'

/**
 * The client that a sign-in comes from. `deviceId` is the browser's random id for its vault, `browser` the secret in
 * its own cookie (undefined for programs), `address` the keyed hash of its network address, for rate limits.
 */
export type SignInContext = {
  isBrowser: boolean
  browser: string | undefined
  address: string
  deviceId: string | undefined
  language: FullLanguage
  /** Runs the work after the response is sent, so that the response time does not tell whether an account exists. */
  afterResponse: (work: () => Promise<void>) => void
}

export const browserHashOf = (userId: string, { browser }: SignInContext): string | null =>
  browser === undefined ? null : hashBrowser(userId, browser)
