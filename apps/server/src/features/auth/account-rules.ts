import { createHash, randomBytes } from 'node:crypto'
import { checkPassword, isEmail, isReservedEmail, normalizeEmail } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { type FullLanguage, fullLanguageOf } from '@parley/contract/languages'
import type { Account } from './account-store'

/** The normalized address. Throws auth.email-reserved, auth.email-invalid. */
export function usableEmail(emailInput: string): string {
  // Checked first, because a wallet's domain has no dot and so is no valid address.
  if (isReservedEmail(emailInput)) throw new AppError('auth.email-reserved')
  const email = normalizeEmail(emailInput)
  if (!isEmail(email)) throw new AppError('auth.email-invalid')
  return email
}

export function requireGoodPassword(password: string): void {
  const { isValid, errors } = checkPassword(password)
  if (!isValid)
    throw new AppError('auth.password-weak', { issues: errors.map((error) => ({ path: 'password', message: error })) })
}

export function requireAccount(account: Account | undefined): Account {
  if (!account) throw new AppError('not-found')
  return account
}

export const hasMailbox = ({ kind }: Account): boolean => kind === 'email' || kind === 'google'
export const randomToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
/** Differs from account to account, so that rows of two accounts do not tell that they share a browser. */
export const hashBrowser = (userId: string, browser: string): string => hashToken(`${userId}|${browser}`)

/** The language of a new account: the requested one, else the first of the Accept-Language header. */
export function accountLanguage(requested: string | undefined, accepted: string | undefined): FullLanguage {
  return fullLanguageOf(requested ?? accepted?.split(',')[0])
}
