import { dataTypes } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { checkFile, importData } from './import-data'
import type { ImportSummary } from './import-writer'

type Options = {
  /**
   * Called when the whole file has passed the check, with the number of its chats. Without consent nothing is written.
   */
  confirm: (count: number) => Promise<boolean>
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}

const nothing: ImportSummary = {
  channelsImported: 0,
  chatsImported: 0,
  assistantsImported: 0,
  documentsImported: 0,
  usersImported: 0,
  errors: [],
  skipped: 0,
  undoable: 0,
}

/** The quick import: imports all new channels of a file onto this device. Existing ids are skipped. */
export async function importChannels(file: File, { confirm, onProgress, signal }: Options): Promise<ImportSummary> {
  // The check counts as the first half of the progress.
  const good = await checkFile(file, undefined, {
    onProgress: (done, total) => onProgress(done, 2 * total),
    signal,
  }).catch(withoutReasons)
  const agreed = await confirm(good.counts.channels)
  signal.throwIfAborted()
  if (!agreed) return nothing
  const choice = { types: dataTypes, strategy: 'skip', target: 'local' } as const
  return importData(good, choice, { onProgress: (done, total) => onProgress(total + done, 2 * total), signal })
}

/** Replaces the reasons for a data file by the one for a channels file. */
function withoutReasons(error: unknown): never {
  throw error instanceof AppError && error.code === 'transfer.invalid-data'
    ? new AppError('transfer.invalid', { cause: error })
    : error
}
