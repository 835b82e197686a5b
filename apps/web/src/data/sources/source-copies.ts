// Sources on their way from one home to another. What answers cite of them follows the source under its id there.
import { AppError } from '@parley/contract/errors'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import type { Part } from '@parley/contract/parts'
import type { ReadDocument } from '@parley/contract/read-document'
import type { Source } from '@parley/contract/sources'
import type { ConversationCopy } from '@parley/contract/tree-copies'
import type { ReadResult } from './read-source'
import { type SourceIds, withId } from './source-ids'
import { isUnread } from './source-state'

/** A source with what it consists of, each read when it is needed. */
export type SourceCopy = {
  source: Source
  /** The bytes of a document; it is not whole without them. */
  file?: () => Promise<Blob>
  /** What was read: of a website or video that was fetched, or of a document. */
  text?: () => Promise<ReadDocument>
  /** The same as a vault keeps it. */
  stored?: () => Promise<Pick<ReadResult, 'text' | 'passages'>>
}

/** Why one source cannot go to another home; `sourceName` says which one. Its channel stays where it is. */
export class RefusedSourceError extends AppError {
  readonly sourceName: string
  readonly reason: AppError

  constructor(sourceName: string, reason: AppError) {
    super('channel.source-refused', { cause: reason })
    this.sourceName = sourceName
    this.reason = reason
  }
}

/** By which two sources of a channel are the same one. */
export const contentOf = ({ sha256, url }: Pick<Source, 'sha256' | 'url'>): string => url ?? sha256

/** Throws RefusedSourceError for a document whose file is not stored whole, or not yet. */
export function assertWhole({ source, file }: SourceCopy): void {
  if (source.type !== 'document' || file) return
  throw new RefusedSourceError(source.name, new AppError(isUnread(source) ? 'source.busy' : 'source.upload-damaged'))
}

/** The ids under which a home has sources already. */
export function idsThere(copies: readonly SourceCopy[], there: readonly Source[]): Map<string, string> {
  const known = new Map(there.map((source) => [contentOf(source), source.id]))
  const ids = new Map<string, string>()
  for (const { source } of copies) noteId(ids, source, known.get(contentOf(source)))
  return ids
}

export function noteId(ids: Map<string, string>, { id }: Source, there: string | undefined): void {
  if (there !== undefined && there !== id) ids.set(id, there)
}

/** A conversation that names its sources by other ids. */
export function withSourceIds(copy: ConversationCopy, ids: SourceIds): ConversationCopy {
  return ids.size === 0 ? copy : { ...copy, exchanges: exchangesWithSourceIds(copy.exchanges, ids) }
}

export function exchangesWithSourceIds(exchanges: readonly ExchangeWithRuns[], ids: SourceIds): ExchangeWithRuns[] {
  if (ids.size === 0) return [...exchanges]
  const renamed = (parts: readonly Part[]): Part[] => parts.map((part) => withId(part, ids))
  return exchanges.map(({ exchange, runs }) => ({
    exchange: { ...exchange, question: renamed(exchange.question) },
    runs: runs.map((run) => ({ ...run, answer: renamed(run.answer) })),
  }))
}
