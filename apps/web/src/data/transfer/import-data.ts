import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { announce } from '../local/changes'
import { passphraseSecret } from '../local/passphrase'
import { storedSession } from '../session/stored-session'
import type { Problem } from './entries'
import type { FileSource } from './file-sources'
import { ImportHomes } from './import-homes'
import { ImportSources } from './import-sources'
import { type ImportChoice, type ImportFile, type ImportSummary, ImportWriter } from './import-writer'
import { lockOf, openArchive } from './open-file'
import { readFile } from './read-file'

type Hash = Uint8Array<ArrayBuffer> | undefined
type RunOptions = { onProgress: (done: number, total: number) => void; signal: AbortSignal }

/** Whether a file is protected with a passphrase. Throws AppError for a broken one. */
export async function isProtected(file: File): Promise<boolean> {
  return (await lockOf(file)) !== undefined
}

/** Checks the whole file. Throws AppError when it cannot be imported. */
export async function checkFile(
  file: File,
  passphrase: string | undefined,
  { onProgress, signal }: RunOptions,
): Promise<ImportFile> {
  const hash = await hashFor(file, passphrase)
  signal.throwIfAborted()
  const counts = { channels: 0, chats: 0, assistants: 0, documents: 0, users: 0 }
  const channels = new Map<string, Channel>()
  const problems: Problem[] = []
  const ids = new Map<string, Set<string>>()
  const broken = new Set<string>()
  const sources = new Map<string, FileSource[]>()
  const archive = await openArchive(file, hash)
  const { format, metadata } = await readFile(file, {
    hash,
    withMessages: false,
    signal,
    onBatch: ({ entries, messages, done, total }) => {
      counts.chats += messages
      for (const entry of entries) {
        if (entry.kind === 'problem' && problems.length < webLimits.transfer.shownErrors) problems.push(entry.problem)
        if (entry.kind === 'problem' && entry.channelId !== undefined) broken.add(entry.channelId)
        if (entry.kind === 'chat' && !ids.has(entry.channelId)) ids.set(entry.channelId, new Set())
        if (entry.kind === 'message-id') ids.get(entry.channelId)?.add(entry.mId)
        if (entry.kind === 'record') counts[entry.type]++
        if (entry.kind === 'source') {
          const { source } = entry
          const isThere = source.entry === undefined || archive.has(source.entry)
          if (isThere) sources.set(source.channelId, [...(sources.get(source.channelId) ?? []), source])
          else if (problems.length < webLimits.transfer.shownErrors)
            problems.push({ type: 'documents', label: source.name, reason: 'unreadable' })
          counts.documents++
        }
        if (entry.kind === 'channel' && !channels.has(entry.channel.id)) channels.set(entry.channel.id, entry.channel)
      }
      onProgress(done, total)
    },
  })
  counts.channels = channels.size
  const chats = new Map(
    [...ids].map(([channelId, each]) => [channelId, { ids: each, isWhole: !broken.has(channelId) }]),
  )
  const userId = storedSession()?.user.id
  return { file, format, metadata, counts, problems, channels, chats, sources, hash, userId }
}

/**
 * Imports the chosen data of a checked file, channel by channel. A cancelled or interrupted import leaves complete
 * channels, and the same file can be imported again. Throws AppError where nothing more can be written, such as on a
 * full device; one failed channel does not stop the others.
 */
export async function importData(
  good: ImportFile,
  choice: ImportChoice,
  { onProgress, signal }: RunOptions,
): Promise<ImportSummary> {
  if (choice.types.length === 0) throw new AppError('transfer.nothing-selected')
  const homes = await ImportHomes.open(choice.target, signal)
  const { read } = await openArchive(good.file, good.hash)
  const sources = new ImportSources(choice.types.includes('documents') ? good.sources : new Map(), { read, signal })
  const writer = new ImportWriter(good, choice, { homes, sources, signal })
  try {
    await readFile(good.file, {
      hash: good.hash,
      withMessages: choice.types.includes('chats'),
      signal,
      onBatch: async ({ entries, done, total }) => {
        for (const entry of entries) await writer.add(entry)
        onProgress(done, total)
      },
    })
    const summary = await writer.finish()
    return { ...summary, undoable: homes.undoable }
  } finally {
    announce({ kind: 'channels' })
  }
}

async function hashFor(file: File, passphrase: string | undefined): Promise<Hash> {
  const lock = await lockOf(file)
  if (!lock) return undefined
  if (passphrase === undefined) throw new AppError('transfer.passphrase-needed')
  return passphraseSecret(passphrase, lock.passphrase)
}
