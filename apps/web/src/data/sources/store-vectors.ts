import { AppError } from '@parley/contract/errors'
import { uuidv7 } from '@parley/contract/uuid'
import type { Device } from '../local/device'
import { isSameRecord } from '../local/readable'
import { documentId, piecesOf } from '../local/source-keys'
import { readSource, type StoredSource, type StoredVectors, sealPiece, sealSource } from '../local/source-records'
import { OutdatedRead, writeSealed } from '../local/write-sealed'

/** `goesOn`: they follow those that the source has; else they take their place. */
type NewVectors = Pick<StoredVectors, 'key' | 'dimensions' | 'isWhole'> & {
  packed: Uint8Array<ArrayBuffer>
  count: number
  goesOn: boolean
}

/**
 * Adds vectors of the next passages of a source, or the first ones, with the record that names them in one transaction:
 * whoever goes on after a crash begins behind them. Writes nothing where the source was read again, or got others
 * meanwhile. Throws source.not-found.
 */
export function addVectors(open: () => Promise<Device>, stored: StoredSource, added: NewVectors): Promise<void> {
  const { source, contentId, passages, vectors: before } = stored
  const { packed, count, goesOn, ...facts } = added
  return writeSealed(open, ['documents', 'files'], async ({ db, vault }, noteRead) => {
    const record = await db.get('documents', documentId(source))
    if (!record) throw new AppError('source.not-found')
    const now = await readSource(vault, record)
    noteRead({ table: 'documents', record })
    const isAsRead =
      now.contentId === contentId &&
      now.passages?.part === passages?.part &&
      now.vectors?.part === before?.part &&
      now.vectors?.count === before?.count
    if (!passages || !isAsRead) return async () => undefined
    const begun = goesOn ? before : undefined
    const {
      part,
      pieces,
      bytes,
      count: known,
    } = begun ?? { part: `vectors-${uuidv7()}`, pieces: 0, bytes: 0, count: 0 }
    const vectors: StoredVectors = {
      ...{ ...facts, part, of: passages.part },
      ...{ pieces: pieces + 1, bytes: bytes + packed.length, count: known + count },
    }
    const piece = await sealPiece(vault, { contentId, part, index: pieces }, packed)
    const sealed = await sealSource(vault, { ...now, vectors })
    return async (records) => {
      const current = await records.read('documents').get(record.id)
      if (!current || !isSameRecord(current, record)) throw new OutdatedRead()
      await records.add('files', piece)
      await records.put('documents', sealed)
      if (before && before.part !== part) await records.removeAny('files', piecesOf(contentId, before.part))
    }
  })
}
