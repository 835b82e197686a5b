// Copies of sources out of a vault and into one. A source that is being copied stands as one that did not arrive whole
// until all of it is there: then one transaction names its parts.
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { ReadDocument } from '@parley/contract/read-document'
import type { Source } from '@parley/contract/sources'
import { uuidv7 } from '@parley/contract/uuid'
import * as z from 'zod/mini'
import type { DocumentRecord } from '../local/database'
import type { Device } from '../local/device'
import { documentId, documentRange, isSourceRecord } from '../local/source-keys'
import { readPieces, readSource, type StoredPart, type StoredSource, sealSource } from '../local/source-records'
import { orStorageError } from '../local/storage-error'
import { withTabLock } from '../local/tab-lock'
import type { NoteRead } from '../local/write-sealed'
import { inflated } from './deflate'
import { activeSources, addSource, changeSources, removeSource, writePart } from './device-sources'
import type { ReadResult } from './read-source'
import type { ReaderWorkerPort } from './reader-worker-port'
import { contentOf, type SourceCopy } from './source-copies'
import type { SourceIds } from './source-ids'
import { unfinished } from './source-state'

/** `reader`: checks files and indexes texts. */
type Target = { open: () => Promise<Device>; reader: ReaderWorkerPort }

/**
 * All sources of a channel for a copy, oldest first. Throws storage.unreadable and storage.newer-version where a record
 * cannot be read: an incomplete copy must not be taken for the whole.
 */
export async function copiesOnDevice(device: Device, channelId: string): Promise<SourceCopy[]> {
  const records = await device.db.getAll('documents', documentRange(channelId))
  const stored = await Promise.all(records.filter(isSourceRecord).map((record) => readSource(device.vault, record)))
  return stored.toSorted((a, b) => compare(orderOf(a), orderOf(b))).map((each) => copyOfStored(device, each))
}

/** Those that can be read, oldest first, and how many cannot. */
export async function readableCopies(
  device: Device,
  channelId: string,
): Promise<{ copies: SourceCopy[]; unreadable: number }> {
  const records = (await device.db.getAll('documents', documentRange(channelId))).filter(isSourceRecord)
  const found = await Promise.all(records.map((record) => readSource(device.vault, record).catch(() => undefined)))
  const stored = found.flatMap((each) => each ?? []).toSorted((a, b) => compare(orderOf(a), orderOf(b)))
  return { copies: stored.map((each) => copyOfStored(device, each)), unreadable: records.length - stored.length }
}

/** A source as a vault has it. */
function copyOfStored(device: Device, { source, contentId, file, text, passages }: StoredSource): SourceCopy {
  const read = async (part: StoredPart): Promise<Blob> => {
    const pieces: Uint8Array<ArrayBuffer>[] = []
    for await (const piece of readPieces(device, contentId, part)) pieces.push(piece)
    return new Blob(pieces)
  }
  return {
    source,
    ...(file ? { file: () => read(file) } : {}),
    ...(text ? { text: async () => documentIn(await read(text)) } : {}),
    ...(text && passages ? { stored: async () => ({ text: await read(text), passages: await read(passages) }) } : {}),
  }
}

async function documentIn(stored: Blob): Promise<ReadDocument> {
  const { success, data } = z.safeParse(ReadDocument, JSON.parse(await inflated(stored)))
  if (!success) throw new AppError('storage.unreadable')
  return data
}

/**
 * Puts a copy of a source into a channel, which need not be there yet; one that the channel has already stays, with its
 * switch. `isKnown`: it had it. Answers the source with the id that it has there. Throws source.too-many,
 * source.upload-damaged for a file that is not the one that was to come, and what reading the copy throws.
 */
export function putOnDevice(
  target: Target,
  channelId: string,
  copy: SourceCopy,
): Promise<{ source: Source; isKnown: boolean }> {
  return orStorageError(() =>
    withTabLock(`source-copies-${channelId}`, async () => {
      const begun = await begin(target, channelId, copy.source)
      if ('known' in begun) return { source: begun.known, isKnown: true }
      try {
        return { source: await fill(target, begun.stored, copy), isKnown: false }
      } catch (error) {
        await removeSource(target.open, begun.stored.source).catch(() => undefined)
        throw error
      }
    }),
  )
}

type Begun = { known: Source } | { stored: StoredSource }

