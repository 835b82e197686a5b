// Reads and changes of sources in a vault, one transaction each.
import { AppError } from '@parley/contract/errors'
import type { Source } from '@parley/contract/sources'
import type { Table } from '../local/database'
import type { Device } from '../local/device'
import { isSameRecord } from '../local/readable'
import { documentId, documentRange, isSourceRecord, piecesOf, piecesOfParts, removeContent } from '../local/source-keys'
import {
  openSource,
  pieceBytes,
  readSource,
  type StoredPart,
  type StoredSource,
  sealPiece,
  sealSource,
} from '../local/source-records'
import { OutdatedRead, type WritableRecords, writeSealed } from '../local/write-sealed'
import type { SourceRef } from './source-store'

type Open = () => Promise<Device>

export async function listSources({ db, vault }: Device, channelId: string): Promise<Source[]> {
  const records = await db.getAll('documents', documentRange(channelId))
  const sources = await Promise.all(records.filter(isSourceRecord).map((record) => openSource(vault, record)))
  return sources.sort((a, b) => compare(a.addedAt, b.addedAt) || compare(a.id, b.id))
}

/** The sources of a channel that answers are drawn from, oldest first. Those that cannot be read are left out. */
export async function activeSources({ db, vault }: Device, channelId: string): Promise<StoredSource[]> {
  const records = await db.getAll('documents', documentRange(channelId))
  const stored = await Promise.all(
    records.filter(isSourceRecord).map((record) => readSource(vault, record).catch(() => undefined)),
  )
  return stored
    .filter((each) => each?.source.status === 'processed' && each.source.isActive)
    .flatMap((each) => each ?? [])
    .sort((a, b) => compare(a.source.addedAt, b.source.addedAt) || compare(a.source.id, b.source.id))
}

/** Throws source.not-found, and what readSource throws. */
export async function storedSource({ db, vault }: Device, ref: SourceRef): Promise<StoredSource> {
  const record = await db.get('documents', documentId(ref))
  if (!record) throw new AppError('source.not-found')
  return readSource(vault, record)
}

export function addSource(open: Open, stored: StoredSource, hasChannel: boolean): Promise<void> {
  return writeSealed(open, ['documents', 'channels'], async ({ vault }) => {
    const record = await sealSource(vault, stored)
    return async (records) => {
      if (hasChannel && (await records.read('channels').getKey(stored.source.channelId)) === undefined)
        throw new AppError('channel.not-found')
      await records.add('documents', record)
    }
  })
}

type Change = (stored: StoredSource) => StoredSource | undefined

/**
 * Changes sources of a channel as they are now, all or none of them; `change` may be called again, and answers
 * undefined for one that stays. Answers what was written. Throws source.not-found.
 */
export function changeSources(open: Open, refs: readonly SourceRef[], change: Change): Promise<StoredSource[]> {
  return writeSealed(open, ['documents', 'files'], async ({ db, vault }, noteRead) => {
    const changes = await Promise.all(
      refs.map(async (ref) => {
        const record = await db.get('documents', documentId(ref))
        if (!record) throw new AppError('source.not-found')
        const before = await readSource(vault, record)
        noteRead({ table: 'documents', record })
        const after = change(before)
        return { record, before, after, sealed: after && (await sealSource(vault, after)) }
      }),
    )
    return async (records) => {
      for (const { record, sealed, before, after } of changes) {
        const now = await records.read('documents').get(record.id)
        if (!now || !isSameRecord(now, record)) throw new OutdatedRead()
        if (!sealed || !after) continue
        await records.put('documents', sealed)
        await removeReplaced(records, before, after)
      }
      return changes.flatMap(({ after }) => after ?? [])
    }
  })
}

/** Parts that a source no longer names. */
async function removeReplaced(records: WritableRecords, before: StoredSource, after: StoredSource): Promise<void> {
  const kept = new Set([after.text?.part, after.passages?.part])
  for (const part of [before.text?.part, before.passages?.part])
    if (part !== undefined && !kept.has(part)) await records.removeAny('files', piecesOf(before.contentId, part))
}

/** Removes what a reading of a source has left that did not end. Whoever calls it holds the source. */
export function removeUnendedReading(open: Open, { contentId }: StoredSource): Promise<void> {
  return writeSealed(open, ['files'], async () => async (records) => {
    for (const beginning of ['text-', 'passages-'])
      await records.removeAny('files', piecesOfParts(contentId, beginning))
  })
}

export function removeSource(open: Open, ref: SourceRef): Promise<void> {
  const tables: readonly Table[] = ['documents', 'files']
  return writeSealed(open, tables, async () => async (records) => {
    const record = await records.read('documents').get(documentId(ref))
    if (!record) return
    await records.removeAny('documents', record.id)
    await removeContent(records, [record])
  })
}

/**
 * Gives all sources of a channel to another one of the same vault, in one transaction; their files and texts stay where
 * they are. Those that cannot be read stay. Answers how many there were.
 */
export function moveSources(open: Open, from: string, to: string): Promise<number> {
  return writeSealed(open, ['documents'], async ({ db, vault }, noteRead) => {
    const found = (await db.getAll('documents', documentRange(from))).filter(isSourceRecord)
    const moves = await Promise.all(
      found.map(async (record) => {
        const stored = await readSource(vault, record).catch(() => undefined)
        if (!stored) return undefined
        noteRead({ table: 'documents', record })
        return { record, moved: await sealSource(vault, { ...stored, source: { ...stored.source, channelId: to } }) }
      }),
    )
    const readable = moves.filter((move) => move !== undefined)
    return async (records) => {
      for (const { record, moved } of readable) {
        const now = await records.read('documents').get(record.id)
        if (!now || !isSameRecord(now, record)) throw new OutdatedRead()
        await records.put('documents', moved)
        await records.removeReadable('documents', record.id)
      }
      return readable.length
    }
  })
}

/** Pieces that are sealed and written at a time. */
const piecesAtOnce = 4

/**
 * Writes a part of a source piece by piece, while the source exists. The source names the part afterwards: until then
 * nobody reads it. Throws source.not-found.
 */
export async function writePart(
  open: Open,
  { source, contentId }: Pick<StoredSource, 'source' | 'contentId'>,
  part: string,
  content: Blob,
  onProgress?: (bytes: number) => void,
): Promise<StoredPart> {
  const pieces = Math.ceil(content.size / pieceBytes)
  for (let from = 0; from < pieces; from += piecesAtOnce) {
    const to = Math.min(pieces, from + piecesAtOnce)
    const bytes = new Uint8Array(await content.slice(from * pieceBytes, to * pieceBytes).arrayBuffer())
    await writeSealed(open, ['documents', 'files'], async ({ vault }) => {
      const sealed = await Promise.all(
        Array.from({ length: to - from }, (_, n) =>
          sealPiece(vault, { contentId, part, index: from + n }, bytes.slice(n * pieceBytes, (n + 1) * pieceBytes)),
        ),
      )
      return async (records) => {
        const record = await records.read('documents').get(documentId(source))
        if (record?.contentId !== contentId) throw new AppError('source.not-found')
        for (const piece of sealed) await records.add('files', piece)
      }
    })
    onProgress?.(Math.min(content.size, to * pieceBytes))
  }
  return { part, pieces, bytes: content.size }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
