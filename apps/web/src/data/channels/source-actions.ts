// What people do with the sources of a channel, or of a draft. Every failure is an AppError.
import type { ReadDocument } from '@parley/contract/read-document'
import { storageError } from '../local/storage-error'
import type { Added, FileResult, SourceRef, SourceSwitch } from '../sources/source-store'
import { sourcesOf } from './channel-sources'

/** Adds files, and answers what became of each: one that is refused does not stop the others. */
export async function addFiles(channelId: string, files: readonly File[]): Promise<FileResult[]> {
  const store = await sourcesOf(channelId)
  return Promise.all(
    files.map(async (file): Promise<FileResult> => {
      try {
        return { name: file.name, ...(await store.addFile(channelId, file)) }
      } catch (error) {
        return { name: file.name, error: storageError(error) }
      }
    }),
  )
}

/** Adds a website or video. Throws source.url-invalid, and what became of fetching it. */
export async function addLink(channelId: string, url: string): Promise<Added> {
  return (await sourcesOf(channelId)).addLink(channelId, url)
}

/** Adds a text as a file of its own. */
export async function addText(channelId: string, text: string, name: string): Promise<Added> {
  return (await sourcesOf(channelId)).addFile(channelId, new File([text], name, { type: 'text/plain' }))
}

export async function removeSource(source: SourceRef): Promise<void> {
  await (await sourcesOf(source.channelId)).remove(source)
}

/** Ends reading or uploading. */
export async function cancelSource(source: SourceRef): Promise<void> {
  await (await sourcesOf(source.channelId)).cancel(source)
}

export async function retrySource(source: SourceRef): Promise<void> {
  await (await sourcesOf(source.channelId)).retry(source)
}

export async function saveSwitches(channelId: string, switches: readonly SourceSwitch[]): Promise<void> {
  await (await sourcesOf(channelId)).saveSwitches(channelId, switches)
}

/** The text of a source with its structure. Throws source.busy while it is read. */
export async function readDocument(source: SourceRef): Promise<ReadDocument> {
  return (await sourcesOf(source.channelId)).document(source)
}

/** The file of a source as it was added. Throws source.not-found for a website or video. */
export async function readFileOf(source: SourceRef): Promise<Blob> {
  return (await sourcesOf(source.channelId)).file(source)
}
