import { AppError, errorText } from '@parley/contract/errors'

/** What an error of the catalogue says to a person in their language; undefined for everything else. */
export function errorMessage(error: unknown, language: string): string | undefined {
  return error instanceof AppError ? errorText(error.code, language) : undefined
}
