// Where the records of sources are in a vault.
import type { Source } from '@parley/contract/sources'
import type { DocumentRecord } from './database'
import type { WritableRecords } from './write-sealed'

const prefixOf = (channelId: string): string => `${encodeURIComponent(channelId)}|`

/** The id in `documents` of a source: ids of sources are unique in their channel. */
export const documentId = ({ channelId, id }: Pick<Source, 'channelId' | 'id'>): string => `${prefixOf(channelId)}${id}`

export const documentRange = (channelId: string): IDBKeyRange =>
  IDBKeyRange.bound(prefixOf(channelId), `${prefixOf(channelId)}\uffff`)

export const pieceId = (contentId: string, part: string, index: number): string =>
  `${contentId}|${part}|${String(index).padStart(6, '0')}`

/** All pieces of a source, or of one of its parts. */
export const piecesOf = (contentId: string, ...part: [] | [string]): IDBKeyRange => {
  const prefix = [contentId, ...part, ''].join('|')
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`)
}

/** All pieces of the parts of a source whose names begin so. */
export const piecesOfParts = (contentId: string, beginning: string): IDBKeyRange =>
  IDBKeyRange.bound(`${contentId}|${beginning}`, `${contentId}|${beginning}\uffff`)

/** Some pieces of a part, from one up to and excluding another. */
export const somePieces = (contentId: string, part: string, from: number, to: number): IDBKeyRange =>
  IDBKeyRange.bound(pieceId(contentId, part, from), pieceId(contentId, part, to), false, true)

/** Whether a record is of a source: data files bring other documents. */
export const isSourceRecord = (record: DocumentRecord): record is DocumentRecord & { contentId: string } =>
  record.contentId !== undefined

export const sourceIdOf = ({ id, channelId }: DocumentRecord): string => id.slice(prefixOf(channelId).length)

/** Removes all sources of a channel on the person's request, also those that cannot be read. */
export async function removeSources(records: WritableRecords, channelId: string): Promise<void> {
  const range = documentRange(channelId)
  const found = await records.read('documents').getAll(range)
  await records.removeAny('documents', range)
  await removeContent(records, found)
}

/** Removes what sources consisted of whose records are gone. Copies of a chat share it: the last one takes it along. */
export async function removeContent(records: WritableRecords, gone: readonly DocumentRecord[]): Promise<void> {
  const contentIds = new Set(gone.filter(isSourceRecord).map(({ contentId }) => contentId))
  if (contentIds.size === 0) return
  for (const { contentId } of await records.read('documents').getAll())
    if (contentId !== undefined) contentIds.delete(contentId)
  for (const contentId of contentIds) await records.removeAny('files', piecesOf(contentId))
}
