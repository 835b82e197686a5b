import type { Source } from '@parley/contract/sources'
import type { StoredSource } from '../local/source-records'

/** The reason of a source that was not stored whole. */
export const unfinished = 'source.upload-damaged'

/** What a tab that was closed, or a copy that was cut off, has left of a source that it had not stored whole. */
export const isUnfinished = ({ status, reason }: Pick<Source, 'status' | 'reason'>): boolean =>
  status === 'failed' && reason === unfinished

export const isUnread = ({ status }: Pick<Source, 'status'>): boolean => status === 'queued' || status === 'processing'

export function failed(stored: StoredSource, reason: string): StoredSource {
  const { progress: _progress, ...source } = stored.source
  return { ...stored, source: { ...source, status: 'failed', reason } }
}
