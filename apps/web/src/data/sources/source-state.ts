import type { Source } from '@parley/contract/sources'
import type { StoredSource } from '../local/source-records'

export const isUnread = ({ status }: Pick<Source, 'status'>): boolean => status === 'queued' || status === 'processing'

export function failed(stored: StoredSource, reason: string): StoredSource {
  const { progress: _progress, ...source } = stored.source
  return { ...stored, source: { ...source, status: 'failed', reason } }
}
