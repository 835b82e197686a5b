import { createHash, randomBytes } from 'node:crypto'
import { checkPassword, isEmail, isReservedEmail, normalizeEmail } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { type FullLanguage, fullLanguageOf } from '@parley/contract/languages'
import type { Account } from './account-store'

export function usableEmail(given: string): string {
  // Before the form: a wallet's domain has no dot.
  if (isReservedEmail(given)) throw new AppError('auth.email-reserved')
  const email = normalizeEmail(given)
  if (!isEmail(email)) throw new AppError('auth.email-invalid')
  return email
}

export function requireGoodPassword(password: string): void {
  const { isValid, errors } = checkPassword(password)
  if (!isValid) throw new AppError('auth.password-weak', { issues: errors.map((error) => ({ path: 'password', message: error })) })
}

export function requireAccount(account: Account | undefined): Account {
  if (!account) throw new AppError('not-found')
  return account
}

export const hasMailbox = ({ kind }: Account): boolean => kind === 'email' || kind === 'google'
export const randomToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
/** What stands for a browser in the rows of one account. */
export const hashBrowser = (userId: string, browser: string): string => hashToken(`${userId}|${browser}`)

/** The language of a request for an account that is being made. */
export function accountLanguage(wanted: string | undefined, accepted: string | undefined): FullLanguage {
  return fullLanguageOf(wanted ?? accepted?.split(',')[0])
}
