import { AppError } from '@parley/contract/errors'

/** Maps an error of the browser's storage to an AppError. */
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

/** An error of one record, which stays as it is; others can be read. */
export const isRecordError = ({ code }: AppError): boolean =>
  code === 'storage.unreadable' || code === 'storage.newer-version'
