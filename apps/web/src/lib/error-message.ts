import { AppError, errorText } from '@parley/contract/errors'

/**
 * What an error says to a person: in their language where it is one of the catalogue, else in the server's own words;
 * undefined for everything else.
 */
export function errorMessage(error: unknown, language: string): string | undefined {
  return error instanceof AppError ? (error.said ?? errorText(error.code, language)) : undefined
}
