import type { Readable } from 'node:stream'

/** `modifiedAt`: when it was put there (ms). */
export type StoredFile = { key: string; bytes: number; modifiedAt: number }

/** Where files are kept: a folder, or a store that speaks S3. It sees sealed bytes only. */
export interface FileStore {
  /** Whole or not at all; an existing file is replaced. Throws what `content` throws, else FileStoreError. */
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>
  /** Throws MissingFileError, FileStoreError. A failure while it is read destroys the stream. */
  get(key: string): Promise<Readable>
  /** Also one that is not there. */
  remove(key: string): Promise<void>
  /** Those whose keys begin so, and what an interrupted `put` left behind. */
  list(prefix: string): AsyncIterable<StoredFile>
}

/** The store is away or full. */
export class FileStoreError extends Error {
  override name = 'FileStoreError'
}

/** The store is there, the file is not in it. */
export class MissingFileError extends FileStoreError {
  override name = 'MissingFileError'
}

/** Parts that a folder and an address take as they are; none of them leads out of the folder. */
const keyPattern = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$/

export function checkKey(key: string): string {
  if (!keyPattern.test(key)) throw new FileStoreError('not the key of a file')
  return key
}
