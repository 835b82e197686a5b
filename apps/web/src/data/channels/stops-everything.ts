import type { AppError } from '@parley/contract/errors'

/** Whether the next channel of a move or an import would meet this error as well: a full device, a closed vault, an ended session, no network. */
export const stopsEverything = ({ code, status }: AppError): boolean =>
  code.startsWith('storage.') || code.startsWith('vault.') || code.startsWith('auth.') || code === 'unavailable' || [401, 0, 429].includes(status)
