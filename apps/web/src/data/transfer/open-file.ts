import { type DataFileLock, ProtectedFile } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import * as z from 'zod/mini'
import type { ReadEntry } from './file-sources'
import { entryKey, type FileSecret, fileSecret, unsealing } from './sealed-chunks'
import { piecesOf } from './stream-pieces'
import { InflateBudget, inflate, isZip, openEntry, type ZipEntry, zipEntries } from './zip-reader'

type Bytes = Uint8Array<ArrayBuffer>
/** A part of a file that contains JSON. `onBytes` gets the size of each chunk read. */
export type JsonPart = { bytes: number; open: (onBytes: (count: number) => void) => Promise<ReadableStream<Bytes>> }

export const entryNames = { data: 'parley_data.json', head: 'parley_head.json', sealed: 'parley_data.sealed' } as const

/** The lock parameters of a protected file. Throws like `jsonParts`. */
export async function lockOf(file: File): Promise<DataFileLock | undefined> {
  if (!(await isZip(file))) return undefined
  return (await protectedHead(file, await zipEntries(file), new InflateBudget(file.size)))?.lock
}

/**
 * The JSON parts of a file, in reading order. `hash`: of the passphrase. Throws transfer.file-type, transfer.no-json,
 * transfer.too-large, transfer.invalid, transfer.passphrase-needed and transfer.wrong-passphrase.
 */
export async function jsonParts(file: File, hash: Bytes | undefined): Promise<JsonPart[]> {
  if (!(await isZip(file))) {
    if (file.size > webLimits.transfer.maxImportBytes) throw new AppError('transfer.too-large')
    if (!/\.json$/i.test(file.name)) throw new AppError('transfer.file-type')
    return [{ bytes: file.size, open: async (onBytes) => file.stream().pipeThrough(counting(onBytes)) }]
  }
  if (file.size > webLimits.transfer.maxZipBytes) throw new AppError('transfer.too-large')
  const entries = await zipEntries(file)
  const budget = new InflateBudget(file.size)
  const head = await protectedHead(file, entries, budget)
  if (head) return [await sealedPart(file, entries, { head, hash, budget })]
  const chosen = jsonEntries(entries)
  if (chosen.length === 0) throw new AppError('transfer.no-json')
  const size = chosen.reduce((sum, entry) => sum + entry.size, 0)
  budget.assertAllows(size)
  return chosen.map((entry) => ({
    bytes: entry.packed,
    open: (onBytes) => openEntry(file, entry, { budget, through: counting(onBytes) }),
  }))
}

/** The entries of a zip with the files of sources. */
export type Archive = { has: (name: string) => boolean; read: ReadEntry }

/** `hash`: of the passphrase. A file that is no zip has none. Throws like `jsonParts`. */
export async function openArchive(file: File, hash: Bytes | undefined): Promise<Archive> {
  const all = (await isZip(file)) ? await zipEntries(file) : []
  const isSealed = all.some(({ name }) => name === entryNames.head)
  const named = new Map<string, ZipEntry | undefined>()
  // Which of several entries of one name would be meant is not known.
  for (const entry of all) named.set(entry.name, named.has(entry.name) ? undefined : entry)
  for (const name of Object.values(entryNames)) named.delete(name)
  const read: ReadEntry = async (name, maxBytes) => {
    const entry = named.get(name)
    if (!entry) throw new AppError('transfer.incomplete')
    const budget = new InflateBudget(file.size)
    const content = await openEntry(file, entry, { budget, isSealed })
    const plain = isSealed && hash ? content.pipeThrough(unsealing(await entryKey(hash, name))) : content
    return collected(plain, maxBytes)
  }
  return { has: (name) => named.get(name) !== undefined, read }
}

/** Bytes are moved to a blob so many at a time; the browser may keep blobs on disk. */
const blobBytes = 4 * 1024 * 1024

/** Throws transfer.too-large for more bytes than were announced. */
async function collected(content: ReadableStream<Bytes>, maxBytes: number): Promise<Blob> {
  const parts: Blob[] = []
  let waiting: Bytes[] = []
  let size = 0
  let flushed = 0
  try {
    for await (const piece of piecesOf(content)) {
      size += piece.byteLength
      if (size > maxBytes) throw new AppError('transfer.too-large')
      waiting.push(piece)
      if (size - flushed < blobBytes) continue
      parts.push(new Blob(waiting))
      waiting = []
      flushed = size
    }
  } catch (error) {
    // A broken compressed stream throws the browser's own error.
    throw error instanceof AppError ? error : new AppError('transfer.invalid', { cause: error })
  }
  return new Blob([...parts, ...waiting])
}

/** ChatGPT's conversations, which a large export splits into several files; else our data file; else any JSON file. */
function jsonEntries(entries: readonly ZipEntry[]): ZipEntry[] {
  const json = entries.filter(({ name }) => /\.json$/i.test(name) && !name.startsWith('__MACOSX/'))
  const conversations = json.filter(({ name }) => /(^|\/)conversations([-_]\d+)?\.json$/i.test(name))
  if (conversations.length > 0) return conversations.toSorted((a, b) => a.name.localeCompare(b.name))
  const own = json.find(({ name }) => name === entryNames.data) ?? json[0]
  return own ? [own] : []
}

async function protectedHead(
  file: File,
  entries: readonly ZipEntry[],
  budget: InflateBudget,
): Promise<ProtectedFile | undefined> {
  const entry = entries.find(({ name }) => name === entryNames.head)
  if (!entry) return undefined
  if (entry.size > 10_000) throw new AppError('transfer.invalid')
  const text = await new Response(await openEntry(file, entry, { budget })).text()
  const head = z.safeParse(ProtectedFile, parsed(text))
  if (!head.success) throw new AppError('transfer.invalid')
  return head.data
}

type Sealed = { head: ProtectedFile; hash: Bytes | undefined; budget: InflateBudget }

async function sealedPart(
  file: File,
  entries: readonly ZipEntry[],
  { head: { lock, metadata }, hash, budget }: Sealed,
): Promise<JsonPart> {
  const entry = entries.find(({ name }) => name === entryNames.sealed)
  if (!entry) throw new AppError('transfer.incomplete')
  if (!hash) throw new AppError('transfer.passphrase-needed')
  const secret: FileSecret = await fileSecret(hash)
  if (secret.check !== lock.check) throw new AppError('transfer.wrong-passphrase')
  const open = async (onBytes: (count: number) => void): Promise<ReadableStream<Bytes>> => {
    const plain = (await openEntry(file, entry, { budget, through: counting(onBytes), isSealed: true })).pipeThrough(
      unsealing(secret),
    )
    return metadata.compressed ? plain.pipeThrough(inflate(budget)) : plain
  }
  return { bytes: entry.packed, open }
}

function counting(onBytes: (count: number) => void): TransformStream<Bytes, Bytes> {
  return new TransformStream({
    transform(piece, controller) {
      onBytes(piece.byteLength)
      controller.enqueue(piece)
    },
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('transfer.invalid', { cause: error })
  }
}
