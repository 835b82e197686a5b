import type { AppError } from '@parley/contract/errors'
import type { ReadDocument } from '@parley/contract/read-document'
import type { Source } from '@parley/contract/sources'

/** Names a source: its id is unique in its channel. A Source is one. */
export type SourceRef = Pick<Source, 'id' | 'channelId'>

export type SourceSwitch = Pick<Source, 'id' | 'isActive'>

/** `isKnown`: the channel had this file or address already, and it is the source of before. */
export type Added = { source: Source; isKnown: boolean }

/** What became of each file, in the order in which they were given. */
export type FileResult = ({ name: string } & Added) | { name: string; error: AppError }

/** A home of sources. One test suite runs against both homes, which behave alike. Every failure is an AppError. */
export interface SourceStore {
  /**
   * The sources of a channel, oldest first. One that cannot be read on this device is answered as a failed source with
   * the reason storage.unreadable or storage.newer-version.
   */
  list(channelId: string): Promise<Source[]>
  /** Resolves when the file is stored; it is read afterwards. */
  addFile(channelId: string, file: File): Promise<Added>
  addLink(channelId: string, url: string): Promise<Added>
  remove(source: SourceRef): Promise<void>
  /**
   * Ends the reading of a source, or its upload: it is a failed one with the reason source.cancelled, and can be
   * retried.
   */
  cancel(source: SourceRef): Promise<void>
  /** Reads a failed source again. */
  retry(source: SourceRef): Promise<void>
  /** Switches sources on and off, all or none of them. Those that are not processed stay as they are. */
  saveSwitches(channelId: string, switches: readonly SourceSwitch[]): Promise<void>
  /** Its text. Throws source.busy while it is read. */
  document(source: SourceRef): Promise<ReadDocument>
  /** The file as it was added. Throws source.not-found for a website or video. */
  file(source: SourceRef): Promise<Blob>
}
