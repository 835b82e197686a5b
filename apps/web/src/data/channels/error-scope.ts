import type { AppError } from '@parley/contract/errors'
import { isRecordError } from '../local/storage-error'

/**
 * Whether the next channel of a move or an import would fail with this error too: a full device, a locked vault, an
 * expired session, no network.
 */
export const affectsAllChannels = (error: AppError): boolean => !isRecordError(error) && isSharedCause(error)

const isSharedCause = ({ code, status }: AppError): boolean =>
  code.startsWith('storage.') ||
  code.startsWith('vault.') ||
  code.startsWith('auth.') ||
  code === 'unavailable' ||
  [401, 0, 429].includes(status)
