import { AppError } from '@parley/contract/errors'

/** The call failed because this device has no network: another one would too, and a person should be told at once. */
export const isWithoutNetwork = (error: unknown): boolean =>
  !navigator.onLine && error instanceof AppError && error.code === 'network'