function begin({ open }: Target, channelId: string, source: Source): Promise<Begun> {
  return withTabLock(`sources-${channelId}`, async () => {
    const { db, vault } = await open()
    const records = (await db.getAll('documents', documentRange(channelId))).filter(isSourceRecord)
    const readable = await Promise.all(records.map((record) => readSource(vault, record).catch(() => undefined)))
    const same = readable.find((each) => each && contentOf(each.source) === contentOf(source))
    if (same && isWhole(same)) return { known: same.source }
    // What a copy that was cut off has left.
    if (same) await removeSource(open, same.source)
    const others = records.length - (same ? 1 : 0)
    if (others >= limits.sources.maxPerChannel) throw new AppError('source.too-many')
    const isTaken = records.some(({ id }) => id === documentId({ channelId, id: source.id }) && !same)
    const { progress: _progress, ...given } = source
    const id = isTaken ? uuidv7() : source.id
    const stored: StoredSource = {
      source: { ...given, id, channelId, status: 'failed', reason: unfinished },
      contentId: uuidv7(),
    }
    await addSource(open, stored, false)
    return { stored }
  })
}

const isWhole = ({ source, file }: StoredSource): boolean =>
  source.type === 'document' ? file !== undefined : source.reason !== unfinished

async function fill({ open, reader }: Target, stored: StoredSource, copy: SourceCopy): Promise<Source> {
  const file = await copy.file?.()
  if (file) {
    const isSame =
      file.size === copy.source.bytes && (await reader.call({ kind: 'digest', file })) === copy.source.sha256
    if (!isSame) throw new AppError('source.upload-damaged')
  }
  const parts: Pick<StoredSource, 'file' | 'text' | 'passages'> = {}
  if (file) parts.file = await writePart(open, stored, 'file', file)
  const reading = await readingOf(copy, reader)
  if (reading) {
    const id = uuidv7()
    parts.text = await writePart(open, stored, `text-${id}`, reading.text)
    parts.passages = await writePart(open, stored, `passages-${id}`, reading.passages)
  }
  const { reason: _reason, ...source } = stored.source
  const { status, reason = unfinished } = copy.source
  const state: Pick<Source, 'status' | 'reason'> = reading
    ? { ...reading.facts, status: 'processed' }
    : status === 'failed' || (source.type === 'document' && !file)
      ? { status: 'failed', reason }
      : { status: 'queued' }
  const [made] = await changeSources(open, [source], (now) => ({ ...now, ...parts, source: { ...source, ...state } }))
  return made?.source ?? { ...source, ...state }
}

type Reading = Pick<ReadResult, 'text' | 'passages'> & { facts?: Pick<ReadResult['facts'], 'characters' | 'passages'> }

async function readingOf(copy: SourceCopy, reader: ReaderWorkerPort): Promise<Reading | undefined> {
  if (copy.stored) return copy.stored()
  const document = await copy.text?.()
  if (!document) return undefined
  const { text, passages, facts } = await reader.call({ kind: 'index', document })
  return { text, passages, facts: { characters: facts.characters, passages: facts.passages } }
}

/**
 * The records of the sources of a channel that were copied elsewhere, for their removal. Throws channel.copy-differs
 * where one was added or changed since.
 */
export async function copiedRecords(
  { db, vault }: Device,
  noteRead: NoteRead,
  { channelId, copied }: { channelId: string; copied: readonly Source[] },
): Promise<DocumentRecord[]> {
  const records = (await db.getAll('documents', documentRange(channelId))).filter(isSourceRecord)
  for (const record of records) {
    const { source } = await readSource(vault, record)
    noteRead({ table: 'documents', record })
    const isCopied = copied.some(
      (each) => each.id === source.id && contentOf(each) === contentOf(source) && each.isActive === source.isActive,
    )
    if (!isCopied) throw new AppError('channel.copy-differs')
  }
  return records
}

/** New ids for the active sources of a channel, of which another channel of the same vault gets copies. */
export async function idsForCopies(device: Device, channelId: string): Promise<Map<string, string>> {
  return new Map((await activeSources(device, channelId)).map(({ source }) => [source.id, uuidv7()]))
}

/** The record of a copy that shares what another source consists of. `from`: the id of that one's record. */
export type SharedSource = { from: string; record: DocumentRecord }

export async function sharedSources(
  device: Device,
  { from, to, ids }: { from: string; to: string; ids: SourceIds },
): Promise<SharedSource[]> {
  const shared: SharedSource[] = []
  for (const stored of await activeSources(device, from)) {
    const id = ids.get(stored.source.id)
    if (id === undefined) continue
    // Two that go on with the same vectors would be in each other's way.
    const { vectors, ...rest } = stored
    const copy = { ...rest, ...(vectors?.isWhole ? { vectors } : {}), source: { ...stored.source, id, channelId: to } }
    const record = await sealSource(device.vault, copy)
    shared.push({ from: documentId(stored.source), record })
  }
  return shared
}

const orderOf = ({ source }: StoredSource): string => `${source.addedAt} ${source.id}`
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
