// The sources of channels in a data file: what is known of each in its list `documents`, its file beside it.
import { type Channel, isGuest, type StorageMode } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { copiesInCloud } from '../channels/cloud-source-copies'
import { homes } from '../channels/homes'
import { isRecordError } from '../local/storage-error'
import { readableCopies } from '../sources/device-copies'
import type { SourceCopy } from '../sources/source-copies'
import { openDevice } from '../vault/open-device'
import type { FileSource } from './file-sources'
import type { FilePiece } from './pack-file'

export type ExportedSource = { item: FileSource; mode: StorageMode }
/** `unreadable`: sources that could not be read, and are not in the file. */
export type ExportedSources = { sources: ExportedSource[]; unreadable: number }

/** Bytes of a file that are given on at a time. */
const pieceBytes = 256 * 1024

/** Yields the files of all sources of one's own channels, and answers what the data file tells of them. */
export async function* sourceFiles(
  modes: readonly StorageMode[],
  signal: AbortSignal,
): AsyncGenerator<FilePiece, ExportedSources> {
  const exported: ExportedSources = { sources: [], unreadable: 0 }
  const entries = new Map<string, string>()
  for (const mode of modes)
    for (const channel of await homes[mode].list()) {
      signal.throwIfAborted()
      if (isGuest(channel)) continue
      const { copies, unreadable } = await copiesOf(channel, mode, signal)
      exported.unreadable += unreadable
      for (const copy of copies) {
        signal.throwIfAborted()
        const { progress: _progress, ...source } = copy.source
        const content = await contentOf(copy)
        if (content === 'unreadable') {
          exported.unreadable++
          continue
        }
        // The same file in several channels is in the zip once; the text of a website may differ.
        const key = source.type === 'document' ? source.sha256 : `${mode} ${source.id}`
        const known = entries.get(key)
        const entry = content && (known ?? `sources/${entries.size + 1}${endingOf(source.name, source.type)}`)
        exported.sources.push({ item: { ...source, kind: 'source', ...(entry ? { entry } : {}) }, mode })
        if (!content || !entry || known) continue
        entries.set(key, entry)
        yield { entry }
        yield* piecesOf(content)
      }
    }
  return exported
}

async function copiesOf(
  { id }: Channel,
  mode: StorageMode,
  signal: AbortSignal,
): Promise<{ copies: SourceCopy[]; unreadable: number }> {
  if (mode === 'local') return readableCopies(await openDevice(), id)
  return { copies: await copiesInCloud(id, signal), unreadable: 0 }
}

/** Undefined for a website or video that was not fetched. */
async function contentOf({ source, file, text }: SourceCopy): Promise<Blob | undefined | 'unreadable'> {
  try {
    if (source.type === 'document') return file ? await file() : 'unreadable'
    return text && new Blob([JSON.stringify(await text())])
  } catch (error) {
    const isGone = error instanceof AppError && (isRecordError(error) || error.code === 'source.not-found')
    if (isGone) return 'unreadable'
    throw error
  }
}

/** So that a person who unpacks the zip can open the files; nothing else of their names is in it. */
const endingOf = (name: string, type: FileSource['type']): string =>
  type === 'document' ? (/\.[a-z0-9]{1,8}$/i.exec(name)?.[0].toLowerCase() ?? '') : '.json'

async function* piecesOf(content: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < content.size; at += pieceBytes)
    yield new Uint8Array(await content.slice(at, at + pieceBytes).arrayBuffer())
}
