import { AppError } from '@parley/contract/errors'

/** What the browser's storage throws, as an error that a person understands. */
export function storageError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'QuotaExceededError') return new AppError('storage.full', { cause: error })
  if (name === 'VersionError') return new AppError('storage.newer-version', { cause: error })
  return new AppError('storage.unavailable', { cause: error })
}

export async function orStorageError<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw storageError(error)
  }
}
