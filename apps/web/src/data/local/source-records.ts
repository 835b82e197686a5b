// The sources of a channel in the vault: a record of each in `documents`, and in `files` the pieces of its file, its
// text and its passages.

import { AppError } from '@parley/contract/errors'
import { Source } from '@parley/contract/sources'
import * as z from 'zod/mini'
import type { DocumentRecord, FileRecord } from './database'
import type { Device } from './device'
import { openRecord } from './readable'
import { documentId, pieceId, somePieces, sourceIdOf } from './source-keys'
import { isRecordError, storageError } from './storage-error'
import type { Vault } from './vault'

const Count = z.int().check(z.nonnegative())
/** Bytes in the pieces whose ids begin with `{contentId}|{part}|`. */
const StoredPart = z.object({ part: z.string(), pieces: Count, bytes: Count })
export type StoredPart = z.infer<typeof StoredPart>

/**
 * Vectors of the first `count` passages of a part, as `packVectors` writes them, a piece for each call that made some.
 * They compare with those of the same key.
 */
const StoredVectors = z.object({
  ...StoredPart.shape,
  ...{ key: z.string(), dimensions: Count, of: z.string(), count: Count, isWhole: z.boolean() },
})
export type StoredVectors = z.infer<typeof StoredVectors>

/** What is sealed of a source. A field of a later version is kept. */
const StoredSource = z.looseObject({
  source: z.looseObject(Source.shape),
  contentId: z.string(),
  /** Without it the file is not whole yet; websites and videos have none. */
  file: z.optional(StoredPart),
  /** Its ReadDocument, as deflated JSON, once it is read. */
  text: z.optional(StoredPart),
  /** Its passages and their index, as deflated JSON. */
  passages: z.optional(StoredPart),
  /** They can be made again: what cannot be understood of them is as if there were none. */
  vectors: z.catch(z.optional(StoredVectors), undefined),
})
export type StoredSource = z.infer<typeof StoredSource>

/** Bytes of a file in one record. */
export const pieceBytes = 1024 * 1024

export async function sealSource(vault: Vault, stored: StoredSource): Promise<DocumentRecord> {
  const { contentId, source } = stored
  const { channelId } = source
  const id = documentId(source)
  const sealed = await vault.seal({ table: 'documents', id, channelId }, stored)
  return { id, channelId, contentId, ...sealed }
}

/** Throws storage.unreadable, and storage.newer-version for a record of a later version. */
export async function readSource(vault: Vault, record: DocumentRecord): Promise<StoredSource> {
  const { success, data } = z.safeParse(StoredSource, await openRecord(vault, { table: 'documents', record }))
  if (!success || documentId(data.source) !== record.id) throw new AppError('storage.unreadable')
  return data
}

/** A source that cannot be read here stays in the list, so that nothing vanishes silently. */
export async function openSource(vault: Vault, record: DocumentRecord): Promise<Source> {
  try {
    return (await readSource(vault, record)).source
  } catch (error) {
    const failure = storageError(error)
    if (!isRecordError(failure)) throw failure
    const id = sourceIdOf(record)
    return {
      ...{ id, channelId: record.channelId, type: 'document', name: `⚠ ${id.slice(0, 13)}`, mediaType: '' },
      ...{ bytes: 0, sha256: '', status: 'failed', reason: failure.code, isActive: false, notices: [], addedAt: '' },
    }
  }
}

export function sealPiece(
  vault: Vault,
  { contentId, part, index }: { contentId: string; part: string; index: number },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<FileRecord> {
  const id = pieceId(contentId, part, index)
  return vault.sealBytes({ table: 'files', id, channelId: id }, bytes).then((sealed) => ({ id, ...sealed }))
}

/** Pieces that are in memory at a time. */
const piecesAtOnce = 4

/** The pieces of a part, in order. Throws storage.unreadable where one of them is gone or cannot be read. */
export async function* readPieces(
  { db, vault }: Pick<Device, 'db' | 'vault'>,
  contentId: string,
  { part, pieces }: StoredPart,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < pieces; from += piecesAtOnce) {
    const to = Math.min(pieces, from + piecesAtOnce)
    const records = await db.getAll('files', somePieces(contentId, part, from, to))
    if (records.length !== to - from) throw new AppError('storage.unreadable')
    const opened = records.map((record) =>
      vault.openBytes({ table: 'files', id: record.id, channelId: record.id }, record),
    )
    for (const bytes of await Promise.all(opened)) yield bytes
  }
}
