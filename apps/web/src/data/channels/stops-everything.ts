import type { AppError } from '@parley/contract/errors'

/** A record of this device that is kept as it is; others can be read. */
export const isOfOneRecord = ({ code }: AppError): boolean => code === 'storage.unreadable' || code === 'storage.newer-version'

/** Whether the next channel of a move or an import would meet this error as well: a full device, a closed vault, an ended session, no network. */
export const stopsEverything = (error: AppError): boolean => !isOfOneRecord(error) && isOfAll(error)

const isOfAll = ({ code, status }: AppError): boolean =>
  code.startsWith('storage.') || code.startsWith('vault.') || code.startsWith('auth.') || code === 'unavailable' || [401, 0, 429].includes(status)
